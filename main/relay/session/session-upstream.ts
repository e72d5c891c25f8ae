import { GatewayError } from '../../base/errors.ts'
import type { FrameListener, FrameSocket } from '../../base/net/frame-socket.ts'
import { modelFieldsOf } from '../../convert/check/named-models.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import { currentCaller } from '../1-admit/current-caller.ts'
import { candidateNote } from '../2-route/candidate-note.ts'
import { type Candidates, candidatesOf, suiting } from '../2-route/candidates.ts'
import { Route } from '../2-route/route.ts'
import { WatchedAttempt } from '../4-attempt/watched-attempt.ts'
import { askedModel, nameOf, shortNameOf } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { limitsOf } from '../channel/channel-connection.ts'
import { mapModel } from '../channel/map-model.ts'
import { renamedModels } from '../channel/other-models.ts'
import { overriddenBytes, overrideFields } from '../channel/override/param-override.ts'
import { enterCall } from '../relay.ts'
import type { RelayServices } from '../relay-services.ts'
import { innerModel } from './client-message.ts'
import { isBetterLeft, keyStillGood } from './kept-connection.ts'
import { hasNoSocket, openUpstreamSession, type UpstreamSession } from './open-session.ts'
import { ResponseClock } from './response-clock.ts'
import { connectAnew, modelOverHttp, socketNotServed, takesSocket } from './session-channels.ts'

const saysNoSocket = (error: unknown): boolean =>
  error instanceof GatewayError &&
  (error.code === 'upstream_invalid' ||
    (error.code === 'upstream_error' && hasNoSocket(error.status)))

/** The body of a call, and the clock of its response, which runs from now on. */
export interface PreparedResponse {
  body: Buffer
  clock: ResponseClock
  /** Its try at a connection that was there already; null on a new one. */
  watched: WatchedAttempt | null
}

/** The connection that a call is sent over. */
interface Taken {
  session: UpstreamSession
  watched: WatchedAttempt | null
}

/** The upstream that a connection of Responses goes to; another takes its place where a model needs it. */
export class ResponsesUpstream {
  readonly #listener: FrameListener
  readonly #services: RelayServices
  #session: UpstreamSession | null = null
  /** Is left for another one, once that is there. */
  #leaving: UpstreamSession | null = null
  /** Nobody knows what it still does: no other response goes there. */
  #isSpent = false

  constructor(listener: FrameListener, services: RelayServices) {
    this.#listener = listener
    this.#services = services
  }

  get socket(): FrameSocket | null {
    return this.#session?.socket ?? null
  }

  /**
   * Admits a call, sees to an upstream for it, and gives what to send there. `open` is the number of
   * responses under way. Throws what is in the way.
   */
  async prepare(call: Call, record: CallRecord, open: number): Promise<PreparedResponse> {
    const services = this.#services
    // Throws for a token that was deleted.
    currentCaller(call.caller, services)
    const find = () => this.#candidatesFor(call, record)
    const candidates = await enterCall(call, record, services, find)
    return this.#prepared(call, record, await this.#sessionFor(call, candidates, record, open))
  }

  /** The same for one that was sent over a connection which ended with this before a word of it came. */
  async prepareAgain(
    call: Call,
    record: CallRecord,
    watched: WatchedAttempt | null,
    error: GatewayError,
  ): Promise<PreparedResponse> {
    // A kept connection that has gone stale says nothing of the channel.
    watched?.interrupted(error, 'next')
    watched?.release()
    record.onCut = null
    record.onSettled = null
    record.route.candidates.length = 0
    const candidates = this.#candidatesFor(call, record)
    const session = await this.#connect(call, candidates, record)
    return this.#prepared(call, record, { session, watched: null })
  }

  #prepared(call: Call, record: CallRecord, { session, watched }: Taken): PreparedResponse {
    const { channel, url } = session
    const model = mapModel(call.model, channel)
    if (record.attempt) record.attempt.upstreamModel = model
    const fields = {
      ...(model === askedModel(call) ? {} : { model }),
      ...renamedModels(modelFieldsOf(call.body), channel),
      ...overrideFields(channel),
    }
    const written = overriddenBytes(call, fields, { channel, upstreamModel: model })
    const body = Buffer.isBuffer(written) ? written : Buffer.concat(written)
    const inner = innerModel(call.body)
    const limits = limitsOf(channel, this.#services.settings.current)
    return {
      body:
        inner === null || inner === model
          ? body
          : new JsonFields(body).setWithin(['response'], { model }),
      clock: new ResponseClock(url, limits),
      watched,
    }
  }

