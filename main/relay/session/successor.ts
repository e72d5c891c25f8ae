import type { ResponseEvent } from '../../convert/other/realtime/response-event.ts'
import { openRecord } from '../6-settle/settle.ts'
import type { RelayServices } from '../relay-services.ts'
import { nextCall } from './client-message.ts'
import type { OpenResponse, SessionLanes } from './lanes.ts'

/**
 * The response that an event begins where the client has asked for none: its vendor goes on by itself from one to which
 * the client has said more (https://developers.openai.com/api/docs/guides/steering). It is a call like any other, which
 * nobody could refuse any more. Undefined for any other event.
 */
export function successorOf(
  event: ResponseEvent | null,
  lanes: SessionLanes,
  services: RelayServices,
  onOpen: (response: OpenResponse) => void,
): OpenResponse | undefined {
  const before = event?.type === 'frame' ? lanes.steeredBefore(event) : undefined
  const attempt = before?.record.attempt
  if (!before || !attempt) return undefined
  const call = nextCall(before.call, services.captures)
  const record = openRecord(call, services)
  const { keyIndex, upstreamModel } = attempt
  Object.assign(record.beginAttempt(attempt.channel, call), { keyIndex, upstreamModel })
  const clock = before.clock.anew()
  const response = lanes.add({ call, record, lane: before.lane, clock, watched: null })
  onOpen(response)
  return response
}
