import type { FrameListener, FrameSocket } from '../../../base/net/frame-socket.ts'
import { asObject, type Json } from '../json-access.ts'

/** A conversation over a WebSocket whose other end is in this process. */
export interface EchoSession {
  /** Events sent on opening. */
  open(): Iterable<Json>
  /** Events in answer to one, made while they are sent. */
  answer(event: Json): Iterable<Json>
  /** Ends this message what is being said? */
  interrupts(event: Json): boolean
  /** Answer to a message that is no JSON object. */
  refuse(message: string): Json
}

/** Between two messages, in milliseconds. */
const PACE = 4
/** Answers that may wait before reading pauses. */
const MOST_WAITING = 64

/** The end of a WebSocket that Echo speaks at. */
export class LocalSocket implements FrameSocket {
  readonly #session: EchoSession
  #listener: FrameListener | null = null
  #saying: Iterator<Json>[]
  #timer: NodeJS.Timeout | null = null
  #isPaused = false
  #isFull = false
  #isOver = false

  constructor(session: EchoSession) {
    this.#session = session
    this.#saying = [session.open()[Symbol.iterator]()]
  }

  listen(listener: FrameListener): void {
    this.#listener = listener
    this.#goOn(0)
  }

  send(data: Buffer, isBinary: boolean): boolean {
    if (this.#isOver) return true
    const event = isBinary ? null : parse(data)
    if (event && this.#session.interrupts(event)) {
      // Output under way never answers something that came later.
      this.#saying.splice(0, 1, this.#session.answer(event)[Symbol.iterator]())
    } else {
      const answer = event
        ? this.#session.answer(event)
        : [this.#session.refuse('A message must be a JSON object, as text.')]
      this.#saying.push(answer[Symbol.iterator]())
    }
    this.#goOn(0)
    this.#isFull = this.#saying.length > MOST_WAITING
    return !this.#isFull
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#goOn(0)
  }

  close(code: number, reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#saying = []
    process.nextTick(() => this.#listener?.onEnd({ code, reason, isRefused: false }))
  }

  #goOn(delay: number): void {
    if (this.#timer || this.#isPaused || this.#isOver || !this.#listener) return
    if (this.#saying.length > 0) this.#timer = setTimeout(() => this.#say(), delay)
  }

  #say(): void {
    this.#timer = null
    if (this.#isPaused || this.#isOver) return
    let next: IteratorResult<Json> | undefined
    try {
      next = this.#saying[0]?.next()
    } catch {
      // As any vendor that breaks: it is this connection's end, and not the gateway's.
      this.close(1011, 'Echo failed on this message.')
      return
    }
    if (next?.done) this.#saying.shift()
    else if (next) this.#listener?.onFrame(Buffer.from(JSON.stringify(next.value)), false)
    if (this.#isFull && this.#saying.length < MOST_WAITING / 2) {
      this.#isFull = false
      this.#listener?.onDrain()
    }
    this.#goOn(next?.done ? 0 : PACE)
  }
}

function parse(data: Buffer): Json | null {
  try {
    const value = JSON.parse(data.toString('utf8'))
    return typeof value === 'object' && value !== null ? asObject(value) : null
  } catch {
    return null
  }
}
