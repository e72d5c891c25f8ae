import { admit } from './1-admit/admit.ts'
import { route } from './2-route/route.ts'
import { prepare } from './3-prepare/prepare.ts'
import { attempt } from './4-attempt/attempt.ts'
import { restore } from './5-restore/restore.ts'
import { settle } from './6-settle/settle.ts'
import type { Answer } from './call/answer.ts'
import type { Call, RelayParts } from './call/call.ts'
import { reserve } from './limits/reserve.ts'

/**
 * One model call, from the client's words to the client's answer. The only place that knows the order
 * of the steps; each takes what the ones before it found out. Throws a GatewayError when the gateway
 * itself has to refuse; an upstream's own refusal is an Answer. Whatever happens, `settle` writes
 * exactly one ledger row.
 */
export function relay(call: Call, parts: RelayParts): Promise<Answer> {
  return settle(call, parts, async (meter) => {
    admit(call, meter, parts)
    const turn = parts.slots.enter(call, meter)
    if (turn) await turn
    const channels = route(call, meter, parts)
    reserve(call, meter, parts)
    const exchange = await attempt(
      call,
      channels,
      (channel, key) => prepare(call, channel, key, parts),
      meter,
      parts,
    )
    const answer = restore(exchange, call, meter, parts)
    if (meter.budgetNote) answer.headers['x-switchyard-budget'] = meter.budgetNote
    meter.rate?.addHeaders(answer.headers, call.format, meter.usage)
    return answer
  })
}
