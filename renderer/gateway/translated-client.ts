import type { i18n } from 'i18next'
import { failureText, reasonIn, sentenceOf } from '../i18n/sentence-of.ts'
import { CallFailure } from './call-failure.ts'
import type { GatewayClient } from './client.ts'

/** The client, with the sentences of failures in the language of the console. */
export function translatedClient(client: GatewayClient, translation: i18n): GatewayClient {
  return {
    ...client,
    async call(name, input, signal) {
      try {
        return await client.call(name, input, signal)
      } catch (error) {
        throw error instanceof CallFailure ? translated(error, translation) : error
      }
    },
  }
}

function translated(failure: CallFailure, translation: i18n): CallFailure {
  const { code, field, reason, status, data } = failure
  const sentence = sentenceOf(failure, translation)
  // A field’s message stands at the field, in the words of the form.
  const isTranslated = sentence !== failure.message || field !== undefined
  const message = isTranslated ? sentence : failureText(code, sentence, translation)
  return new CallFailure({
    ...{ code, message, field, status, data },
    reason: reasonIn(reason, translation),
  })
}
