import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import type { Cancellation } from '../base/cancellation.ts'
import { GatewayError } from '../base/errors.ts'
import { type Ticking, ticker } from '../base/ticker.ts'
import { UpstreamBody } from './body.ts'
import { upstreamFailure } from './failure.ts'
import { Upload } from './upload.ts'

export type UpstreamHeaders = Record<string, string | string[] | undefined>

type CheckAddress = (address: string, host: string) => void

export interface UpstreamRequest {
  method: 'GET' | 'POST'
  /** Absolute http or https URL. */
  url: string
  headers: Record<string, string>
  /**
   * In one piece or several, an empty one has none; or still being made: what its making throws is what
   * the call fails with.
   */
  body?: Buffer | readonly Buffer[] | AsyncIterable<Buffer>
  /** Bytes of a body that is still being made; it is sent in chunked coding where that is not known. */
  contentLength?: number | null
  /** Ends the call; the promise then rejects with its reason, or the body ends with it. */
  cancellation?: Cancellation
  /**
   * Throws for an address that the host's name leads to and that must not be asked; then no connection is
   * made. Requests with the same function share connections, and share them with no others.
   */
  checkAddress?: CheckAddress
  /** The longest silence in milliseconds, before the head and between two pieces of the body. */
  idleLimit?: number
}

/** An answer whose head has come; a redirect is given as it is, never followed. */
export interface UpstreamAnswer {
  status: number
  headers: UpstreamHeaders
  body: UpstreamBody
}

/** The time limits of undici (300 s each) are off: the relay has its own, which count the upstream's silence. */
const newAgent = (connect: { lookup?: LookupFunction } = {}): Agent =>
  new Agent({
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
    connect: { timeout: 10_000, keepAlive: true, ...connect },
    autoSelectFamily: true,
  })

/** One connection pool for all upstreams whose addresses are not checked. */
const agent = newAgent()
const checkedAgents = new WeakMap<CheckAddress, Agent>()

/** Looks a name up once, and gives what was found to the connection only when all of it may be asked. */
const checkedLookup =
  (check: CheckAddress): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, [])
      try {
        for (const { address } of found) check(address, host)
      } catch (refusal) {
        return callback(refusal as Error, [])
      }
      const [first] = found
      if (options.all || !first) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }

/** The pool of requests that check addresses in this way: a connection that is kept was checked as well. */
function checkedAgent(check: CheckAddress): Agent {
  let checked = checkedAgents.get(check)
  if (!checked) {
    checked = newAgent({ lookup: checkedLookup(check) })
    checkedAgents.set(check, checked)
  }
  return checked
}

function decoderFor(encoding: unknown): Transform | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  if (encoding === 'br') return createBrotliDecompress()
  return null
}

/** What ends the rest of a body whose call has ended; nobody hears of it. */
const callIsOver = new Error('The call is over.')

class AnswerHandler implements Dispatcher.DispatchHandler, Ticking {
  readonly #url: string
  readonly #resolve: (answer: UpstreamAnswer) => void
  readonly #reject: (error: GatewayError) => void
  readonly #cancellation: Cancellation | undefined
  readonly #upload: Upload | null
  #body: UpstreamBody | null = null
  #decoder: Transform | null = null
  #gathered: Buffer[] = []
  slot = -1
  readonly #idleLimit: number
  #lastSign = performance.now()
  #controller: Dispatcher.DispatchController | null = null
  #isReleased = false

  constructor(
    request: UpstreamRequest,
    upload: Upload | null,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (error: GatewayError) => void,
  ) {
    this.#url = request.url
    this.#upload = upload
    this.#cancellation = request.cancellation
    this.#resolve = resolve
    this.#reject = reject
    this.#idleLimit = request.idleLimit ?? 300_000
    ticker.add(this)
  }

