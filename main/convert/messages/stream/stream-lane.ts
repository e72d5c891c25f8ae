import type { Citation, Native, ReasoningState } from '../../exchange.ts'
import { readArguments, stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { signatureOf } from '../answer/answer-block.ts'
import { encodeCitation } from '../citations.ts'
import { keptFields } from '../own-fields.ts'
import type { BlockWriter } from './block-writer.ts'

type Delta = Extract<
  StreamPart,
  { type: 'text-delta' | 'text-citation' | 'refusal-delta' | 'reasoning-delta' | 'call-delta' }
>
type End = Extract<StreamPart, { type: 'text-end' | 'refusal-end' | 'reasoning-end' | 'call-end' }>

/**
 * One part of an answer on its way into content blocks. Parts may arrive interleaved, blocks may not: while
 * another lane has the open block, what arrives is kept.
 */
export abstract class Lane {
  /** May its block be closed and gone on with in another one? */
  abstract readonly isSplittable: boolean
  #waiting: Delta[] = []
  #held = 0
  protected isEnded = false
  protected state: ReasoningState | undefined
  isDone = false

  /** Characters that wait. */
  get held(): number {
    return this.#held
  }

  /** Is there something to write? */
  get isReady(): boolean {
    return this.#waiting.length > 0 || this.isEnded
  }

  protected get waitingParts(): number {
    return this.#waiting.length
  }

  take(part: Delta): void {
    this.#waiting.push(part)
    this.#held += 'text' in part ? part.text.length : 256
  }

  end(part: End | null): void {
    this.isEnded = true
    if (part && 'state' in part) this.state = part.state
  }

  /** Writes what waits, and the block's end when the part has ended. */
  write(writer: BlockWriter): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#held = 0
    this.begin(writer)
    for (const part of waiting) this.writeDelta(part, writer)
    if (!this.isEnded) return
    this.finish(writer)
    this.isDone = true
  }

  /** Closes the block for now. */
  abstract suspend(writer: BlockWriter): void
  protected begin(_writer: BlockWriter): void {}
  protected abstract writeDelta(part: Delta, writer: BlockWriter): void
  protected abstract finish(writer: BlockWriter): void
}

/** Text or a refusal. Its block begins with its first character: an empty one is refused ever after. */
export class TextLane extends Lane {
  readonly isSplittable = true
  readonly #fields: JsonObject
  #isOpen = false
  #citations: Citation[] = []

  constructor(native: Native | undefined) {
    super()
    this.#fields = keptFields(native)
  }

