import { estimateTokens } from '../../base/estimate-tokens.ts'
import { countsNothing } from '../estimate/counts-nothing.ts'
import type { Usage } from '../exchange.ts'
import type { JsonFields } from '../json/json-fields.ts'
import { AnswerEnds } from './answer-ends.ts'
import type { EventForm } from './event-form.ts'
import { dataOf, isHalfData, lineAt, lineEnd, linesOf, linesWith } from './event-lines.ts'
import { EventsIntake } from './events-intake.ts'
import { FirstContent } from './first-content.ts'
import { LongLine } from './long-line.ts'
import type { StreamScanner, VendorError } from './stream-scanner.ts'
import { toldUsage } from './told-usage.ts'

const NEWLINE = 0x0a
const RETURN = 0x0d
const EMPTY = Buffer.alloc(0)
const ERROR_NEEDLE = '"error"'
/**
 * A line longer than this is passed on but no longer looked at as a whole; images of 4K resolution fit.
 */
const MAX_LINE = 64 * 1024 * 1024
/** From so many bytes on a line is not looked at as a whole when it ends, but while it comes. */
const LONG_LINE = 256 * 1024
/** Bytes of a stream's start kept to estimate a cut stream's output. */
const SAMPLE = 8 * 1024

/** Data of an event; OpenAI's `[DONE]` alone is an answer without any. */
const EVENT = /^data:(?!\s*\[DONE\])/m

/** A string behind its key. */
const NAME = /^(\s*:\s*)"(?:[^"\\]|\\.)*"/
/** In bytes, with what may stand before it. */
const LONGEST_NAME = 4096

/**
 * The scanner of a server-sent event stream, for every format that has one. Only whole lines are given
 * out: half a line is of no use to a client, and an error event could not follow it.
 */
export class EventScanner implements StreamScanner {
  readonly #form: EventForm
  readonly #withholdUsage: boolean
  readonly #showModel: string | null
  readonly #changes: boolean
  readonly #ends: AnswerEnds
  readonly #content: FirstContent
  readonly #intake = new EventsIntake()
  /**
   * The line that is not whole yet, in pieces: put together only once, since a picture is one line of
   * megabytes.
   */
  #held: Buffer[] = []
  #heldSize = 0
  /** A part of that line has been given out already. */
  #isTooLong = false
  #dropBlank = false
  #lastByte = NEWLINE
  #byteBefore = NEWLINE
  /** That line as far as it is looked at, where it is a long one. */
  #long: LongLine | null = null
  /** The last line names the event that ends the answer, whose data is still to come. */
  #isEndNamed = false
  #usageLines: string[] = []
  /** The lines looked at last tell usage: most of OpenAI's say that it's null. */
  #tellsUsage = false
  /** As Latin-1. */
  #sample = ''
  #size = 0
  isTerminated = false
  hasBegun = false
  error: VendorError | null = null

  /** `request` is what was asked; where that is not known every event is looked at. */
  constructor(
    form: EventForm,
    options: { withholdUsage: boolean; showModel: string | null; request?: JsonFields },
  ) {
    this.#form = form
    this.#content = new FirstContent(form)
    this.#ends = new AnswerEnds(form.answerEnding, options.request)
    this.#withholdUsage = options.withholdUsage
    this.#showModel = options.showModel
    this.#changes = options.withholdUsage || options.showModel !== null
  }

  get hasContent(): boolean {
    return this.#content.isFound
  }

  get isAtBoundary(): boolean {
    return (
      this.#lastByte === NEWLINE && (this.#byteBefore === NEWLINE || this.#byteBefore === RETURN)
    )
  }

  push(chunk: Buffer): Buffer {
    return this.#pushLines(this.#intake.push(chunk))
  }

