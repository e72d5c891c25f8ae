import type { Cancellation } from '../../base/cancellation.ts'
import { GatewayError } from '../../base/errors.ts'
import { requestId } from '../../base/ids.ts'
import type { FrameListener, FrameSocket, SocketEnd } from '../../base/net/frame-socket.ts'
import { type Ticking, ticker } from '../../base/ticker.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import { encodeResponsesSocketError } from '../../convert/other/realtime/error.ts'
import {
  type ResponseEvent,
  readResponseEvent,
} from '../../convert/other/realtime/response-event.ts'
import { latestCaller } from '../1-admit/current-caller.ts'
import { openRecord, settleFailure } from '../6-settle/settle.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { clientLeft } from '../call/client-left.ts'
import { nameChannel } from '../failure/name-channel.ts'
import type { RelayServices } from '../relay-services.ts'
import { notePartialUsage } from '../usage/partial-usage.ts'
import { type ConnectionFacts, callOf, fieldsOf, laneOf } from './client-message.ts'
import { ClientQueue } from './client-queue.ts'
import { maySendAgain } from './kept-connection.ts'
import { type OpenResponse, SessionLanes } from './lanes.ts'
import { cutBy, noteEnd, notePassing, recordOutcome, shownEvent } from './record-outcome.ts'
import { connectionAtLimit, httpOnlyReason, socketNotServed } from './session-channels.ts'
import { type PreparedResponse, ResponsesUpstream } from './session-upstream.ts'
import { successorOf } from './successor.ts'

/** OpenAI's own limit: https://platform.openai.com/docs/guides/websocket-mode */
const CONNECTION_LIMIT = 60 * 60_000

/**
 * One connection of Responses over a WebSocket, where each `response.create` is a call of its own: admitted,
 * routed and booked like one over HTTP. The first decides which upstream is opened.
 */
export class ResponsesSession implements Ticking {
  readonly #facts: ConnectionFacts
  readonly #client: FrameSocket
  readonly #services: RelayServices
  readonly #onHttpOnly: () => void
  readonly #upstream: ResponsesUpstream
  readonly #lanes = new SessionLanes()
  readonly #until = performance.now() + CONNECTION_LIMIT
  readonly #forgetStop: () => void
  /** Messages that came while an upstream was being opened. */
  #waiting: { data: Buffer; isBinary: boolean }[] = []
  #opening: Cancellation | null = null
  #isStopping = false
  /** The upstream takes no more at the moment, so that the client is not read. */
  #isFull = false
  /** The client takes no more at the moment, so that the upstream is not read. */
  #isHeldBack = false
  #isOver = false
  readonly #queue = new ClientQueue((data, isBinary) => this.#send(data, isBinary))
  slot = -1

  /** `onHttpOnly` hears when this client had better use HTTP. */
  constructor(
    facts: ConnectionFacts,
    client: FrameSocket,
    services: RelayServices,
    onHttpOnly: () => void,
  ) {
    this.#facts = facts
    this.#client = client
    this.#services = services
    this.#onHttpOnly = onHttpOnly
    this.#upstream = new ResponsesUpstream(this.#fromUpstream, services)
    this.#forgetStop = services.openCalls.onRefusal((error) => {
      this.#isStopping = true
      if (this.#isIdle) this.#end(1001, error.message)
    })
    ticker.add(this)
    client.listen(this.#fromClient)
  }

