interface Waiting {
  data: Buffer
  isBinary: boolean
  isReady: boolean
}

/** Messages to a client, in order: behind the last event of a response that is being booked the rest waits. */
export class ClientQueue {
  readonly #send: (data: Buffer, isBinary: boolean) => void
  readonly #waiting: Waiting[] = []
  /** Resolves when all that waits has gone out, what is added until then aside. */
  given: Promise<unknown> = Promise.resolve()

  constructor(send: (data: Buffer, isBinary: boolean) => void) {
    this.#send = send
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  give(data: Buffer, isBinary = false): void {
    if (this.isEmpty) this.#send(data, isBinary)
    else this.#waiting.push({ data, isBinary, isReady: true })
  }

  /** Gives this once it is booked, and after it what has come meanwhile; `emptied` hears when nothing is left. */
  giveBooked(data: Buffer, booked: Promise<void>, emptied: () => void): void {
    const last = { data, isBinary: false, isReady: false }
    this.#waiting.push(last)
    const given = booked.then(() => {
      last.isReady = true
      while (this.#waiting[0]?.isReady) {
        const next = this.#waiting.shift()
        if (next) this.#send(next.data, next.isBinary)
      }
      if (this.isEmpty) emptied()
    })
    this.given = Promise.all([this.given, given])
  }
}
