import type { Usage } from '../../exchange.ts'
import { JsonFields } from '../../json/json-fields.ts'
import { asCount, asObject, asString } from '../../json/json-value.ts'
import { readResponsesUsage } from '../../responses/answer/usage.ts'

/** Facts of a response in an upstream's message. */
export interface ResponseEvent {
  /** It names the model, is the last one, or is an error in the last one's place. */
  type: 'frame' | 'end' | 'error'
  /** `stream_id`, where the connection has several lanes. */
  lane: string | null
  id: string | null
  /** The response that this one goes on from. */
  previous: string | null
  usage: Usage | null
  /** Why it failed. */
  failure: { message: string; code: string } | null
  /** For an error: the status that HTTP would have had. */
  status: number | null
}

const ENDS = ['response.completed', 'response.incomplete', 'response.failed']
const FRAMES = ['response.created', 'response.queued', 'response.in_progress']
/** One of these stands in every message that tells something. */
const NEEDLES = [...ENDS, ...FRAMES, 'error'].map((type) => Buffer.from(`"${type}"`))

const failureOf = (error: unknown) => {
  const details = asObject(error)
  return details
    ? {
        message: asString(details.message) ?? 'The vendor gave no reason.',
        code: asString(details.code) ?? asString(details.type) ?? 'upstream_error',
      }
    : null
}

/** The event in a message; null for messages that only pass, which are not parsed. */
export function readResponseEvent(message: Buffer): ResponseEvent | null {
  if (!NEEDLES.some((needle) => message.includes(needle))) return null
  let event: Record<string, unknown>
  try {
    event = asObject(JSON.parse(message.toString('utf8'))) ?? {}
  } catch {
    return null
  }
  const type = asString(event.type) ?? ''
  const response = asObject(event.response)
  const place = {
    lane: asString(event.stream_id) ?? null,
    id: asString(response?.id) ?? null,
    previous: asString(response?.previous_response_id) ?? null,
  }
  if (type === 'error') {
    const failure = failureOf(event.error ?? event)
    const status = asCount(event.status) ?? asCount(event.status_code) ?? null
    return { type: 'error', ...place, usage: null, failure, status }
  }
  const nothing = { usage: null, failure: null, status: null }
  if (FRAMES.includes(type)) return { type: 'frame', ...place, ...nothing }
  if (!ENDS.includes(type)) return null
  const usage = readResponsesUsage(response)
  const failure = type === 'response.failed' ? failureOf(response?.error) : null
  return { type: 'end', ...place, usage, failure, status: null }
}

/** A message with the model's name as its client asked for it, every other byte as it was. */
export function showModel(message: Buffer, model: string): Buffer {
  try {
    const fields = new JsonFields(message)
    const response = asObject(fields.get('response'))
    return response && 'model' in response ? fields.setWithin(['response'], { model }) : message
  } catch {
    return message
  }
}
