import { GatewayError } from '../../base/errors.ts'
import type { FrameListener, FrameSocket, SocketEnd } from '../../base/net/frame-socket.ts'
import type { Sentence } from '../../base/reason.ts'
import { type Ticking, ticker } from '../../base/ticker.ts'
import type { Usage } from '../../convert/exchange.ts'
import { checkRealtimeMessage } from '../../convert/other/realtime/check-message.ts'
import { encodeRealtimeError } from '../../convert/other/realtime/error.ts'
import {
  addTranscription,
  type RealtimeFact,
  readRealtimeFact,
  type TranscriptionUsage,
  transcriptionNote,
  usageOfTranscription,
} from '../../convert/other/realtime/usage.ts'
import { sumUsage } from '../../convert/other/sum-usage.ts'
import { currentCaller } from '../1-admit/current-caller.ts'
import { type Candidates, candidatesOf, suiting } from '../2-route/candidates.ts'
import { Route } from '../2-route/route.ts'
import { settle } from '../6-settle/settle.ts'
import { namedModel, nameOf, shortNameOf } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import type { RouteNote } from '../call/route-note.ts'
import { enterCall } from '../relay.ts'
import type { RelayServices } from '../relay-services.ts'
import { checkAllowance, checkModels } from './allowance.ts'
import { capturedSocket } from './captured-socket.ts'
import { GracefulClose } from './graceful-close.ts'
import { openUpstreamSession, type UpstreamSession } from './open-session.ts'
import { unrelayable } from './record-outcome.ts'
import { refuseRoute, takesSocket } from './session-channels.ts'

/** OpenAI's own limit: https://platform.openai.com/docs/guides/realtime-conversations */
const SESSION_LIMIT = 60 * 60_000
/** Milliseconds between two looks at whether the token is still good. */
const CHECK_INTERVAL = 10_000

/** Close codes: the service goes away, it forbids, it failed. */
const GOING_AWAY = 1001
const POLICY = 1008
const FAILED = 1011

const sessionExpired = (): GatewayError =>
  new GatewayError('invalid_request', {
    message: 'The session has reached the longest duration of 60 minutes. Open another one.',
    reason: { code: 'session_at_limit' },
    vendorCode: 'session_expired',
  })

/**
 * One realtime session: messages pass both ways in order, untouched but for the names of models, each side is read only as fast as
 * the other takes them. It is one row in the ledger, with the usage of all its responses.
 */
export class RealtimeSession implements Ticking {
  readonly #call: Call
  readonly #record: CallRecord
  readonly #services: RelayServices
  readonly #upstream: UpstreamSession
  readonly #closing: GracefulClose
  #client: FrameSocket | null = null
  #responses = 0
  #usage: Usage | null = null
  #transcription: TranscriptionUsage | null = null
  /** Models that this session was told to transcribe with, or says it does. */
  readonly #transcribers = new Set<string>()
  #transcribesOnly: boolean
  #nextCheck: number
  readonly #until: number
  /** The client has said goodbye, or was told it; what the upstream still reports is counted. */
  #isLeaving = false
  #isSettled = false
  slot = -1

  constructor(call: Call, record: CallRecord, upstream: UpstreamSession, services: RelayServices) {
    this.#call = call
    this.#record = record
    this.#upstream = upstream
    this.#closing = new GracefulClose(upstream.socket)
    this.#services = services
    const now = performance.now()
    this.#nextCheck = now + CHECK_INTERVAL
    this.#until = now + SESSION_LIMIT
    this.#transcribesOnly = new URLSearchParams(call.query).get('intent') === 'transcription'
  }

  /** The vendor's headers for the answer to the client's upgrade. */
  get headers(): Readonly<Record<string, string | string[]>> {
    return this.#upstream.headers
  }

