import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'

/** One event in the text of the wire. */
export const messagesEvent = (type: string, fields: JsonObject): string =>
  `event: ${type}\ndata: ${stringifyExact({ type, ...fields })}\n\n`

/**
 * Writes content blocks as events: one open at a time, indexes 0, 1, 2 without a gap. What was written stands in
 * `text` until it is taken.
 */
export class BlockWriter {
  #text = ''
  #index = -1
  #isOpen = false
  #written = 0

  /** Characters of all deltas. */
  get written(): number {
    return this.#written
  }

  /** Begins a block; the one before has to be closed. */
  open(block: JsonObject): void {
    if (this.#isOpen) throw new Error('a content block is still open')
    this.#isOpen = true
    this.#index++
    this.#event('content_block_start', { content_block: block })
  }

  /** A delta of the open block: its type and its one field. */
  delta(type: string, field: string, value: unknown): void {
    if (!this.#isOpen) throw new Error('no content block is open')
    if (typeof value === 'string') this.#written += value.length
    // Without an object for each: most of an answer comes by here.
    const delta = `{"type":"${type}","${field}":${stringifyExact(value)}}`
    this.#text += `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":${delta}}\n\n`
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#event('content_block_stop', {})
  }

  /** A block that stands whole in its start. */
  whole(block: JsonObject): void {
    this.open(block)
    this.close()
  }

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  #event(type: string, fields: JsonObject): void {
    this.#text += messagesEvent(type, { index: this.#index, ...fields })
  }
}