  close(code: number): void {
    this.#session?.socket.close(code, '')
    this.#session = null
    this.#leaving?.socket.close(code, '')
    this.#leaving = null
    this.#isSpent = false
  }

  /** A response was given up there: what is under way comes to its end, and nothing else is sent. */
  spend(): void {
    this.#isSpent = true
  }

  /** Leaves a connection that was given up, once nothing is under way there. */
  closeIfSpent(): void {
    if (this.#isSpent) this.close(1000)
  }

  #candidatesFor(call: Call, record: CallRecord): Candidates {
    const serving = candidatesOf(call, record.route, this.#services)
    const candidates = suiting(serving, (channel) => takesSocket(channel, 'responses'))
    // A channel of another group than the call's may be the one that gave hope.
    if (candidates.sets.length === 0) throw socketNotServed(modelOverHttp(call))
    return candidates
  }

  async #sessionFor(
    call: Call,
    candidates: Candidates,
    record: CallRecord,
    open: number,
  ): Promise<Taken> {
    const current = this.#session
    const bound = candidates.sets.flat().find(({ id }) => id === current?.channel.id)
    const key = current && bound && !this.#isSpent && keyStillGood(current, bound)
    const isLeft =
      open === 0 && bound && key && isBetterLeft(call, bound, key, candidates, this.#services)
    if (current && bound && key && !isLeft) {
      const own = record.beginAttempt(bound, call)
      if (bound.multiKeyMode !== null) own.keyIndex = key.index
      record.route.candidates.push(candidateNote(bound, true, { place: 1, why: 'affinity' }))
      const watched = new WatchedAttempt(call, own, 0, record, this.#services)
      watched.begin(key)
      record.onSettled = () => watched.release()
      record.onCut = (error, hasBegun) => watched.cut(error, hasBegun)
      // An edit of the channel holds from now on.
      return { session: { ...current, channel: bound }, watched }
    }
    if (current && open > 0) {
      if (this.#isSpent)
        throw connectAnew({
          message: 'The upstream did not answer in time on this connection.',
          reason: { code: 'upstream_late_on_connection' },
        })
      const model = shortNameOf(call)
      throw connectAnew(
        bound
          ? {
              message: `The channel of the model ${nameOf(call)} was changed since the running response began.`,
              reason: { code: 'channel_changed_in_response', model },
            }
          : {
              message: `The model ${nameOf(call)} is served by another channel than the running response.`,
              reason: { code: 'model_on_other_channel', model },
            },
      )
    }
    if (isLeft) this.#leaving = current
    else this.close(1000)
    this.#session = null
    return { session: await this.#connect(call, candidates, record), watched: null }
  }

  async #connect(call: Call, candidates: Candidates, record: CallRecord): Promise<UpstreamSession> {
    const session = await this.#replace(call, candidates, record)
    // Later messages of an upstream that was left belong to no call.
    const isCurrent = () => this.#session === session
    session.socket.listen({
      onFrame: (data, isBinary) => isCurrent() && this.#listener.onFrame(data, isBinary),
      onDrain: () => (isCurrent() || this.#leaving === session) && this.#listener.onDrain(),
      onEnd: (end) => {
        if (this.#leaving === session) this.#leaving = null
        if (!isCurrent()) return
        this.#session = null
        this.#isSpent = false
        this.#listener.onEnd(end)
      },
    })
    return session
  }

  /** Opens another; where none can be had, the one that was to be left goes on. */
  async #replace(call: Call, candidates: Candidates, record: CallRecord): Promise<UpstreamSession> {
    try {
      const session = await this.#open(call, candidates, record)
      this.close(1000)
      this.#session = session
      return session
    } catch (error) {
      this.#session = this.#leaving
      this.#leaving = null
      throw error
    }
  }

  async #open(call: Call, candidates: Candidates, record: CallRecord): Promise<UpstreamSession> {
    try {
      const route = new Route(candidates, call, record.route, this.#services)
      return await openUpstreamSession(call, route, record, this.#services)
    } catch (error) {
      if (!saysNoSocket(error)) throw error
      const problem = {
        message: `The upstream of ${nameOf(call)} takes no WebSocket.`,
        reason: { code: 'upstream_without_websocket', model: shortNameOf(call) } as const,
      }
      throw socketNotServed(problem, error)
    }
  }
}
