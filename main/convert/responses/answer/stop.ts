import type { Part } from '../../exchange.ts'
import type { Stop, StopReason } from '../../exchange-response.ts'
import { stopOfWord } from '../../foreign/stop-words.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'

const incomplete: Readonly<Record<string, StopReason>> = {
  max_output_tokens: 'length',
  content_filter: 'content-filter',
  // The client stepped in, or the vendor's own limit of turns was met: what is there is whole.
  max_messages: 'pause',
  steered: 'pause',
}

/** Is the response still being made, by its own word? */
export const isOpen = ({ status }: JsonObject): boolean =>
  status === 'in_progress' || status === 'queued'

/** Why an answer ended. Its calls and refusals tell more than its status, which is `completed` for both. */
export function decodeStop(response: JsonObject, parts: readonly Pick<Part, 'type'>[]): Stop {
  const has = (type: Part['type']) => parts.some((part) => part.type === type)
  const detail = asString(asObject(response.incomplete_details)?.reason)
  if (response.status === 'incomplete') {
    return {
      reason: incomplete[detail ?? ''] ?? stopOfWord(detail ?? '') ?? 'other',
      ...(detail === undefined ? {} : { vendorReason: detail }),
    }
  }
  if (has('call')) return { reason: 'tool-calls' }
  if (has('refusal') && !has('text')) return { reason: 'refusal' }
  const status = asString(response.status) ?? 'completed'
  const reason = stopOfWord(status)
  return reason === undefined ? { reason: 'other', vendorReason: status } : { reason }
}

/** How an answer ended, in this format's words. */
export interface Ending {
  status: 'completed' | 'incomplete' | 'failed'
  incomplete_details: JsonObject | null
  error: JsonObject | null
}

const COMPLETED: Ending = { status: 'completed', incomplete_details: null, error: null }

const cut = (reason: string): Ending => ({
  status: 'incomplete',
  incomplete_details: { reason },
  error: null,
})

const isOwnReason = (reason: string | undefined): reason is string =>
  reason !== undefined && Object.hasOwn(incomplete, reason)

/** A call decides, whatever the vendor said, unless the answer was cut or withheld (wire-formats 8.6). */
export function encodeStop(stop: Stop, seen: { calls: number; hasRefusal: boolean }): Ending {
  const { reason, vendorReason, explanation } = stop
  if (reason === 'length' || reason === 'context-window') return cut('max_output_tokens')
  if (reason === 'content-filter') return cut('content_filter')
  if (reason === 'refusal') return seen.hasRefusal ? COMPLETED : cut('content_filter')
  if (isOwnReason(vendorReason)) return cut(vendorReason)
  if (seen.calls > 0 || (reason !== 'malformed' && reason !== 'other')) return COMPLETED
  const message = explanation ?? `The model stopped: ${vendorReason ?? reason}.`
  return { status: 'failed', incomplete_details: null, error: { code: 'server_error', message } }
}
