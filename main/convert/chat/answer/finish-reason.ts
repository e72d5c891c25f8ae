import { ownValue } from '../../../base/own-value.ts'
import type { Stop, StopReason } from '../../exchange-response.ts'
import { stopOfWord } from '../../foreign/stop-words.ts'

/** `finish_reason` as OpenAI spells it, and as compatible vendors do. */
const reasons: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
  // GLM.
  sensitive: 'content-filter',
}

const spoken = new Set(['stop', 'length', 'tool_calls', 'content_filter'])

/** Why a choice ended. The note is what `finishNote` made of a stop that OpenAI has no word for. */
export function decodeFinishReason(finish: string, note?: Record<string, unknown>): Stop {
  const code = note?.code
  const message = note?.message
  const known = ownValue(reasons, finish) ?? stopOfWord(finish)
  return {
    reason: note ? 'other' : (known ?? 'other'),
    ...(typeof code === 'string' ? { vendorReason: code } : {}),
    ...(!note && !spoken.has(finish) && known !== 'end' && known !== 'tool-calls'
      ? { vendorReason: finish }
      : {}),
    ...(typeof message === 'string' ? { explanation: message } : {}),
  }
}

/**
 * `finish_reason` for a client. A call in the answer decides, whatever the vendor said, unless the answer
 * was cut or withheld: agents go on by this word (wire-formats 8.6).
 */
export function encodeFinishReason(
  { reason }: Stop,
  seen: { calls: number; hasRefusal: boolean },
): string {
  if (reason === 'length' || reason === 'context-window') return 'length'
  if (reason === 'content-filter') return 'content_filter'
  // OpenAI's own refusals end with `stop`: the text in `refusal` tells.
  if (reason === 'refusal') return seen.hasRefusal ? 'stop' : 'content_filter'
  return seen.calls > 0 ? 'tool_calls' : 'stop'
}

/**
 * Beside `stop`, what went wrong: OpenAI has no word for an answer that its vendor could not read or gave
 * up, and it must not look like a clean end. In the place and shape of OpenRouter's choices.
 */
export function finishNote(stop: Stop): { error?: Record<string, unknown> } {
  if (stop.reason !== 'malformed' && stop.reason !== 'other') return {}
  const code = stop.vendorReason ?? stop.reason
  return { error: { code, message: stop.explanation ?? `The model stopped: ${code}.` } }
}
