import { admit, admitWaited } from './1-admit/admit.ts'
import { planRoute } from './2-route/plan-route.ts'
import { prepare } from './3-prepare/prepare.ts'
import { attempt } from './4-attempt/attempt.ts'
import { restore } from './5-restore/restore.ts'
import { settle } from './6-settle/settle.ts'
import type { Answer } from './call/answer.ts'
import type { Call } from './call/call.ts'
import type { CallRecord } from './call/call-record.ts'
import { captured } from './call/captured-answer.ts'
import { reserve } from './limits/reserve.ts'
import type { RelayServices } from './relay-services.ts'

/**
 * One model call, from the client's words to the client's answer: the only place that knows the order of the steps.
 * Throws a GatewayError where the gateway itself refuses; an upstream's own refusal is an Answer. In any case `settle`
 * writes exactly one ledger row.
 */
export function relay(call: Call, services: RelayServices): Promise<Answer> {
  return settle(call, services, async (record) => {
    const entered = enterCall(
      call,
      record,
      services,
      () => planRoute(call, record.route, services),
      ({ calls }) => calls,
    )
    const channels = entered instanceof Promise ? await entered : entered
    const received = await attempt(
      call,
      channels,
      (asked, channel, key) => prepare(asked, channel, key, services),
      record,
      services,
    )
    const answer = restore(received, call, record)
    // A whole answer is booked before it is given away, a stream before its last event.
    if (Buffer.isBuffer(answer.body)) await record.settle()
    return captured(answer, call)
  })
}

/**
 * The steps of every call before its first attempt, over HTTP or a WebSocket: it is let in, waits for a slot, finds
 * its channels, and its cost is held back. `pricedAs`: the call by each of the models that may come to answer it, of
 * which the dearest counts.
 */
export function enterCall<Found>(
  call: Call,
  record: CallRecord,
  services: RelayServices,
  findChannels: () => Found,
  pricedAs: (found: Found) => readonly Call[] = () => [call],
): Found | Promise<Found> {
  record.rate = admit(call, services)
  const findAndReserve = (): Found => {
    const found = findChannels()
    const reservation = reserve(call, services, pricedAs(found))
    if (reservation) {
      record.hold = reservation.hold
      record.budgetNote = reservation.note
    }
    return found
  }
  const turn = services.slots.enter(call, record)
  if (!turn) return findAndReserve()
  return turn.then(() => {
    admitWaited(call, services)
    return findAndReserve()
  })
}
