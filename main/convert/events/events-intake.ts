import { EventsBeginning, type EventsForm } from './events-beginning.ts'
import { PlainEvents } from './plain-events.ts'

const EMPTY = Buffer.alloc(0)

/**
 * A stream of server-sent events on its way in: one of plain form byte for byte, one of odd form in the plain one,
 * in which it also goes to the client.
 */
export class EventsIntake {
  /** Null once the form is known. */
  #beginning: EventsBeginning | null = new EventsBeginning()
  /** Bytes that came until then. */
  #start: Buffer[] = []
  #plain: PlainEvents | null = null

  /** Bytes to pass on; none while the stream's form is unknown. */
  push(chunk: Buffer): Buffer {
    if (!this.#beginning) return this.#plain ? this.#plain.push(chunk) : chunk
    const form = this.#beginning.push(chunk)
    this.#start.push(chunk)
    if (form) return this.#begin(form)
    return this.#beginning.isSettled ? this.#takeStart() : EMPTY
  }

  /** The body has ended. */
  end(): Buffer {
    const start = this.#beginning ? this.#begin(this.#beginning.end()) : EMPTY
    return this.#plain ? Buffer.concat([start, this.#plain.end()]) : start
  }

  #begin(form: EventsForm): Buffer {
    this.#beginning = null
    const start = this.#takeStart()
    if (form === 'plain') return start
    this.#plain = new PlainEvents()
    return this.#plain.push(start)
  }

  #takeStart(): Buffer {
    const pieces = this.#start
    this.#start = []
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
  }
}
