import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { numberOrNothing } from '../run/optional-fields.ts'
import { useTaskRunner } from '../run/use-task-runner.ts'
import { rerankTask } from './rerank-task.ts'

/** Parameters of https://docs.cohere.com/reference/rerank */
export function RerankParameters() {
  const { t } = useTranslation()
  const [{ draft }, runner] = useTaskRunner(rerankTask)
  return (
    <NumberField
      label={t('tasks.topN')}
      description={t('tasks.topNHint')}
      placeholder={t('playground.notSent')}
      min={1}
      whole
      value={draft.topN}
      onChange={(value) => runner.fill({ topN: numberOrNothing(value) })}
    />
  )
}
