const NEWLINE = 0x0a
const RETURN = 0x0d
const DATA = 'data:'
/** First byte of a byte order mark, as Latin-1. */
const MARK = '\u00ef'
/** In bytes; nobody waits longer for a line's end to come. */
const LONGEST_LINE = 256 * 1024

/** Plain: lines end in LF or CRLF and an event has one data line. Odd: all else that the standard allows. */
export type EventsForm = 'plain' | 'odd'

/** Finds out, while a stream of server-sent events begins, what form it has. */
export class EventsBeginning {
  /** The first bytes of the line at hand, as Latin-1. */
  #line = ''
  #length = 0
  #isFirst = true
  /** A CR has come, and what follows it has not. */
  #isReturn = false
  #isBehindData = false
  #isBehindBlank = false

  /** Bytes so far hold no event and mean the same in either form. */
  get isSettled(): boolean {
    return this.#isBehindBlank && this.#length === 0 && !this.#isReturn
  }

  /** Its form, or null while that is unknown. */
  push(chunk: Buffer): EventsForm | null {
    for (let at = 0; at < chunk.length; ) {
      if (this.#isReturn && chunk[at] !== NEWLINE) return 'odd'
      const end = endOfLine(chunk, at)
      if (this.#line.length < DATA.length) {
        this.#line += chunk.toString('latin1', at, Math.min(end, at + DATA.length))
      }
      this.#length += end - at
      const isEnded = end < chunk.length
      const form = this.#judge(isEnded)
      if (form) return form
      if (!isEnded) break
      this.#isReturn = chunk[end] === RETURN
      if (!this.#isReturn) this.#endLine()
      at = end + 1
    }
    return null
  }

  /** The body has ended. */
  end(): EventsForm {
    return this.#isReturn ? 'odd' : 'plain'
  }

  #judge(isEnded: boolean): EventsForm | null {
    if (this.#isFirst && this.#line.startsWith(MARK)) return 'odd'
    if (this.#length > LONGEST_LINE) return 'plain'
    if (!this.#isBehindData) return null
    if (this.#line.startsWith(DATA)) return 'odd'
    return isEnded || !DATA.startsWith(this.#line) ? 'plain' : null
  }

  #endLine(): void {
    this.#isBehindData = this.#line.startsWith(DATA)
    this.#isBehindBlank = this.#length === 0
    this.#isFirst = false
    this.#line = ''
    this.#length = 0
  }
}

/** Index of the next CR or LF, or the length. */
function endOfLine(chunk: Buffer, from: number): number {
  const feed = chunk.indexOf(NEWLINE, from)
  const end = feed < 0 ? chunk.length : feed
  const back = chunk.subarray(from, end).indexOf(RETURN)
  return back < 0 ? end : from + back
}
