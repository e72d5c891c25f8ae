import type { Settings } from '../../store/state/settings.ts'
import { readStart } from '../../upstream/body-start.ts'
import type { UpstreamAnswer, UpstreamHeaders } from '../../upstream/request.ts'
import type { AttemptRecord } from '../call/call-record.ts'
import { limitsOf } from '../channel/channel-connection.ts'
import { EVENTS, JSON_TYPE } from '../channel/outgoing-headers.ts'

/** Bytes of a whole answer. */
export const ANSWER_LIMIT = 128 * 1024 * 1024

/** Does the upstream say that a stream of events follows? */
export const isEventStream = (headers: UpstreamHeaders): boolean =>
  String(headers['content-type'] ?? '').includes('text/event-stream')

export const isJson = (headers: UpstreamHeaders): boolean =>
  String(headers['content-type'] ?? '').includes('json')

/** The options that say how long a client waits in silence. */
export interface StreamServices {
  settings: { readonly current: { readonly StreamKeepAliveSeconds: number } }
}

/** Milliseconds of silence after which a client is sent a keep-alive; 0 switches that off. */
export const patienceOf = ({ settings }: StreamServices): number =>
  (settings.current.StreamKeepAliveSeconds || Infinity) * 1000

/**
 * Milliseconds of silence before the client's answer is begun all the same. Once it's begun, no other channel can
 * answer: where one is left, a limit for the first byte ends the wait instead.
 */
export function patienceBefore(
  { hasOther, channel }: Pick<AttemptRecord, 'hasOther' | 'channel'>,
  services: { settings: { readonly current: Readonly<Settings> } },
): number {
  const isLimited = limitsOf(channel, services.settings.current).firstByte < Infinity
  return hasOther && isLimited ? Infinity : patienceOf(services)
}

/**
 * The answer under the content type of what it begins like: not every vendor labels its streams, and some call them
 * JSON. `patience` as of `patienceBefore`.
 */
export async function labelAnswer(
  answer: UpstreamAnswer,
  { stream, asArray }: { stream: boolean; asArray: boolean },
  patience: number,
): Promise<UpstreamAnswer> {
  const { headers } = answer
  const type = String(headers['content-type'] ?? '')
  if (asArray ? isJson(headers) : isEventStream(headers)) return answer
  const isCalledWhole = !stream || /json|html/.test(type)
  answer.body.isAwaited = !isCalledWhole
  const { start, body } = await readStart(answer.body, isCalledWhole ? Infinity : patience)
  answer.body.isAwaited = false
  const known = start ?? (asArray ? 'array' : 'events')
  if (known === 'other' || (known === 'array' && !asArray)) return { ...answer, body }
  const label = known === 'events' ? EVENTS : JSON_TYPE
  return { ...answer, body, headers: { ...headers, 'content-type': label } }
}