  /** Joins the client, whose upgrade has been answered. */
  start(client: FrameSocket): void {
    const { capture } = this.#call
    capture?.beginSession()
    const captured = capturedSocket(client, 'client', capture)
    this.#client = captured
    this.#call.cancellation.listen(null)
    this.#record.status = 101
    this.#record.firstByteAfter = performance.now() - this.#call.receivedAt
    this.#record.interruptStream = (error) => {
      this.#record.fail(error)
      if (this.#isLeaving) this.#closing.finish()
      else this.#end(error, GOING_AWAY)
    }
    this.#record.usageSoFar = () => this.#used()
    ticker.add(this)
    captured.listen(this.#fromClient)
    this.#upstream.socket.listen(this.#fromUpstream)
  }

  /** The client left before its upgrade could be answered. */
  abandon(): void {
    this.#record.status = 499
    this.#record.failure = {
      ...{ message: 'The client left before the session.', code: 'client_gone' },
      reason: { code: 'client_left_before_session' },
    }
    this.#upstream.socket.close(1000, '')
    void this.#settle()
  }

  tick(now: number): void {
    if (this.#isLeaving) this.#closing.tick(now)
    else if (now >= this.#until) {
      this.#end(sessionExpired(), GOING_AWAY)
    } else if (now >= this.#nextCheck) {
      this.#nextCheck = now + CHECK_INTERVAL
      this.#check()
    }
  }

  readonly #fromClient: FrameListener = {
    onFrame: (data, isBinary) => {
      const passed = this.#passed(data)
      if (passed && !this.#upstream.socket.send(passed, isBinary)) this.#client?.pause()
    },
    onDrain: () => this.#upstream.socket.resume(),
    onEnd: ({ code, reason }) => {
      this.#isLeaving = true
      this.#closing.begin(code, reason)
    },
  }

  readonly #fromUpstream: FrameListener = {
    onFrame: (data, isBinary) => {
      if (!this.#isLeaving && this.#client?.send(data, isBinary) === false) {
        this.#upstream.socket.pause()
      }
      const fact = isBinary ? null : readRealtimeFact(data)
      if (!fact) return
      this.#note(fact)
      this.#closing.note(fact)
    },
    onDrain: () => this.#client?.resume(),
    onEnd: (end) => this.#upstreamEnded(end),
  }