  protected writeDelta(part: Delta, writer: BlockWriter): void {
    if (part.type === 'text-citation') {
      this.#citations.push(part.citation)
      if (this.#isOpen) this.#cite(writer)
      return
    }
    if (!('text' in part) || part.text === '') return
    if (!this.#isOpen) {
      this.#isOpen = true
      writer.open({ type: 'text', text: '', citations: null, ...this.#fields })
      this.#cite(writer)
    }
    writer.delta('text_delta', 'text', part.text)
  }

  #cite(writer: BlockWriter): void {
    for (const citation of this.#citations.splice(0)) {
      const encoded = encodeCitation(citation, '')
      if (encoded) writer.delta('citations_delta', 'citation', encoded)
    }
  }

  suspend(writer: BlockWriter): void {
    if (this.#isOpen) writer.close()
    this.#isOpen = false
  }

  /** State on a text is left out: see `answerBlocks`. */
  protected finish(writer: BlockWriter): void {
    this.suspend(writer)
  }
}

/** A thinking block that holds nothing but state. */
function writeState(state: ReasoningState, model: string, writer: BlockWriter): void {
  writer.open({ type: 'thinking', thinking: '', signature: '' })
  writer.delta('signature_delta', 'signature', signatureOf(state, model))
  writer.close()
}

/** Thoughts, which end with their signature, or with the mark of another vendor's. */
export class ReasoningLane extends Lane {
  readonly isSplittable = true
  readonly #fields: JsonObject
  readonly #model: string
  readonly #isHidden: boolean
  #isOpen = false
  #hasText = false
  #section = 0

  /** `isHidden`: the client wants the state alone. */
  constructor(native: Native | undefined, model: string, isHidden: boolean) {
    super()
    this.#fields = keptFields(native)
    this.#model = model
    this.#isHidden = isHidden
  }

  protected writeDelta(part: Delta, writer: BlockWriter): void {
    if (part.type !== 'reasoning-delta' || part.text === '' || this.#isHidden) return
    const isNewSection = part.section > this.#section && this.#isOpen
    this.#section = part.section
    if (!this.#isOpen) {
      this.#isOpen = true
      this.#hasText = true
      writer.open({ type: 'thinking', thinking: '', signature: '', ...this.#fields })
    }
    if (isNewSection) writer.delta('thinking_delta', 'thinking', '\n\n')
    writer.delta('thinking_delta', 'thinking', part.text)
  }

  suspend(writer: BlockWriter): void {
    if (this.#isOpen) this.#close(undefined, writer)
  }

  protected finish(writer: BlockWriter): void {
    const { state } = this
    const isOwn = state?.origin === 'messages'
    if (state && isOwn && state.kind === 'redacted') {
      if (this.#isOpen) this.#close(undefined, writer)
      writer.whole({ type: 'redacted_thinking', data: state.data })
    } else if (this.#isOpen) this.#close(state, writer)
    // The vendor's own signature fits only the whole text, which has been divided.
    else if (state && !(isOwn && this.#hasText)) writeState(state, this.#model, writer)
  }

  #close(state: ReasoningState | undefined, writer: BlockWriter): void {
    this.#isOpen = false
    writer.delta('signature_delta', 'signature', signatureOf(state, this.#model))
    writer.close()
  }
}

/** A call of one of the client's tools. */
export class CallLane extends Lane {
  readonly isSplittable = false
  readonly #block: JsonObject
  readonly #model: string
  readonly #isFreeform: boolean
  #isOpen = false
  /**
   * State comes with a call's end and belongs before its block. Vendors that have such state send the call in
   * one piece, so the block waits for a second piece, or until something else comes.
   */
  #mayWait = true
  /** Arguments that do not begin as an object yet, or never will. */
  #odd = ''
  /** They never will: what comes is not looked at again. */
  #isOdd = false
  #isObject = false

  /** `block` is the tool_use block with its input `{}`; free text becomes the one argument `input`. */
  constructor(block: JsonObject, model: string, isFreeform: boolean) {
    super()
    this.#block = block
    this.#model = model
    this.#isFreeform = isFreeform
  }

  override get isReady(): boolean {
    return this.isEnded || !this.#mayWait || this.waitingParts > 1
  }

  /** Something else has come: no more waiting. */
  hurry(): void {
    this.#mayWait = false
  }

  protected override begin(writer: BlockWriter): void {
    if (this.#isOpen) return
    if (this.state) {
      writeState(this.state, this.#model, writer)
      this.state = undefined
    }
    this.#isOpen = true
    this.#mayWait = false
    writer.open(this.#block)
    // As the vendor begins each call; one without arguments has nothing more.
    writer.delta('input_json_delta', 'partial_json', '')
  }

  protected writeDelta(part: Delta, writer: BlockWriter): void {
    if (part.type !== 'call-delta') return
    if (this.#isObject) {
      if (part.text !== '') writer.delta('input_json_delta', 'partial_json', part.text)
      return
    }
    const text = this.#isOdd ? '' : part.text.trimStart()
    this.#isOdd ||= this.#isFreeform || (text !== '' && !text.startsWith('{'))
    if (text === '' || this.#isOdd) {
      this.#odd += part.text
      return
    }
    this.#isObject = true
    this.#odd = ''
    writer.delta('input_json_delta', 'partial_json', text)
  }

  override get held(): number {
    return super.held + this.#odd.length
  }

  suspend(): void {}

  protected finish(writer: BlockWriter): void {
    const value = this.#isFreeform ? { input: this.#odd } : readArguments(this.#odd).value
    if (Object.keys(value).length > 0) {
      writer.delta('input_json_delta', 'partial_json', stringifyExact(value))
    }
    writer.close()
    if (this.state) writeState(this.state, this.#model, writer)
  }
}

/** Blocks that are whole when they come. */
export class WholeLane extends Lane {
  readonly isSplittable = false
  readonly #blocks: readonly JsonObject[]

  constructor(blocks: readonly JsonObject[]) {
    super()
    this.#blocks = blocks
    this.isEnded = true
  }

  suspend(): void {}
  protected writeDelta(): void {}

  protected finish(writer: BlockWriter): void {
    for (const block of this.#blocks) writeWhole(block, writer)
  }
}

/** As the vendor does: a tool's input and a compaction's content in a delta, text too. */
function writeWhole(block: JsonObject, writer: BlockWriter): void {
  const { type } = block
  if (type === 'server_tool_use' || type === 'mcp_tool_use') {
    writer.open({ ...block, input: {} })
    writer.delta('input_json_delta', 'partial_json', stringifyExact(block.input ?? {}))
    writer.close()
  } else if (type === 'text') {
    writer.open({ ...block, text: '' })
    writer.delta('text_delta', 'text', block.text)
    writer.close()
  } else if (type === 'thinking') {
    writer.open({ ...block, signature: '' })
    writer.delta('signature_delta', 'signature', block.signature)
    writer.close()
  } else writer.whole(block)
}
