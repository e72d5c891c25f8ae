import type { EventForm } from './event-form.ts'
import { dataOf } from './event-lines.ts'

/** Lines that are looked at: a stream with no text, such as a picture's, isn't parsed line by line to its end. */
const MOST_LINES = 200
/** Characters of a line that is looked at. */
const LONGEST_LINE = 256 * 1024

/** Looks for a stream's first event with text, reasoning or a tool's arguments: an opening event has none. */
export class FirstContent {
  readonly #readText: EventForm['readText']
  #lines = 0
  isFound = false

  constructor({ readText }: EventForm) {
    this.#readText = readText
  }

  /** Takes whole lines, as Latin-1. */
  look(text: string): void {
    if (this.isFound || this.#lines >= MOST_LINES) return
    for (let at = 0, end = 0; at < text.length && this.#lines < MOST_LINES; at = end + 1) {
      end = text.indexOf('\n', at)
      if (end < 0) end = text.length
      if (!text.startsWith('data:', at) || end - at > LONGEST_LINE) continue
      const line = text.slice(at, end)
      this.#lines++
      if (this.#readText(dataOf(line.trimEnd())) === '') continue
      this.isFound = true
      return
    }
  }
}
