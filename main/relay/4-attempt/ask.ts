import { Cancellation } from '../../base/cancellation.ts'
import { GatewayError } from '../../base/errors.ts'
import { redact } from '../../base/log/redact.ts'
import { readAll, readBeginning } from '../../upstream/body.ts'
import type { UpstreamAnswer } from '../../upstream/request.ts'
import type { Prepared } from '../3-prepare/prepare.ts'
import type { Call, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import { CachePurchases } from '../explicit-cache/cache-booking.ts'
import { CacheUse } from '../explicit-cache/cache-use.ts'
import type { Failure, Refusal } from '../failure/failure.ts'
import { failureOfRefusal } from '../failure/failure-of-refusal.ts'
import type { WayCall } from '../translate/bridge-call.ts'
import { checkWhole } from './check-whole.ts'
import { ANSWER_LIMIT, type Received, receive, receiveWay } from './receive.ts'
import { send } from './send.ts'

/**
 * A refusal's body is a sentence or two, and some quote all of the request that they find fault with. To look for
 * secrets in so much takes ten milliseconds or so, in which others wait.
 */
const REFUSAL_LIMIT = 256 * 1024
/** Bodies of one call that are under way at once. */
const AT_ONCE = 4

const isGood = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300

/** Some vendors quote the key that they refuse; nothing that is kept or told of a refusal holds one. */
async function refusalOf(
  { status, headers, body }: UpstreamAnswer,
  { url }: Prepared,
): Promise<Refusal> {
  const bytes = await readBeginning(body, REFUSAL_LIMIT)
  const text = bytes.toString('utf8')
  const told = redact(text)
  return { status, headers, body: told === text ? bytes : Buffer.from(told), url }
}

function noteId({ headers }: UpstreamAnswer, meter: Meter): void {
  const id = headers['x-request-id'] ?? headers['request-id']
  meter.upstreamRequestId = typeof id === 'string' ? id : null
}

function purchasesOf(meter: Meter): CachePurchases {
  meter.purchases ??= new CachePurchases()
  return meter.purchases
}

/** Asks one channel; gives its answer, which has begun well, or its refusal. Throws what else went wrong. */
export async function ask(
  call: Call,
  prepared: Prepared,
  meter: Meter,
  parts: RelayParts,
): Promise<Received | Failure> {
  const { way } = prepared
  if (way && way.bodies.length > 1) return askInParts(call, prepared, way, meter, parts)
  const { cache, translation } = prepared
  if (cache instanceof CacheUse) {
    // Headers are filled in as they are sent, and the whole body has a length of its own.
    const beside = { ...prepared, headers: { ...prepared.headers } }
    const purchases = purchasesOf(meter)
    purchases.add(cache.buy())
    let answer: UpstreamAnswer
    try {
      answer = await send(call, beside, cache.body, call.cancellation, parts)
    } finally {
      purchases.add(await cache.buyRest())
    }
    noteId(answer, meter)
    if (isGood(answer)) {
      if (translation) translation.cacheBooking = purchases.current
      return receive(answer, call, prepared, parts)
    }
    const refusal = await refusalOf(answer, prepared)
    if (!cache.isGone(refusal)) return failureOfRefusal(refusal)
    cache.giveUp()
    purchases.leave()
    prepared.body = cache.wholeBody
  }
  const body = way?.bodies[0] ?? prepared.body
  const answer = await send(call, prepared, body, call.cancellation, parts)
  noteId(answer, meter)
  if (!isGood(answer)) return failureOfRefusal(await refusalOf(answer, prepared))
  return way ? receiveWay(answer, way, prepared, parts) : receive(answer, call, prepared, parts)
}

/** What ends the other bodies of a call one of which was refused. */
const notNeeded = () =>
  new GatewayError('client_gone', { message: 'Another part of the call has failed.' })

/** A call that its vendor takes in several bodies only: a few at a time, and all or nothing. */
async function askInParts(
  call: Call,
  prepared: Prepared,
  way: WayCall,
  meter: Meter,
  parts: RelayParts,
): Promise<Received | Failure> {
  const answers: Buffer[] = []
  const open = new Set<Cancellation>()
  let next = 0
  let refusal: Refusal | null = null
  /** The first is why; the others followed from it. */
  const failures: unknown[] = []
  const cancelAll = (reason: GatewayError) => {
    next = way.bodies.length
    for (const one of open) one.cancel(reason)
  }
  call.cancellation.listen(cancelAll)

  async function askNext(): Promise<void> {
    while (next < way.bodies.length) {
      const index = next++
      const own = new Cancellation()
      open.add(own)
      // Headers are filled in as they are sent, and each body has a length of its own.
      const one = { ...prepared, headers: { ...prepared.headers } }
      const answer = await send(call, one, way.bodies[index] ?? [], own, parts)
      noteId(answer, meter)
      if (!isGood(answer)) {
        const refused = await refusalOf(answer, prepared)
        refusal ??= refused
        open.delete(own)
        cancelAll(notNeeded())
        return
      }
      const whole = await readAll(answer.body, ANSWER_LIMIT)
      checkWhole(whole, [], prepared.channel)
      answers[index] = whole
      open.delete(own)
    }
  }

  const asking = Array.from({ length: AT_ONCE }, async () => {
    try {
      await askNext()
    } catch (error) {
      failures.push(error)
      cancelAll(notNeeded())
    }
  })
  await Promise.all(asking)
  call.cancellation.listen(null)
  if (call.cancellation.reason) throw call.cancellation.reason
  if (refusal) return failureOfRefusal(refusal)
  if (failures.length > 0) throw failures[0]
  return { status: 200, headers: {}, content: null, response: null, way: way.decode(answers) }
}