  tick(now: number): void {
    const isOurTurn = !this.#controller || this.#body?.isPaused || this.#upload?.hasMoved()
    if (isOurTurn) this.#lastSign = now
    if (now - this.#lastSign < this.#idleLimit) return
    const seconds = this.#idleLimit / 1000
    this.#controller?.abort(
      new GatewayError('upstream_timeout', {
        message: `The upstream at ${new URL(this.#url).origin} sent nothing for ${seconds} seconds.`,
      }),
    )
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#lastSign = performance.now()
    this.#cancellation?.listen((reason) => controller.abort(reason))
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamHeaders,
  ): void {
    if (status < 200) return
    this.#lastSign = performance.now()
    const body = new UpstreamBody(controller)
    this.#body = body
    // Asked for plain bytes; a vendor that packs them all the same is unpacked on the way.
    this.#decoder = decoderFor(headers['content-encoding'])
    if (this.#decoder) {
      this.#decoder.on('data', (chunk: Buffer) => body.take(chunk))
      this.#decoder.on('drain', () => {
        // A reader that is itself asked to wait resumes the connection when it may go on.
        if (!body.isPaused) controller.resume()
      })
      this.#decoder.on('end', () => body.finish('end'))
      this.#decoder.on('error', (cause) =>
        body.finish(
          new GatewayError('upstream_invalid', {
            message: "The upstream's compressed answer is damaged.",
            cause,
          }),
        ),
      )
    }
    this.#resolve({ status, headers, body })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#decoder) {
      this.#lastSign = performance.now()
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
    this.#lastSign = performance.now()
    this.#body?.take(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  }

  onResponseEnd(): void {
    this.#pass()
    this.#release()
    if (this.#decoder) this.#decoder.end()
    else this.#body?.finish('end')
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#pass()
    this.#release()
    const failure = upstreamFailure(error, this.#url)
    this.#decoder?.destroy()
    if (this.#body) this.#body.finish(failure)
    else this.#reject(failure)
  }

  #release(): void {
    // An upload that breaks off behind its answer is told of too; another attempt may listen by then.
    if (this.#isReleased) return
    this.#isReleased = true
    ticker.remove(this)
    this.#cancellation?.listen(null)
    this.#upload?.end(callIsOver)
  }
}

/** Of a body longer than this it is watched whether the upstream takes it, piece by piece. */
const LONG = 1024 * 1024
const PIECE = 128 * 1024

function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0
  for (const piece of pieces) length += piece.length
  return length
}

async function* inPieces(body: readonly Buffer[]): AsyncGenerator<Buffer, void, undefined> {
  for (const one of body) {
    for (let at = 0; at < one.length; at += PIECE) yield one.subarray(at, at + PIECE)
  }
}

/** What undici is given, with its length where undici is to be told it. */
interface Outgoing {
  body: Buffer | readonly Buffer[] | Upload | null
  length: number | null
}

/** A body of one piece goes as such, since that is sent faster; of several undici does not know the length. */
function outgoing({ body = [], contentLength }: UpstreamRequest): Outgoing {
  if (!Buffer.isBuffer(body) && Symbol.asyncIterator in body) {
    return { body: new Upload(body), length: contentLength ?? null }
  }
  const pieces = Buffer.isBuffer(body) ? [body] : body
  const length = lengthOf(pieces)
  if (length > LONG) return { body: new Upload(inPieces(pieces)), length }
  return pieces.length > 1 ? { body: pieces, length } : { body: pieces[0] ?? null, length: null }
}

/**
 * Sends one request and resolves when the answer's head is there. Rejects with `upstream_unreachable`,
 * `upstream_timeout` (connecting), `client_gone` (aborted), or what the body's making throws. The answer may
 * come before the body is sent whole; the rest is then not asked for any more.
 */
export function sendUpstream(request: UpstreamRequest): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const slash = request.url.indexOf('/', request.url.indexOf('://') + 3)
    const origin = slash < 0 ? request.url : request.url.slice(0, slash)
    const path = slash < 0 ? '/' : request.url.slice(slash)
    const { method, headers } = request
    const { body, length } = outgoing(request)
    const upload = body instanceof Upload ? body : null
    const handler = new AnswerHandler(request, upload, resolve, reject)
    // Without it undici would send the body in chunked coding.
    if (length !== null) headers['content-length'] = String(length)
    try {
      const pool = request.checkAddress ? checkedAgent(request.checkAddress) : agent
      // Any iterable is a body to undici; its types do not say so.
      pool.dispatch({ origin, path, method, headers, body: body as Buffer | null }, handler)
    } catch (error) {
      ticker.remove(handler)
      upload?.end(callIsOver)
      reject(upstreamFailure(error, request.url))
    }
  })
}
