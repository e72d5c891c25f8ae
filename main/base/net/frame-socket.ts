import { type Ticking, ticker } from '../ticker.ts'

/** How a WebSocket came to its end. */
export interface SocketEnd {
  /** https://www.iana.org/assignments/websocket/websocket.xml#close-code-number ; 1006 where none came. */
  code: number
  reason: string
  /** This side ended it, because of what the peer sent (1009 for a message that is too large). */
  isRefused: boolean
}

export interface FrameListener {
  /** One message, whole. */
  onFrame(data: Buffer, isBinary: boolean): void
  /** After a `send` that gave false: there is room again. */
  onDrain(): void
  /** Comes once, and nothing after it. */
  onEnd(end: SocketEnd): void
}

/** One side of a WebSocket, as a relay needs it. Nothing is read before `listen`. */
export interface FrameSocket {
  listen(listener: FrameListener): void
  /** Sends one message; false asks for a pause until `onDrain`. What is sent to an ended socket is lost. */
  send(data: Buffer, isBinary: boolean): boolean
  /** Reads no further; what was read already may still come. */
  pause(): void
  resume(): void
  /** Says goodbye after all that was sent; a peer that does not answer is cut off. `onEnd` follows. */
  close(code: number, reason: string): void
}

/** The largest message that either side may send, in bytes. An event with audio may have 15 MiB. */
export const FRAME_LIMIT = 16 * 1024 * 1024

/** Close code for a message that is too large. */
export const TOO_LARGE = `A message may have at most ${FRAME_LIMIT / 1024 / 1024} MiB.`

/** Options of both sides. Compression costs memory and time, and audio does not get smaller. */
export const SOCKET_OPTIONS = { maxPayload: FRAME_LIMIT, perMessageDeflate: false } as const

/** Above this many unsent bytes the other side is read no further, below the second it is again. */
const FULL = 1024 * 1024
const ROOM = 256 * 1024
/** Milliseconds between two pings; a peer that leaves two of them unanswered is gone. */
const PING_INTERVAL = 30_000
const UNANSWERED = 2
/** Milliseconds that a peer has to answer a goodbye. */
const GOODBYE_LIMIT = 2_000
/** A reason may have this many bytes. */
const REASON_LIMIT = 123

/** The part of a `WebSocket` of the package ws that is used. Its class is known to two folders only. */
export interface RawSocket {
  readonly bufferedAmount: number
  send(data: Buffer, options: { binary: boolean }, sent: () => void): void
  ping(): void
  pause(): void
  resume(): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'pong' | 'ping', listener: () => void): unknown
}

/** May this code stand in a close frame? 1005, 1006 and 1015 only tell of one (RFC 6455 §7.4.1). */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) ||
  (code >= 3000 && code <= 4999)

/** The close code to pass on: a goodbye without a code stays a good one, a lost connection is none. */
export function codeToSend(code: number): number {
  if (isSendable(code)) return code
  return code === 1005 ? 1000 : 1011
}

/** As much of a reason as a close frame holds, cut between two characters. */
export function reasonToSend(reason: string): string {
  if (Buffer.byteLength(reason) <= REASON_LIMIT) return reason
  let text = ''
  let size = 0
  for (const character of reason) {
    size += Buffer.byteLength(character)
    if (size > REASON_LIMIT) break
    text += character
  }
  return text
}

/** Faults of ws for which it has closed the connection itself. */
function faultOf(error: Error & { code?: unknown }): SocketEnd | null {
  const isRefused = true
  if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    return { code: 1009, reason: TOO_LARGE, isRefused }
  }
  const isFault = typeof error.code === 'string' && error.code.startsWith('WS_ERR_')
  return isFault ? { code: 1002, reason: error.message, isRefused } : null
}

/** A FrameSocket over a connected WebSocket of ws: pings it, bounds what waits in it, ends it in time. */
export class WireSocket implements FrameSocket, Ticking {
  readonly #raw: RawSocket
  readonly #pingInterval: number
  #listener: FrameListener | null = null
  #isFull = false
  #isPaused = true
  #isEnding = false
  #end: SocketEnd | null = null
  #fault: SocketEnd | null = null
  #nextPing: number
  #pings = 0
  #cutOff: NodeJS.Timeout | null = null
  slot = -1

  constructor(raw: RawSocket, pingInterval = PING_INTERVAL) {
    this.#raw = raw
    this.#pingInterval = pingInterval
    this.#nextPing = performance.now() + pingInterval
    raw.pause()
    raw.on('message', (data, isBinary) => {
      this.#pings = 0
      this.#listener?.onFrame(data, isBinary)
    })
    const onSign = () => {
      this.#pings = 0
    }
    raw.on('pong', onSign)
    raw.on('ping', onSign)
    raw.on('error', (error) => {
      this.#fault = faultOf(error)
      this.#limitGoodbye()
    })
    raw.on('close', (code, reason) => this.#finish(code, reason.toString('utf8')))
    ticker.add(this)
  }

  listen(listener: FrameListener): void {
    this.#listener = listener
    // The connection may have broken before anyone listened.
    const end = this.#end
    if (end) process.nextTick(() => listener.onEnd(end))
    else this.resume()
  }

  send(data: Buffer, isBinary: boolean): boolean {
    if (this.#isEnding) return true
    this.#raw.send(data, { binary: isBinary }, this.#onSent)
    if (!this.#isFull && this.#raw.bufferedAmount > FULL) this.#isFull = true
    return !this.#isFull
  }

  pause(): void {
    if (this.#isPaused || this.#isEnding) return
    this.#isPaused = true
    this.#raw.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#raw.resume()
  }

  close(code: number, reason: string): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#raw.close(codeToSend(code), reasonToSend(reason))
    // The peer's own goodbye has to be read.
    this.resume()
    this.#limitGoodbye()
  }

  tick(now: number): void {
    if (now < this.#nextPing) return
    this.#nextPing = now + this.#pingInterval
    // A paused peer's pings are not read: it is not gone.
    if (this.#isPaused) this.#pings = 0
    if (this.#pings >= UNANSWERED) this.#raw.terminate()
    else if (!this.#isEnding) {
      this.#pings++
      this.#raw.ping()
    }
  }

  readonly #onSent = (): void => {
    if (!this.#isFull || this.#raw.bufferedAmount > ROOM) return
    this.#isFull = false
    this.#listener?.onDrain()
  }

  #limitGoodbye(): void {
    this.#isEnding = true
    this.#cutOff ??= setTimeout(() => this.#raw.terminate(), GOODBYE_LIMIT)
  }

  #finish(code: number, reason: string): void {
    if (this.#end) return
    this.#end = this.#fault ?? { code, reason, isRefused: false }
    this.#isEnding = true
    ticker.remove(this)
    if (this.#cutOff) clearTimeout(this.#cutOff)
    this.#listener?.onEnd(this.#end)
  }
}
