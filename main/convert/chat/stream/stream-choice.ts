import { ownValue } from '../../../base/own-value.ts'
import type { AnswerTarget } from '../../conversion.ts'
import { wrongAnswer } from '../../errors/wrong-answer.ts'
import type { Citation, Native } from '../../exchange.ts'
import { isWithheld } from '../../foreign/stop-words.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { wordOf } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { inventedId } from '../../tools/tool-ids.ts'
import { encodeAnnotation } from '../answer/citations.ts'
import { encodeImage, encodeSound } from '../answer/encode-media.ts'
import { encodeDetail } from '../answer/encode-reasoning.ts'
import { extraOf, isExtra } from '../answer/extra-content.ts'
import { encodeFinishReason, finishNote } from '../answer/finish-reason.ts'
import { areSeparate } from '../answer/separate-texts.ts'
import { REASONING_GAP as GAP } from '../decode-reasoning.ts'
import { keptFields } from '../own-fields.ts'
import { detailText, fieldsOfState, writeDetail } from '../reasoning-details.ts'
import { JsonEnd } from './json-end.ts'

type Part<Type extends StreamPart['type']> = Extract<StreamPart, { type: Type }>

/** One choice of a chunk. */
export interface ChunkChoice {
  delta: JsonObject
  logprobs?: unknown
  finish?: string
  rest?: JsonObject
}

/** Limit of what one call may make the encoder hold, in characters. */
const MOST_HELD = 16 * 1024 * 1024

interface Block {
  /** Characters of the message's text, or of its thoughts, before this block. */
  start: number
  /** A blank line before its first character. */
  gap: string
  citations: Citation[]
  section: number
  /** Thoughts: as long as their vendor's own entry needs them. */
  text: string
}

interface Call {
  index: number
  id: string
  name: string
  kind: 'function' | 'freeform'
  hasStarted: boolean
  held: string
  hasText: boolean
  end: JsonEnd
}

/** Writes the deltas of one choice. */
export class StreamChoice {
  readonly #target: AnswerTarget
  readonly #index: number
  readonly #names: readonly string[]
  /** A call's signature comes at its end, but clients read it with the call's first fragment. */
  readonly #holdsCalls: boolean
  readonly #blocks = new Map<number, Block>()
  readonly #calls = new Map<number, Call>()
  #count = 0
  #images = 0
  #contentLength = 0
  #thoughtLength = 0
  #isParted = false
  #lastText: Native | undefined
  #hasRefusal = false

  constructor(target: AnswerTarget, index: number, names: readonly string[], holdsCalls: boolean) {
    this.#target = target
    this.#index = index
    this.#names = names
    this.#holdsCalls = holdsCalls
  }

  startText({ block, native }: Part<'text-start'>): ChunkChoice[] {
    const isParted = this.#isParted || areSeparate(this.#lastText, native)
    this.#open(block, this.#contentLength, isParted)
    this.#isParted = false
    this.#lastText = native
    return []
  }

  text({ block, text, logprobs }: Part<'text-delta'>): ChunkChoice[] {
    const content = this.#gapOf(block) + text
    this.#contentLength += content.length
    return [{ delta: { content }, ...(logprobs ? { logprobs } : {}) }]
  }

  cite({ block, citation }: Part<'text-citation'>): ChunkChoice[] {
    this.#blocks.get(block)?.citations.push(citation)
    return []
  }

  endText({ block, state }: Part<'text-end'>): ChunkChoice[] {
    const open = this.#close(block)
    const end = this.#contentLength
    const annotations = open.citations.flatMap(
      (citation) => encodeAnnotation(citation, open.start, end) ?? [],
    )
    const chunks: ChunkChoice[] = annotations.length > 0 ? [{ delta: { annotations } }] : []
    if (!state) return chunks
    const own = fieldsOfState(state)?.extra_content
    const detail = own ? null : encodeDetail(state, '', [0, 0])
    if (own) chunks.push({ delta: extraOf(state) })
    else if (detail) chunks.push({ delta: { reasoning_details: [detail] } })
    return chunks
  }

  refusal({ text }: Part<'refusal-delta'>): ChunkChoice[] {
    this.#hasRefusal = true
    this.#isParted = true
    return [{ delta: { refusal: text } }]
  }

  startReasoning(block: number): ChunkChoice[] {
    this.#isParted = true
    this.#open(block, this.#thoughtLength, true)
    return []
  }

