import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Call } from '../call/call.ts'

const HEADER = 'x-switchyard-hop'
/** Names this gateway to the gateways that a call passes. */
export interface HopServices {
  hopMark: string
}

/** Gateways that a call may pass, one behind the other. */
const MOST_HOPS = 8

const hopsOf = ({ headers }: Call): string[] => {
  const sent = headers[HEADER]
  return typeof sent === 'string' ? sent.split(',').map((one) => one.trim()) : []
}

/**
 * Names this gateway in a call's headers, behind the gateways that the call has passed: as RFC 8586 does for
 * relays of pages. A vendor at its own address cannot be a gateway, and is not told.
 */
export function markHop(
  headers: Record<string, string>,
  call: Call,
  { baseUrl }: Channel,
  { hopMark }: HopServices,
): void {
  if (baseUrl === '') return
  headers[HEADER] =
    call.headers[HEADER] === undefined ? hopMark : [...hopsOf(call), hopMark].join(', ')
}

/** Throws `loop_detected` for a call that this gateway has sent itself, or that has passed too many. */
export function refuseLoop(call: Call, { hopMark }: HopServices): void {
  if (call.headers[HEADER] === undefined) return
  const hops = hopsOf(call)
  if (hops.includes(hopMark)) {
    throw new GatewayError('loop_detected', {
      message:
        'This call was sent by this very gateway: the base URL of one of its channels leads back to it. Enter the address of the vendor there, on the Channels page of the console.',
      reason: { code: 'hop_own' },
    })
  }
  if (hops.length < MOST_HOPS) return
  throw new GatewayError('loop_detected', {
    message: `This call has passed ${hops.length} gateways already. The base URLs of their channels must not lead to one another.`,
    reason: { code: 'hops_many', count: hops.length },
  })
}
