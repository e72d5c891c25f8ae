import type { Stop, StopReason } from '../../exchange-response.ts'
import { keepFields } from '../../foreign/kept-fields.ts'
import { stopOfWord } from '../../foreign/stop-words.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { keptFields } from '../own-fields.ts'

const reasons = new Map<string, StopReason>([
  ['end_turn', 'end'],
  ['max_tokens', 'length'],
  ['stop_sequence', 'stop-sequence'],
  ['tool_use', 'tool-calls'],
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
  ['model_context_window_exceeded', 'context-window'],
])

/**
 * Why an answer ended, from the fields of a message or of a `message_delta`. `hasCalls` says whether the
 * answer calls a tool of the client's: that decides over what the vendor says.
 */
export function decodeStop(fields: Record<string, unknown>, hasCalls: boolean): Stop {
  const word = asString(fields.stop_reason)
  const sequence = asString(fields.stop_sequence)
  const details = asObject(fields.stop_details)
  const explanation = asString(details?.explanation)
  const isUnknown = word !== undefined && !reasons.has(word)
  const own = {
    ...(isUnknown ? { stop_reason: word } : {}),
    ...(details === undefined ? {} : { stop_details: details }),
  }
  return {
    reason: reasonOf(word, hasCalls),
    ...(sequence === undefined ? {} : { sequence }),
    ...(isUnknown ? { vendorReason: word } : {}),
    ...(explanation === undefined ? {} : { explanation }),
    ...keepFields('messages', own),
  }
}

function reasonOf(word: string | undefined, hasCalls: boolean): StopReason {
  const reason =
    word === undefined || word === 'compaction'
      ? 'end'
      : (reasons.get(word) ?? stopOfWord(word) ?? 'other')
  if (reason === 'tool-calls' && !hasCalls) return 'end'
  return hasCalls && (reason === 'end' || reason === 'other') ? 'tool-calls' : reason
}

/**
 * `stop_reason`, `stop_sequence` and `stop_details`; all three are always there. Words of refusal
 * (`hasRefusal`) are a refusal where the vendor says no more than that the answer has ended.
 */
export function encodeStop(
  decoded: Stop,
  hasCalls: boolean,
  hasRefusal: boolean,
): Record<string, unknown> {
  const stop: Stop =
    hasRefusal && decoded.reason === 'end' ? { ...decoded, reason: 'refusal' } : decoded
  const own = keptFields(stop.native)
  const reason = asString(own.stop_reason) ?? wordOf(stop, hasCalls)
  const refusal = {
    type: 'refusal',
    category: null,
    explanation: stop.explanation ?? stop.vendorReason ?? null,
  }
  return {
    stop_reason: reason,
    stop_sequence: reason === 'stop_sequence' ? (stop.sequence ?? null) : null,
    stop_details: own.stop_details ?? (reason === 'refusal' ? refusal : null),
  }
}

function wordOf({ reason, sequence }: Stop, hasCalls: boolean): string {
  switch (reason) {
    case 'length':
      return 'max_tokens'
    case 'context-window':
      return 'model_context_window_exceeded'
    case 'refusal':
    case 'content-filter':
      return 'refusal'
    default:
  }
  if (hasCalls) return 'tool_use'
  if (reason === 'pause') return 'pause_turn'
  // Other vendors do not tell which sequence it was, and the word without it is of no use.
  return reason === 'stop-sequence' && sequence !== undefined ? 'stop_sequence' : 'end_turn'
}

/**
 * Text of the answer when the vendor could not read its own model's output:
 * there is no stop reason for it, and a clean end would hide it.
 */
export function unreadableNote({ reason, vendorReason, explanation, native }: Stop): string | null {
  if (native?.origin === 'messages') return null
  if (reason !== 'malformed' && (reason !== 'other' || vendorReason === undefined)) return null
  return `[The upstream ended this answer: ${explanation ?? vendorReason ?? 'it could not be read'}]`
}