  reasoning({ block, section, text }: Part<'reasoning-delta'>): ChunkChoice[] {
    const open = this.#blocks.get(block)
    if (!open) return []
    const between = open.text !== '' && section > open.section ? GAP : ''
    open.section = Math.max(open.section, section)
    open.text += between + text
    if (open.text.length > MOST_HELD) throw tooLong()
    if (this.#names.length === 0) return []
    const thought = this.#gapOf(block) + between + text
    this.#thoughtLength += thought.length
    return [{ delta: Object.fromEntries(this.#names.map((name) => [name, thought])) }]
  }

  endReasoning({ block, state, native }: Part<'reasoning-end'>): ChunkChoice[] {
    const { start, text } = this.#close(block)
    const kept = keptFields(native).reasoning_detail as JsonObject | undefined
    const detail = state
      ? encodeDetail(state, text, [start, this.#thoughtLength])
      : kept && ownValue(detailText, wordOf(kept.type)) !== undefined
        ? writeDetail(kept, text)
        : null
    return detail ? [{ delta: { reasoning_details: [detail] } }] : []
  }

  startCall(part: Part<'call-start'>): ChunkChoice[] {
    this.#isParted = true
    const index = this.#count++
    const seed = `${this.#target.id} ${this.#index} ${index} ${part.name}`
    const call: Call = {
      ...{ index, id: part.id ?? inventedId(seed), name: part.name, kind: part.kind },
      ...{ hasStarted: false, held: '', hasText: false, end: new JsonEnd() },
    }
    this.#calls.set(part.block, call)
    return this.#mustHold(call) ? [] : [this.#begin(call, '')]
  }

  call({ block, text }: Part<'call-delta'>): ChunkChoice[] {
    const call = this.#calls.get(block)
    if (!call) return []
    if (text.trim() !== '') call.hasText = true
    call.end.push(text)
    if (call.hasStarted) return [this.#fragment(call, text)]
    call.held += text
    if (call.held.length > MOST_HELD) throw tooLong()
    return this.#mustHold(call) ? [] : [this.#begin(call, call.held)]
  }

  endCall({ block, state }: Part<'call-end'>): ChunkChoice[] {
    const call = this.#calls.get(block)
    this.#calls.delete(block)
    if (!call) return []
    const extra = extraOf(state)
    const chunks: ChunkChoice[] = []
    const isEmpty = call.kind === 'function' && !call.hasText
    if (!call.hasStarted) chunks.push(this.#begin(call, isEmpty ? '{}' : call.held, extra))
    else if (isEmpty) chunks.push(this.#fragment(call, '{}', extra))
    else if (isExtra(state)) chunks.push(this.#fragment(call, undefined, extra))
    if (!state || isExtra(state)) return chunks
    const detail = encodeDetail(state, '', [0, 0])
    return detail ? [...chunks, { delta: { reasoning_details: [detail] } }] : chunks
  }

  whole({ part }: Part<'whole'>): ChunkChoice[] {
    this.#isParted = true
    if (part.type !== 'media') return []
    if (part.kind === 'audio') {
      const audio = encodeSound(part, this.#target)
      return audio ? [{ delta: { audio } }] : []
    }
    const image = part.kind === 'image' ? encodeImage(part, this.#images) : null
    if (!image) return []
    this.#images++
    return [{ delta: { images: [image] } }]
  }

  stop({ stop, native }: Part<'stop'>): ChunkChoice[] {
    const { message: _message, ...rest } = keptFields(native)
    const chunks: ChunkChoice[] = []
    const isMute = !this.#hasRefusal && this.#contentLength === 0 && isWithheld(stop)
    const seen = { calls: this.#count, hasRefusal: this.#hasRefusal }
    if (isMute && stop.explanation) chunks.push({ delta: { refusal: stop.explanation } })
    return [
      ...chunks,
      {
        delta: {},
        finish: encodeFinishReason(stop, seen),
        rest: { ...rest, ...finishNote(stop) },
      },
    ]
  }

  #open(block: number, start: number, isParted: boolean): void {
    const gap = isParted && start > 0 ? GAP : ''
    this.#blocks.set(block, { start, gap, citations: [], section: 0, text: '' })
  }

  /** The blank line before a block's first character; what cites or carries the block begins behind it. */
  #gapOf(block: number): string {
    const open = this.#blocks.get(block)
    const gap = open?.gap ?? ''
    if (open) {
      open.gap = ''
      open.start += gap.length
    }
    return gap
  }

  #close(block: number): Block {
    const open = this.#blocks.get(block)
    this.#blocks.delete(block)
    return open ?? { start: 0, gap: '', citations: [], section: 0, text: '' }
  }

  /** Freeform calls go whole: no client's library puts their fragments together. */
  #mustHold({ kind, held, end }: Call): boolean {
    if (kind === 'freeform') return true
    return this.#holdsCalls && (held === '' || end.isEnded)
  }

  #begin(call: Call, text: string, extra: JsonObject = {}): ChunkChoice {
    call.hasStarted = true
    const { index, id, name, kind } = call
    const inner =
      kind === 'freeform'
        ? { type: 'custom', custom: { name, input: text } }
        : { type: 'function', function: { name, arguments: text } }
    return { delta: { tool_calls: [{ index, id, ...inner, ...extra }] } }
  }

  #fragment({ index }: Call, text: string | undefined, extra: JsonObject = {}): ChunkChoice {
    const inner = text === undefined ? {} : { arguments: text }
    return { delta: { tool_calls: [{ index, function: inner, ...extra }] } }
  }
}

const tooLong = () => wrongAnswer('answer_part_long')
