import { areSeparate } from '../../chat/answer/separate-texts.ts'
import type { Native } from '../../exchange.ts'

/** The texts of one answer as one, a blank line where something else stood between them. */
export class JoinedTexts {
  #hasText = false
  #isParted = false
  #last: Native | undefined

  /** Something that is no text stands here. */
  part(): void {
    this.#isParted = true
  }

  /** A text begins. */
  begin(native: Native | undefined): void {
    this.#isParted ||= areSeparate(this.#last, native)
    this.#last = native
  }

  /** The client's bytes for a piece of it. */
  add(text: string): string {
    if (text === '') return ''
    const before = this.#isParted && this.#hasText ? '\n\n' : ''
    this.#isParted = false
    this.#hasText = true
    return before + text
  }
}
