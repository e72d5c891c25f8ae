import { useTranslation } from 'react-i18next'
import { failureText, type GatewaySentence, sentenceOf } from './sentence-of.ts'

/** Says the gateway’s sentences in the language of the console. */
export function useSentence(): (sentence: GatewaySentence) => string {
  const { i18n } = useTranslation()
  return (sentence) => sentenceOf(sentence, i18n)
}

/**
 * Says a failure: in the language of the console where it is known by its reason, else its kind by its code before the
 * message that is in English.
 */
export function useFailureText(): (
  code: string | null,
  message: string,
  reason?: GatewaySentence['reason'],
) => string {
  const { i18n } = useTranslation()
  return (code, message, reason) => {
    const said = sentenceOf({ message, reason }, i18n)
    return said === message ? failureText(code, message, i18n) : said
  }
}
