import { useTranslation } from 'react-i18next'
import { failureText, type GatewaySentence, sentenceOf } from './sentence-of.ts'

/** Says the gateway’s sentences in the language of the console. */
export function useSentence(): (sentence: GatewaySentence) => string {
  const { i18n } = useTranslation()
  return (sentence) => sentenceOf(sentence, i18n)
}

/** Says of which kind a failure is, by its code, before the message that is in English. */
export function useFailureText(): (code: string | null, message: string) => string {
  const { i18n } = useTranslation()
  return (code, message) => failureText(code, message, i18n)
}