  get #isIdle(): boolean {
    return this.#lanes.size === 0 && this.#opening === null && this.#queue.isEmpty
  }

  tick(now: number): void {
    if (this.#isOver) return
    // While its last event is being booked, the upstream is not read.
    const isClientsTurn = this.#isHeldBack || !this.#queue.isEmpty
    const state = { isClientsTurn, isTaking: this.#isFull }
    for (const { response, error } of this.#lanes.overdue(now, state))
      this.#giveUp(response, nameChannel(error, response.record.channel))
    if (now < this.#until || !this.#isIdle) return
    const error = connectionAtLimit()
    this.#client.send(encodeResponsesSocketError(error, requestId(), null), false)
    this.#end(1001, error.message)
  }

  readonly #fromClient: FrameListener = {
    onFrame: (data, isBinary) => {
      if (this.#opening) {
        this.#waiting.push({ data, isBinary })
        this.#client.pause()
      } else this.#take(data, isBinary)
    },
    onDrain: () => {
      this.#isHeldBack = false
      this.#upstream.socket?.resume()
    },
    onEnd: ({ code, reason }) => {
      for (const { call, record, scanner } of this.#lanes.takeAll()) {
        notePartialUsage(scanner, call, record)
        record.failAsLeft()
        void record.settle()
      }
      this.#end(code, reason)
    },
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return
    let fields: JsonFields
    try {
      fields = fieldsOf(data, isBinary)
      if (fields.get('type') !== 'response.create') {
        this.#passToUpstream(data, fields)
        return
      }
    } catch (error) {
      this.#refuse(error as GatewayError, null)
      return
    }
    void this.#create(fields)
  }

  /** Steering, and what else belongs to responses that are there. */
  #passToUpstream(data: Buffer, fields: JsonFields): void {
    if (this.#upstream.socket) {
      if (fields.get('type') !== 'response.processed') this.#lanes.noteSteering()
      this.#sendOn(data)
      return
    }
    // Codex tells of each answer that it is done with it, whatever has become of the connection.
    if (fields.get('type') === 'response.processed') return
    throw new GatewayError('invalid_request', {
      message: 'type: the first message must be a response.create, which names the model.',
      reason: { code: 'message_first_wrong' },
      field: 'type',
    })
  }

  /** Says it to the upstream; while that takes no more, the client is read no further. */
  #sendOn(data: Buffer): void {
    this.#isFull = this.#upstream.socket?.send(data, false) === false
    if (this.#isFull) this.#client.pause()
  }

  async #create(fields: JsonFields): Promise<void> {
    const lane = laneOf(fields)
    let call: Call
    try {
      const caller = latestCaller(this.#facts.caller, this.#services)
      call = callOf(fields, { ...this.#facts, caller }, this.#services.captures)
      const reason = httpOnlyReason(call, this.#services)
      if (reason) throw socketNotServed(reason)
    } catch (error) {
      this.#refuse(error as GatewayError, lane)
      return
    }
    const record = openRecord(call, this.#services)
    await this.#ask(call, record, lane, () => {
      if (this.#services.openCalls.refusal) throw this.#services.openCalls.refusal
      return this.#upstream.prepare(call, record, this.#lanes.size)
    })
  }

  /** Sends it where `prepare` has seen to an upstream for it. */
  async #ask(
    call: Call,
    record: CallRecord,
    lane: string | null,
    prepare: () => Promise<PreparedResponse>,
  ): Promise<void> {
    this.#opening = call.cancellation
    try {
      const { body, clock, watched } = await prepare()
      const response = this.#lanes.add({ call, record, lane, clock, watched })
      this.#letInterrupt(response)
      call.capture?.frame('upstream-out', body)
      this.#sendOn(body)
    } catch (error) {
      this.#refuse(await settleFailure(error, call, record, this.#services), lane, call.id)
    } finally {
      this.#opening = null
      this.#takeWaiting()
    }
  }

  readonly #letInterrupt = (response: OpenResponse): void => {
    response.record.interruptStream = (error) => {
      // The connection stays good for the client's next call.
      if (error.code === 'call_stopped') this.#giveUp(response, error)
      else this.#fail(response, error, 1001)
    }
  }

  #takeWaiting(): void {
    if (!this.#isFull || !this.#upstream.socket) this.#client.resume()
    while (!this.#opening) {
      const next = this.#waiting.shift()
      if (!next) break
      this.#take(next.data, next.isBinary)
    }
    this.#stopWhenIdle()
  }

  /** Tells the client of a call that is none; the connection stays good for another. */
  #refuse(error: GatewayError, lane: string | null, id = requestId()): void {
    if (this.#isOver) return
    this.#client.send(encodeResponsesSocketError(error, id, lane), false)
    if (error.code !== 'websocket_not_served') return
    this.#onHttpOnly()
    if (this.#lanes.size === 0) this.#end(1008, error.message)
  }

  readonly #fromUpstream: FrameListener = {
    onFrame: (data, isBinary) => {
      const event = isBinary ? null : readResponseEvent(data)
      const mark = event ?? this.#lanes.markOf(data, isBinary)
      if (mark && this.#lanes.isLeft(mark)) return
      const found = mark ? this.#lanes.find(mark) : this.#lanes.only
      const response = found ?? successorOf(event, this.#lanes, this.#services, this.#letInterrupt)
      this.#lanes.noteSign(response, mark?.lane ?? null)
      if (event && response) this.#note(event, response, data)
      else {
        if (response && !event && !isBinary) notePassing(data, response)
        this.#queue.give(data, isBinary)
      }
    },
    onDrain: () => {
      this.#isFull = false
      if (!this.#opening) this.#client.resume()
    },
    onEnd: (end) => this.#upstreamEnded(end),
  }

  #send(data: Buffer, isBinary: boolean): void {
    if (this.#isOver || this.#client.send(data, isBinary)) return
    this.#isHeldBack = true
    this.#upstream.socket?.pause()
  }

  #note(event: ResponseEvent, response: OpenResponse, data: Buffer): void {
    response.id ??= event.id
    recordOutcome(event, response)
    const shown = shownEvent(data, response)
    if (event.type === 'frame') {
      this.#queue.give(shown)
      return
    }
    this.#lanes.remove(response, event.type === 'error')
    this.#leaveSpent()
    noteEnd(event, response)
    this.#giveBooked(shown, response)
  }

  /** Books a response, then gives its last event away, and after it what has come meanwhile. */
  #giveBooked(data: Buffer, { record }: OpenResponse): void {
    record.interruptStream = null
    this.#upstream.socket?.pause()
    this.#queue.giveBooked(data, record.settle(), () => {
      if (!this.#isHeldBack) this.#upstream.socket?.resume()
      this.#stopWhenIdle()
    })
  }

  #stopWhenIdle(): void {
    if (this.#isStopping && this.#isIdle) this.#end(1001, 'The gateway is stopping.')
  }

  /** Ends a response in the middle; with a code, the connection too where it was the last one. */
  #fail(response: OpenResponse, error: GatewayError, code: number | null): void {
    this.#lanes.remove(response)
    this.#leaveSpent()
    notePartialUsage(response.scanner, response.call, response.record)
    response.record.fail(error)
    response.record.interruptStream = null
    void Promise.all([response.record.settle(), this.#queue.given]).then(() => {
      this.#refuse(error, response.lane, response.call.id)
      if (code !== null && this.#lanes.size === 0) this.#end(code, error.message)
      else this.#stopWhenIdle()
    })
  }

  /** Stopped, or its vendor took too long: all it still says there is too late, also for who waits behind it. */
  #giveUp(response: OpenResponse, error: GatewayError): void {
    const { record, clock, lane } = response
    if (error.code !== 'call_stopped') record.onCut?.(error, clock.hasBegun)
    this.#upstream.spend()
    for (const one of this.#lanes.leave(lane)) {
      if (!one.clock.hasBegun) one.record.status = error.status
      this.#fail(one, error, null)
    }
  }

  /** Later messages go over a new connection. */
  #leaveSpent(): void {
    if (this.#lanes.size > 0) return
    this.#upstream.closeIfSpent()
    if (!this.#isFull || this.#upstream.socket) return
    this.#isFull = false
    if (!this.#opening) this.#client.resume()
  }

  #upstreamEnded(end: SocketEnd): void {
    const open = this.#lanes.takeAll()
    const error = cutBy(end)
    const [first, second] = open
    const isOnly = first && !second && !this.#opening && !end.isRefused
    if (isOnly && maySendAgain(first, error, this.#services.settings.current)) {
      this.#sendAgain(first, error)
      return
    }
    this.#opening?.cancel(error)
    const booked = open.map(async ({ call, record, lane, scanner }) => {
      record.interruptStream = null
      notePartialUsage(scanner, call, record)
      record.onCut?.(error)
      record.fail(error)
      await record.settle()
      this.#refuse(error, lane, call.id)
    })
    void Promise.all([this.#queue.given, ...booked]).then(() =>
      end.isRefused ? this.#end(1011, error.message) : this.#end(end.code, end.reason),
    )
  }

  #sendAgain({ call, record, lane, watched }: OpenResponse, error: GatewayError): void {
    record.interruptStream = null
    this.#isFull = false
    void this.#ask(call, record, lane, () =>
      this.#upstream.prepareAgain(call, record, watched, error),
    )
  }

  #end(code: number, reason: string): void {
    this.#isOver = true
    this.#opening?.cancel(clientLeft())
    ticker.remove(this)
    this.#forgetStop()
    this.#client.close(code, reason)
    this.#upstream.close(code)
  }
}
