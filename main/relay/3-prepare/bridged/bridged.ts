import { Cancellation } from '../../../base/cancellation.ts'
import { GatewayError } from '../../../base/errors.ts'
import { readAll } from '../../../upstream/body.ts'
import type { UpstreamAnswer } from '../../../upstream/request.ts'
import { checkWhole } from '../../answer/check-whole.ts'
import { firstEvent } from '../../answer/first-event.ts'
import {
  ANSWER_LIMIT,
  isEventStream,
  isJson,
  labelAnswer,
  patienceBefore,
} from '../../answer/label-answer.ts'
import { isGood, readFailure } from '../../answer/read-failure.ts'
import type { Call } from '../../call/call.ts'
import type { AttemptRecord } from '../../call/call-record.ts'
import type { ConnectionServices } from '../../channel/channel-connection.ts'
import type { Failure } from '../../failure/failure.ts'
import type { BridgeCall } from '../../translate/bridge-call.ts'
import { noteRequestId, type Place, type PreparedCall, type Received } from '../prepared-call.ts'
import { type OutgoingRequest, send } from '../send.ts'
import { BridgedStream } from './bridged-stream.ts'
import { BridgedWhole } from './bridged-whole.ts'

/** Bodies of one call that are under way at once. */
const AT_ONCE = 4

/** Ends the other bodies of a call one of which was refused. */
const notNeeded = () =>
  new GatewayError('client_gone', { message: 'Another part of the call has failed.' })

/** A call that is no conversation, for which a call of another kind stands in at its upstream. */
export class Bridged implements PreparedCall {
  readonly place: Place
  readonly cache = null
  readonly #call: Call
  /** Its body is one of the bridge's. */
  readonly #request: OutgoingRequest
  readonly #bridge: BridgeCall
  readonly #services: ConnectionServices

  constructor(
    call: Call,
    place: Place,
    request: OutgoingRequest,
    bridge: BridgeCall,
    services: ConnectionServices,
  ) {
    this.place = place
    this.#call = call
    this.#request = request
    this.#bridge = bridge
    this.#services = services
  }

  get url(): string {
    return this.#request.url
  }

  get conversion(): AttemptRecord['conversion'] {
    const { format, loss } = this.#bridge
    return { format, losses: loss.entries }
  }

  async ask(attempt: AttemptRecord): Promise<Received | Failure> {
    const { bodies } = this.#bridge
    if (bodies.length > 1) return this.#askInParts(attempt)
    const answer = await this.#send(bodies[0] ?? [], this.#call.cancellation)
    noteRequestId(answer, attempt)
    return isGood(answer) ? this.#receive(answer, attempt) : readFailure(answer, this.url)
  }

  #send(body: Buffer | readonly Buffer[], cancellation: Cancellation): Promise<UpstreamAnswer> {
    const request = this.#request
    // Headers are filled in as they are sent, and each body has a length of its own.
    const one = { ...request, headers: { ...request.headers }, body }
    return send(this.#call, this.place, one, cancellation, this.#services)
  }

  async #receive(received: UpstreamAnswer, attempt: AttemptRecord): Promise<Received> {
    const call = this.#call
    const bridge = this.#bridge
    const { channel } = this.place
    const patience = patienceBefore(attempt, this.#services)
    const mayMislead = bridge.streams && isJson(received.headers)
    const answer = mayMislead
      ? await labelAnswer(received, { stream: false, asArray: false }, patience)
      : received
    const { status, headers, body } = answer
    const type = String(headers['content-type'] ?? '')
    if (bridge.streams && !/json|html/.test(type)) {
      const stream = bridge.createStream(isEventStream(headers))
      const start = await firstEvent(body, stream.scanner, channel, patience)
      return new BridgedStream(call, bridge, this.#services, status, start, stream)
    }
    const whole = await readAll(body, ANSWER_LIMIT)
    // A bridge may read bytes, which look like nothing.
    if (/json|text/.test(type)) checkWhole(whole, [], channel)
    return new BridgedWhole(call, bridge, status, bridge.decode([whole]))
  }

  /** A call that its vendor takes in several bodies only: a few at a time, and all or nothing. */
  async #askInParts(attempt: AttemptRecord): Promise<Received | Failure> {
    const call = this.#call
    const bridge = this.#bridge
    const { bodies } = bridge
    const answers: Buffer[] = []
    const open = new Set<Cancellation>()
    let next = 0
    let refused: Failure | null = null
    /** The first is why; the others followed from it. */
    const failures: unknown[] = []
    const cancelAll = (reason: GatewayError) => {
      next = bodies.length
      for (const one of open) one.cancel(reason)
    }
    call.cancellation.listen(cancelAll)

    const askNext = async (): Promise<void> => {
      while (next < bodies.length) {
        const index = next++
        const own = new Cancellation()
        open.add(own)
        const answer = await this.#send(bodies[index] ?? [], own)
        noteRequestId(answer, attempt)
        if (!isGood(answer)) {
          const failure = await readFailure(answer, this.url)
          refused ??= failure
          open.delete(own)
          cancelAll(notNeeded())
          return
        }
        const whole = await readAll(answer.body, ANSWER_LIMIT)
        checkWhole(whole, [], this.place.channel)
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
    if (refused) return refused
    if (failures.length > 0) throw failures[0]
    return new BridgedWhole(call, bridge, 200, bridge.decode(answers))
  }
}
