import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import styles from '../connect.module.css'

interface ToolStepsProps {
  /** Backticks mark what is copied. */
  steps: readonly string[]
}

/** Steps that a person follows, in order. */
export function ToolSteps({ steps }: ToolStepsProps) {
  const { t } = useTranslation()
  return (
    <ol className={styles.list}>
      {steps.map((step) => (
        <li key={step}>
          {step.split('`').map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part has nothing else of its own
            <Fragment key={index}>
              {index % 2 === 0 ? (
                part
              ) : (
                <CopyText value={part} label={t('connectTools.stepText')} wraps />
              )}
            </Fragment>
          ))}
        </li>
      ))}
    </ol>
  )
}
