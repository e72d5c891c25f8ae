/** An answer that an event goes on with, and whether the event ends it. */
export interface AnswerMark {
  index: number
  isOver: boolean
}

/** Which answers of a stream have begun and which are over. Where no event ends the stream, it is whole when all are. */
export class AnswerEnds {
  readonly #begun = new Set<number>()
  readonly #over = new Set<number>()

  note(marks: readonly AnswerMark[]): void {
    for (const { index, isOver } of marks) {
      this.#begun.add(index)
      if (isOver) this.#over.add(index)
    }
  }

  get areAllOver(): boolean {
    return this.#over.size > 0 && this.#over.size === this.#begun.size
  }
}
