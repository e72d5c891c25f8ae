import { useTranslation } from 'react-i18next'
import { useSentence } from '../../i18n/use-sentence.ts'
import { type LossFacts, lossNote } from './loss-facts.ts'

/** `dropped seed: why` */
export function LossText({ loss }: { loss: LossFacts }) {
  const { t } = useTranslation()
  const say = useSentence()
  const { kind, path, note } = loss
  const text = say(lossNote(loss))
  return (
    <>
      {t(`inspector.loss_${kind}`)} <span className="mono">{path}</span>
      {text !== '' && (
        <>
          : <span lang={text === note ? 'en' : undefined}>{text}</span>
        </>
      )}
    </>
  )
}
