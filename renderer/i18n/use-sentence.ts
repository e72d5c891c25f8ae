import { useTranslation } from 'react-i18next'
import { failureText, type GatewaySentence, sentenceOf } from './sentence-of.ts'

/** Says the gateway’s sentences in the language of the console. */
export function useSentence(): (sentence: GatewaySentence) => string {
  const { language } = useTranslation().i18n
  return (sentence) => sentenceOf(sentence, language)
}

/** Says of which kind a failure is, by its code, before the message that is in English. */
export function useFailureText(): (code: string | null, message: string) => string {
  const { language } = useTranslation().i18n
  return (code, message) => failureText(code, message, language)
}
