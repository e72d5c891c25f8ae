import type { Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import { GatewayError } from '../base/errors.ts'
import { type Ticking, ticker } from '../base/ticker.ts'
import { answerDecoder } from './answer-decoder.ts'
import { type BodySource, UpstreamBody } from './body.ts'
import { AttemptClock, timeFailure } from './connect/time-limits.ts'
import { upstreamFailure } from './failure.ts'
import { InformationalCount } from './informational.ts'
import type { RequestWatcher, UpstreamAnswer, UpstreamHeaders, UpstreamRequest } from './request.ts'
import type { Upload } from './upload.ts'
import { SecretFilter } from './withheld-secrets.ts'

const tellSent = (watcher: RequestWatcher): void => watcher.onSent()

/** Ends the rest of a body whose call is over; nobody sees it. */
const callIsOver = new Error('The call is over.')

/** A packed body is held back where it is unpacked too: a few packed bytes can hold a thousand times as many. */
function unpacked(decoder: Transform, controller: Dispatcher.DispatchController): BodySource {
  return {
    pause() {
      decoder.pause()
      controller.pause()
    },
    resume() {
      decoder.resume()
      if (!decoder.writableNeedDrain) controller.resume()
    },
    abort(reason) {
      decoder.destroy()
      controller.abort(reason)
    },
  }
}

/** One request on its way: tells of the answer's head, passes the body on, and ends what takes too long. */
export class AnswerHandler implements Dispatcher.DispatchHandler, Ticking {
  readonly #request: UpstreamRequest
  readonly #resolve: (answer: UpstreamAnswer) => void
  readonly #reject: (error: GatewayError) => void
  readonly #upload: Upload | null
  readonly #clock: AttemptClock
  #body: UpstreamBody | null = null
  #decoder: Transform | null = null
  readonly #filter: SecretFilter | null
  #informational: InformationalCount | null = null
  #gathered: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  /** Why the call ended before there was a connection for it. */
  #givenUp: GatewayError | null = null
  #isReleased = false
  slot = -1

  constructor(
    request: UpstreamRequest,
    upload: Upload | null,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (error: GatewayError) => void,
  ) {
    this.#request = request
    this.#upload = upload
    this.#resolve = resolve
    this.#reject = reject
    this.#clock = new AttemptClock(request.limits)
    const { withheld } = request
    this.#filter = withheld && withheld.secrets.length > 0 ? new SecretFilter(withheld) : null
    ticker.add(this)
    request.cancellation?.listen(this.#end)
  }

  tick(now: number): void {
    const body = this.#body
    if (body && now >= body.giveUpAt) {
      this.#end(
        timeFailure(this.#request.url, {
          message: 'did not end an answer that was complete',
          reason: { code: 'upstream_end_missing' },
        }),
      )
      return
    }
    const tooLong = this.#clock.check(now, {
      isSent: this.#controller !== null,
      isClientsTurn: (body?.isPaused && !body.isOwnRest) || this.#upload?.isWaiting || false,
      isTaking: this.#upload?.hasMoved() ?? false,
      isAwaited: body?.isAwaited ?? true,
    })
    if (tooLong) this.#end(timeFailure(this.#request.url, tooLong))
  }

  /** Ends the call, wherever it is. */
  readonly #end = (reason: GatewayError): void => {
    if (this.#controller) {
      this.#controller.abort(reason)
      return
    }
    // The caller hears of it at once; the connection that is being made serves another call, or none.
    this.fail(reason)
    this.#givenUp = reason
  }

  /** The request did not come as far as its connection. */
  fail(error: unknown): void {
    this.#release()
    this.#refuse(upstreamFailure(error, this.#request.url))
  }

  #refuse(failure: GatewayError): void {
    this.#request.watcher?.onFailure(failure)
    this.#reject(failure)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#givenUp) {
      controller.abort(this.#givenUp)
      return
    }
    this.#controller = controller
    this.#clock.send()
    const { watcher } = this.#request
    watcher?.onConnected()
    // A short body is written to the connection in this turn.
    if (watcher && !this.#upload) process.nextTick(tellSent, watcher)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamHeaders,
  ): void {
    if (status < 200) {
      this.#informational ??= new InformationalCount()
      const tooMany = this.#informational.add()
      if (tooMany) this.#end(tooMany)
      return
    }
    this.#clock.noteSign()
    // Asked for plain bytes; a vendor that packs them all the same is unpacked on the way.
    const decoder = answerDecoder(headers['content-encoding'])
    const { watcher = null } = this.#request
    watcher?.onAnswer(status, headers)
    const source = decoder ? unpacked(decoder, controller) : controller
    const body = new UpstreamBody(source, watcher)
    this.#body = body
    if (decoder) this.#unpack(decoder, body, controller)
    this.#resolve({ status, headers, body })
  }

  #unpack(decoder: Transform, body: UpstreamBody, controller: Dispatcher.DispatchController): void {
    this.#decoder = decoder
    decoder.on('data', (chunk: Buffer) => this.#give(chunk))
    decoder.on('drain', () => {
      // A reader that is itself asked to wait resumes the connection when it may go on.
      if (!body.isPaused) controller.resume()
    })
    decoder.on('end', () => this.#finish('end'))
    decoder.on('error', (cause) => {
      const message = "The upstream's compressed answer is damaged."
      const reason = { code: 'upstream_answer_damaged' } as const
      const damaged = new GatewayError('upstream_invalid', { message, reason, cause })
      this.#finish(damaged)
      controller.abort(damaged)
    })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder) {
      this.#clock.noteSign()
      if (!this.#decoder.write(chunk)) controller.pause()
      return
    }
    // One read of the socket often brings several pieces; they go on together, at the end of this turn.
    if (this.#gathered.push(chunk) === 1) process.nextTick(this.#pass)
  }

  readonly #pass = (): void => {
    const chunks = this.#gathered
    if (chunks.length === 0) return
    this.#gathered = []
    this.#clock.noteSign()
    this.#give(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  }

  #give(chunk: Buffer): void {
    const bytes = this.#filter ? this.#filter.push(chunk) : chunk
    if (bytes.length > 0) this.#body?.take(bytes)
  }

  #finish(ending: GatewayError | 'end'): void {
    const rest = this.#filter?.flush()
    if (rest && rest.length > 0) this.#body?.take(rest)
    this.#body?.finish(ending)
  }

  onResponseEnd(): void {
    this.#pass()
    this.#release()
    if (this.#decoder) this.#decoder.end()
    else this.#finish('end')
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#pass()
    this.#release()
    const failure = upstreamFailure(error, this.#request.url, this.#body !== null)
    this.#decoder?.destroy()
    if (this.#body) this.#finish(failure)
    else this.#refuse(failure)
  }

  #release(): void {
    // An upload that breaks off behind its answer is told of too; another attempt may listen by then.
    if (this.#isReleased) return
    this.#isReleased = true
    ticker.remove(this)
    this.#request.cancellation?.listen(null)
    this.#upload?.end(callIsOver)
  }
}