  #pushLines(chunk: Buffer): Buffer {
    if (chunk.length === 0) return EMPTY
    const isClosed = chunk[chunk.length - 1] === NEWLINE
    const end = isClosed ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1
    let out = end > 0 ? this.#takeLines(isClosed ? chunk : chunk.subarray(0, end)) : EMPTY
    if (!isClosed) this.#hold(end > 0 ? chunk.subarray(end) : chunk)
    if (this.#heldSize > MAX_LINE) {
      // Too long to be looked at, but it still belongs to the client.
      out = Buffer.concat([out, this.#takeHeld(EMPTY)])
      this.#long = null
      this.#isTooLong = true
    }
    return this.#out(out)
  }

  flush(): Buffer {
    const last = this.#pushLines(this.#intake.end())
    const rest = this.#flushHeld()
    return last.length > 0 ? Buffer.concat([last, rest]) : rest
  }

  #flushHeld(): Buffer {
    if (this.#heldSize === 0) return EMPTY
    const last = this.#long?.short ?? Buffer.concat(this.#held)
    if (!this.#isTooLong && isHalfData(last.toString())) return this.#dropHalf(last)
    // The last event may lack its line end.
    if (this.#long) return this.#out(this.#takeLong(this.#long, EMPTY))
    return this.#out(this.#takeLines(EMPTY))
  }

  isWhole(): boolean {
    return this.isTerminated || this.#ends.areAllOver
  }

  /** The first and the last event that tell usage. */
  protected usageEvents(): unknown[] {
    return this.#usageLines.map(dataOf)
  }

  /** Usage as the vendor's events tell it. */
  protected told(): Usage | null {
    return toldUsage(this.usageEvents().map((event) => this.#form.readUsage(event)))
  }

  usage(): Usage | null {
    const told = this.told()
    return told && this.hasContent && countsNothing(told) ? null : told
  }

  estimateOutput(): number {
    const sample = Buffer.from(this.#sample, 'latin1')
    let text = ''
    for (const line of sample.toString().split('\n')) {
      text += this.#form.readText(dataOf(line.trim()))
    }
    const seen = Math.max(1, sample.length)
    return Math.ceil((estimateTokens(text) * this.#size) / seen)
  }

  /** Takes what ends in a line end; gives what goes out of it. */
  #takeLines(closed: Buffer): Buffer {
    if (this.#long) return this.#takeLong(this.#long, closed)
    const lines = this.#takeHeld(closed)
    this.#inspect(this.#isTooLong ? lines.subarray(lines.indexOf(NEWLINE) + 1) : lines)
    this.#isTooLong = false
    const passed = this.error === null ? lines : this.#withoutEnd(lines)
    // Most chunks of a stream that only withholds its usage have nothing to do with it.
    const mayChange = this.#showModel !== null || this.#dropBlank || this.#tellsUsage
    return this.#changes && mayChange ? this.#change(passed) : passed
  }

  /** Behind an error of the vendor's nothing says that the answer is whole. */
  #withoutEnd(lines: Buffer): Buffer {
    const { terminalNeedle } = this.#form
    const at = terminalNeedle === null ? -1 : lines.indexOf(terminalNeedle)
    if (at < 0 || !terminalNeedle || !this.#form.isTerminalLine(lineAt(lines, at))) return lines
    return lines.subarray(0, lines.lastIndexOf(NEWLINE, at) + 1)
  }

  /** Half an event says nothing and goes to nobody, but it has been made. */
  #dropHalf(line: Buffer): Buffer {
    this.#addSample(line.toString('latin1'))
    this.#size += this.#heldSize
    this.hasBegun = true
    this.#takeHeld(EMPTY)
    return EMPTY
  }

  /** As `takeLines`, where the first is a long one. */
  #takeLong(line: LongLine, closed: Buffer): Buffer {
    const first = closed.subarray(0, closed.indexOf(NEWLINE) + 1)
    const others = closed.subarray(first.length)
    this.#long = null
    line.push(first)
    const isWhole = !this.#isTooLong
    this.#isTooLong = false
    const { short } = line
    if (isWhole) this.#inspect(short, this.#heldSize + first.length)
    if (others.length > 0) this.#inspect(others)
    if (!this.#changes) return this.#takeHeld(closed)
    const bytes = this.#takeHeld(first)
    const changed = isWhole ? this.#changeLong(bytes, short) : [bytes]
    return Buffer.concat([...changed, this.#change(others)])
  }

  #hold(piece: Buffer): void {
    this.#held.push(piece)
    this.#heldSize += piece.length
    if (this.#long) this.#long.push(piece)
    else if (this.#heldSize > LONG_LINE) {
      this.#long = new LongLine()
      for (const one of this.#held) this.#long.push(one)
    }
  }

  /** The held bytes, with those that follow. */
  #takeHeld(after: Buffer): Buffer {
    if (this.#heldSize === 0) return after
    const taken = Buffer.concat([...this.#held, after])
    this.#held = []
    this.#heldSize = 0
    return taken
  }

  #out(bytes: Buffer): Buffer {
    const length = bytes.length
    if (length > 1) {
      this.#byteBefore = bytes[length - 2] as number
      this.#lastByte = bytes[length - 1] as number
    } else if (length === 1) {
      this.#byteBefore = this.#lastByte
      this.#lastByte = bytes[0] as number
    }
    // A `\r\n` pair counts as one line end.
    if (this.#lastByte === NEWLINE && this.#byteBefore === RETURN && length > 2) {
      this.#byteBefore = bytes[length - 3] as number
    }
    return bytes
  }

  /**
   * Looks at whole lines, all at once: most chunks carry nothing of interest. As Latin-1, because a
   * string is searched several times faster than a buffer, and all that is looked for is ASCII. `size`:
   * bytes that they stand for.
   */
  #inspect(lines: Buffer, size = lines.length): void {
    this.#size += size
    const text = lines.toString('latin1')
    const { usageNeedle, terminalNeedle } = this.#form
    this.#addSample(text)
    if (!this.hasBegun && EVENT.test(text)) this.hasBegun = true
    this.#content.look(text)
    this.#tellsUsage = false
    for (const line of linesWith(usageNeedle, lines, text)) {
      this.#tellsUsage = true
      // The first may hold what later ones leave out; of the rest only the last counts.
      if (this.#usageLines.length < 2) this.#usageLines.push(line)
      else this.#usageLines[1] = line
    }
    this.#ends.look(lines, text)
    // Behind its end a stream says nothing more.
    if (this.isTerminated) return
    const end = terminalNeedle === null ? -1 : this.#endIn(lines, text, terminalNeedle)
    this.#noteError(lines, end < 0 ? text : text.slice(0, end))
    if (this.error !== null) return
    this.isTerminated = this.#isEndNamed
    if (end < 0) return
    this.#isEndNamed = text.startsWith('event:', text.lastIndexOf('\n', text.length - 2) + 1)
    this.isTerminated = !this.#isEndNamed
  }

  /** Index in the terminal line, or -1. */
  #endIn(lines: Buffer, text: string, needle: string): number {
    let at = text.indexOf(needle)
    while (at >= 0 && !this.#form.isTerminalLine(lineAt(lines, at))) {
      at = text.indexOf(needle, lineEnd(text, at))
    }
    return at
  }

  /** Whole lines, until there are enough: each of them is parsed for an estimate. */
  #addSample(text: string): void {
    const left = SAMPLE - this.#sample.length
    if (left > 0) this.#sample += text.slice(0, lineEnd(text, left))
  }

  /** `text`: the same lines, as far as an error counts. */
  #noteError(lines: Buffer, text: string): void {
    for (const line of linesWith(ERROR_NEEDLE, lines, text)) {
      // Responses says `"error":null` before it says what went wrong.
      this.error = this.#form.readError(dataOf(line))
      if (this.error !== null) return
    }
  }

  /** Whole lines without the usage event the client did not ask for, under the asked model's name. */
  #change(lines: Buffer): Buffer {
    const out: string[] = []
    for (const line of linesOf(lines.toString())) {
      const text = line.trimEnd()
      if (this.#dropBlank && text === '') {
        this.#dropBlank = false
        continue
      }
      this.#dropBlank = false
      if (this.#withholdUsage && text.includes(this.#form.usageNeedle)) {
        if (this.#form.isUsageOnly(dataOf(text))) {
          this.#dropBlank = true
          continue
        }
      }
      out.push(this.#showModel === null ? line : this.#rename(line, this.#showModel))
    }
    return Buffer.from(out.join(''))
  }

  /** As `change`, of one long line, whose short form says what it is. */
  #changeLong(line: Buffer, short: Buffer): Buffer[] {
    this.#dropBlank = false
    const text = short.toString().trimEnd()
    if (this.#withholdUsage && text.includes(this.#form.usageNeedle)) {
      this.#dropBlank = this.#form.isUsageOnly(dataOf(text))
      if (this.#dropBlank) return []
    }
    const model = this.#showModel
    if (model === null || !text.startsWith('data:')) return [line]
    const { renameLine, modelKey } = this.#form
    if (renameLine) return [Buffer.from(renameLine(line.toString(), model))]
    const key = line.indexOf(modelKey)
    if (key < 0) return [line]
    const start = key + modelKey.length
    // As Latin-1 every byte keeps its place.
    const named = NAME.exec(line.toString('latin1', start, start + LONGEST_NAME))
    if (!named) return [line]
    const name = Buffer.from(named[1] + JSON.stringify(model))
    return [line.subarray(0, start), name, line.subarray(start + named[0].length)]
  }

  #rename(line: string, model: string): string {
    if (this.#form.renameLine) return this.#form.renameLine(line, model)
    const key = line.indexOf(this.#form.modelKey)
    if (key < 0 || !line.startsWith('data:')) return line
    const start = key + this.#form.modelKey.length
    const match = NAME.exec(line.slice(start))
    if (!match) return line
    const end = start + match[0].length
    return line.slice(0, start) + match[1] + JSON.stringify(model) + line.slice(end)
  }
}
