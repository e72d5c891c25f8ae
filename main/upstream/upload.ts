import type { RequestWatcher } from './request.ts'

/**
 * A request body that is still being made while it is sent. It ends when its call does, also while its
 * source is silent: an answer may come before the body is whole, or the call may be given up.
 */
export class Upload implements AsyncIterableIterator<Buffer> {
  readonly #source: AsyncIterator<Buffer>
  #giveUp: ((reason: Error) => void) | null = null
  #ending: Error | null = null
  #isWaiting = false
  #wasAsked = false

  readonly #watcher: RequestWatcher | null

  /** The watcher hears when the last of it was taken. */
  constructor(source: AsyncIterable<Buffer>, watcher: RequestWatcher | null = null) {
    this.#watcher = watcher
    this.#source = source[Symbol.asyncIterator]()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Buffer>> {
    if (this.#ending) return Promise.reject(this.#ending)
    this.#isWaiting = true
    this.#wasAsked = true
    return new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      this.#giveUp = reject
      this.#source.next().then((piece) => {
        if (piece.done) this.#watcher?.onSent()
        resolve(piece)
      }, reject)
    }).finally(() => {
      this.#isWaiting = false
    })
  }

  async return(): Promise<IteratorResult<Buffer>> {
    this.end(new Error('The body is not needed any more.'))
    return { done: true, value: undefined }
  }

  /** The upstream waits for the client itself. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** The upstream took something since the last time this was asked. */
  hasMoved(): boolean {
    const hasMoved = this.#wasAsked
    this.#wasAsked = false
    return hasMoved
  }

  /** Stops sending the rest. */
  end(reason: Error): void {
    if (this.#ending) return
    this.#ending = reason
    this.#giveUp?.(reason)
    this.#source.return?.().catch(() => {})
  }
}
