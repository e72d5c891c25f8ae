import type { JsonFields } from '../json/json-fields.ts'
import { dataOf, isNullAt, lineAt, lineEnd, linesOf } from './event-lines.ts'

/** An answer that an event goes on with, and whether the event ends it. */
export interface AnswerMark {
  index: number
  isOver: boolean
}

/** How a format says that an answer is over, where that is enough for a stream to be whole. */
export interface AnswerEnding {
  /**
   * One of them stands in every event that ends an answer, e.g. `finish_reason"`; with null behind it it says
   * nothing. One that begins with a rare letter is found several times faster than one that begins with a quote.
   */
  needles: readonly string[]
  /** Answers that an event goes on with, and whether it ends them. */
  marksIn(event: unknown): AnswerMark[]
  /** Does the request ask for several answers at once? Then every event is looked at. */
  asksSeveral(request: JsonFields): boolean
}

/** Which answers of a stream have begun and which are over. Where no event ends the stream, it is whole when all are. */
export class AnswerEnds {
  readonly #ending: AnswerEnding | null
  /** Several answers may come at once: which of them are still open, every event may tell. */
  readonly #looksAtAll: boolean
  readonly #begun = new Set<number>()
  readonly #over = new Set<number>()

  /** `request` is what was asked; where that is not known every event is looked at. */
  constructor(ending: AnswerEnding | null, request: JsonFields | undefined) {
    this.#ending = ending
    this.#looksAtAll = ending !== null && (!request || ending.asksSeveral(request))
  }

  get areAllOver(): boolean {
    return this.#over.size > 0 && this.#over.size === this.#begun.size
  }

  /**
   * Takes whole lines, `text` the same as Latin-1. What a text quotes is escaped and so is not found; tools'
   * arguments are told apart by parsing.
   */
  look(lines: Buffer, text: string): void {
    if (!this.#ending) return
    if (this.#looksAtAll) {
      for (const line of linesOf(lines.toString())) this.#note(line)
      return
    }
    for (const needle of this.#ending.needles) {
      for (let at = text.indexOf(needle), next = 0; at >= 0; at = text.indexOf(needle, next)) {
        next = at + needle.length
        if (isNullAt(text, next)) continue
        next = lineEnd(text, at)
        this.#note(lineAt(lines, at))
      }
    }
  }

  #note(line: string): void {
    for (const { index, isOver } of this.#ending?.marksIn(dataOf(line)) ?? []) {
      this.#begun.add(index)
      if (isOver) this.#over.add(index)
    }
  }
}
