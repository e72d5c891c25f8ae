import { admit } from './admit.ts'
import type { Answer } from './answer.ts'
import { attempt } from './attempt.ts'
import type { Call, RelayParts } from './call.ts'
import { prepare } from './prepare.ts'
import { reserve } from './reserve.ts'
import { restore } from './restore.ts'
import { route } from './route.ts'
import { settle } from './settle.ts'

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
