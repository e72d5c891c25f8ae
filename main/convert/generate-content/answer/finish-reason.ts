import { ownValue } from '../../../base/own-value.ts'
import type { Stop, StopReason } from '../../exchange-response.ts'
import { stopOfWord } from '../../foreign/stop-words.ts'

/** https://ai.google.dev/api/generate-content#FinishReason and #BlockReason */
const reasons: Readonly<Record<string, StopReason>> = {
  STOP: 'end',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  IMAGE_OTHER: 'content-filter',
  MODEL_ARMOR: 'content-filter',
  JAILBREAK: 'content-filter',
  ESCALATION: 'content-filter',
  // The account may not use the model after offences against the vendor's policy.
  PUP_LIMITED_DISABLED: 'content-filter',
  MALFORMED_FUNCTION_CALL: 'malformed',
  MALFORMED_RESPONSE: 'malformed',
  UNEXPECTED_TOOL_CALL: 'malformed',
  // The model was cut between two steps: a client that sends the token back gets the rest.
  CONTINUATION: 'pause',
}

/**
 * Why an answer ended. Google says STOP after calls, too, so they decide; `reason` is null where the vendor
 * gave none, as in a whole answer of some resellers.
 */
export function decodeFinish(
  reason: string | null,
  hasCalls: boolean,
  explanation: string | undefined,
): Stop {
  const known =
    reason === null ? 'end' : (ownValue(reasons, reason) ?? stopOfWord(reason) ?? 'other')
  return {
    reason: known === 'end' && hasCalls ? 'tool-calls' : known,
    ...(reason === null ? {} : { vendorReason: reason }),
    ...(explanation === undefined ? {} : { explanation }),
  }
}

/** A prompt that Google did not answer, whatever the reason. */
export const decodeBlock = (reason: string, explanation: string | undefined): Stop => ({
  reason: 'content-filter',
  vendorReason: reason,
  ...(explanation === undefined ? {} : { explanation }),
})

const words: Readonly<Record<StopReason, string>> = {
  end: 'STOP',
  'stop-sequence': 'STOP',
  'tool-calls': 'STOP',
  pause: 'STOP',
  length: 'MAX_TOKENS',
  'context-window': 'MAX_TOKENS',
  refusal: 'SAFETY',
  'content-filter': 'SAFETY',
  malformed: 'MALFORMED_FUNCTION_CALL',
  other: 'OTHER',
}

/** Google's word for why an answer ended: its own where the vendor's was one of Google's. */
export function encodeFinish({ reason, vendorReason }: Stop): string {
  const isGoogles = vendorReason !== undefined && /^[A-Z][A-Z_]+$/.test(vendorReason)
  return isGoogles ? vendorReason : words[reason]
}
