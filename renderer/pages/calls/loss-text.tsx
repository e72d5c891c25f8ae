import { useTranslation } from 'react-i18next'
import type { LossFacts } from './loss-facts.ts'

/** `dropped seed: why` */
export function LossText({ loss: { kind, path, note } }: { loss: LossFacts }) {
  const { t } = useTranslation()
  return (
    <>
      {t(`inspector.loss_${kind}`)} <span className="mono">{path}</span>
      {note !== '' && (
        <>
          : <span lang="en">{note}</span>
        </>
      )}
    </>
  )
}