  /** The message as it goes on; null for one that goes no further, which the client is told: the session goes on. */
  #passed(message: Buffer): Buffer | null {
    const call = this.#call
    const askedBeside = new Map<string, string>()
    const rename = (name: string) => {
      const { token } = currentCaller(call.caller, this.#services)
      const { model, askedModel: alias } = namedModel(token, name)
      if (alias !== undefined) askedBeside.set(alias, model)
      return model
    }
    try {
      const names = { model: call.model, upstreamModel: this.#upstream.model, rename }
      const { data, transcribers } = checkRealtimeMessage(message, names)
      const asked = askedBeside.size > 0 ? { ...call, askedBeside } : call
      checkModels(asked, transcribers, this.#services)
      for (const { name } of transcribers) this.#transcribers.add(name)
      return data
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      this.#client?.send(encodeRealtimeError(error, call.id), false)
      return null
    }
  }

  #note(fact: RealtimeFact): void {
    if (fact.type === 'response-begun') return
    if (fact.type === 'session') {
      this.#transcribesOnly ||= fact.transcribesOnly
      this.#noteTranscribers(fact.transcribers)
      return
    }
    if (fact.type === 'transcription') {
      this.#transcription = addTranscription(this.#transcription, fact.usage)
    } else {
      this.#responses++
      this.#usage = sumUsage([this.#usage, fact.usage])
    }
    this.#noteBeside()
    if (!this.#isLeaving) this.#check()
  }

  /** A session that was set up elsewhere may transcribe with a model that this client never named. */
  #noteTranscribers(models: readonly string[]): void {
    if (this.#transcribers.size > 0 || this.#isLeaving) return
    const own: readonly string[] = [this.#call.model, this.#upstream.model]
    const named = models.filter((name) => !own.includes(name))
    try {
      const at = 'session.audio.input.transcription.model'
      checkModels(
        this.#call,
        named.map((name) => ({ name, at })),
        this.#services,
      )
      for (const name of named) this.#transcribers.add(name)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      this.#record.fail(error)
      this.#end(error, POLICY)
    }
  }

  /** Usage of transcribing belongs to the models that did it, or to the session's own where none is named. */
  #noteBeside(): void {
    if (!this.#transcription) return
    const models = this.#transcribers.size > 0 ? [...this.#transcribers] : [this.#call.model]
    const isAll = this.#isTranscription
    const usage = usageOfTranscription(this.#transcription)
    this.#record.beside = isAll ? null : { models, usage }
    this.#record.answeredModels = isAll && this.#transcribers.size > 0 ? models : null
  }

  /** Has it done nothing but transcribe, which is then what the session is about? */
  get #isTranscription(): boolean {
    return this.#transcribesOnly && this.#responses === 0
  }

  /** Usage of the session's own model so far. */
  #used(): Usage | null {
    return this.#isTranscription && this.#transcription
      ? usageOfTranscription(this.#transcription)
      : this.#usage
  }

  #check(): void {
    try {
      checkAllowance(this.#call, this.#record, this.#used(), this.#services)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      this.#record.fail(error)
      this.#end(error, POLICY)
    }
  }

  #upstreamEnded(end: SocketEnd): void {
    const { code, reason, isRefused } = end
    if (!this.#isLeaving) {
      this.#isLeaving = true
      if (isRefused || code === 1006) {
        const message = isRefused
          ? `The upstream sent something that can't be relayed. ${reason}`
          : 'The upstream broke the connection off.'
        this.#failed({
          message,
          reason: isRefused ? unrelayable(end) : { code: 'upstream_broke_off' },
        })
        void this.#settle().then(() => this.#client?.close(FAILED, message))
        return
      }
      if (code >= 1002 && code !== 1005) {
        const message = `The upstream ended the session (${code}): ${reason || 'no reason given'}`
        this.#failed({
          message,
          reason: {
            ...{ code: 'upstream_ended_session', status: code },
            said: reason || { code: 'no_reason_given' },
          },
        })
      }
    }
    void this.#settle().then(() => this.#client?.close(code, reason))
  }

  /** The upstream has ended it badly. */
  #failed({ message, reason }: Sentence): void {
    const error = new GatewayError('upstream_cut', { message, reason })
    this.#record.onCut?.(error)
    this.#record.fail(error)
  }

  /** Ends the session with an error event and the same close code on both sides. */
  #end(error: GatewayError, code: number): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    const event = encodeRealtimeError(error, this.#call.id)
    void this.#settle().then(() => {
      this.#client?.send(event, false)
      this.#client?.close(code, error.message)
      this.#upstream.socket.close(code, '')
    })
  }

  #settle(): Promise<void> {
    if (!this.#isSettled) {
      this.#isSettled = true
      ticker.remove(this)
      this.#record.interruptStream = null
      this.#record.usage = this.#used()
      this.#record.extra.responses = this.#responses
      if (this.#transcription && !this.#isTranscription) {
        this.#record.extra.transcription = transcriptionNote(this.#transcription)
      }
    }
    return this.#record.settle()
  }
}

/**
 * Everything that comes before the client's upgrade is answered: may it, which channel, and that channel's
 * own answer. Throws the GatewayError to answer with; the call is then booked.
 */
export function openRealtime(call: Call, services: RelayServices): Promise<RealtimeSession> {
  return settle(call, services, async (record) => {
    const candidates = await enterCall(call, record, services, () =>
      socketChannels(call, record.route, services),
    )
    const route = new Route(candidates, call, record.route, services)
    const upstream = await openUpstreamSession(call, route, record, services)
    const socket = capturedSocket(upstream.socket, 'upstream', call.capture)
    return new RealtimeSession(call, record, { ...upstream, socket }, services)
  })
}

/** The channels that list realtime sessions and whose vendor has them. */
function socketChannels(call: Call, note: RouteNote, services: RelayServices): Candidates {
  refuseRoute(call, services)
  const serving = candidatesOf(call, note, services)
  const taking = suiting(serving, (channel) => takesSocket(channel, 'realtime'))
  if (taking.sets.length > 0) return taking
  const names = serving.sets
    .flat()
    .map(({ name }) => `"${name}"`)
    .join(', ')
  throw new GatewayError('format_not_served', {
    message: `The model ${nameOf(call)} is served by ${names}, whose vendors have no realtime sessions. It takes a channel of OpenAI's, Azure's or one that is compatible with them, with the endpoint type realtime.`,
    reason: { code: 'realtime_unserved', model: shortNameOf(call), channels: names },
    field: 'model',
  })
}
