import { wrongAnswer } from '../../errors/wrong-answer.ts'
import type { Citation, HostedPart, ReasoningState, ToolCallPart } from '../../exchange.ts'
import { readArguments } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { DroppedGap, GAP, movedCitation } from '../../stream/dropped-gap.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import {
  encodeAnswerCall,
  encodeAnswerMedia,
  signatureOf,
  stateAlone,
  withThoughts,
} from '../answer/encode-answer-parts.ts'
import { encodeGrounding } from '../answer/grounding.ts'
import { encodeLogprobs } from '../answer/logprobs-result.ts'
import { FORMAT } from '../wire-fields.ts'

/** Characters of calls that one answer may make the gateway hold. */
const MOST = 16 * 1024 * 1024
/** Characters of text and of a thought that are kept for what may come behind them. */
const MOST_TEXT = 4 * 1024 * 1024

type BlockPart = Exclude<
  StreamPart,
  { type: 'response-start' | 'usage' | 'stop' | 'response-end' | 'error' }
>

type HeldCall = Omit<ToolCallPart, 'type'> & { pieces: string[] }

interface Words {
  /** Where the block begins in the answer's text, in characters. */
  from: number
  citations: Citation[]
  /** The section of thoughts that was written last. */
  section: number
  /** The thoughts so far. */
  thoughts: string
}

/** One answer of a stream: what each event adds to its content, in wire parts. */
export class ChoiceEncoder {
  readonly #showsThoughts: boolean
  readonly #calls = new Map<number, HeldCall>()
  readonly #words = new Map<number, Words>()
  /** Whole calls that are no JSON: whether to mend them is known only at the end. */
  readonly #broken: { call: HeldCall; state: ReasoningState | undefined }[] = []
  readonly #hosted: HostedPart[] = []
  readonly #gap = new DroppedGap()
  /** The block of the thought that was written last, with nothing behind it. */
  #thought: number | undefined
  #text = ''
  #held = 0
  /** State of another vendor's thoughts that waits for the next text or call. */
  #pending: ReasoningState | undefined

  constructor(showsThoughts: boolean) {
    this.#showsThoughts = showsThoughts
  }

  /** The wire parts of an event, none while something is held; `logprobs` beside them. */
  push(part: BlockPart): { parts: JsonObject[]; logprobs: JsonObject } {
    const logprobs = part.type === 'text-delta' ? encodeLogprobs(part.logprobs) : {}
    return { parts: this.#push(part), logprobs }
  }

  #push(sent: BlockPart): JsonObject[] {
    const part =
      sent.type === 'text-delta' || sent.type === 'text-citation' ? this.#gap.push(sent) : sent
    if (part.type === 'text-start') this.#gap.startText(part.block)
    if (part.type === 'call-start') this.#gap.kept()
    switch (part.type) {
      case 'text-start':
      case 'refusal-start':
      case 'reasoning-start':
        this.#words.set(part.block, {
          from: this.#text.length,
          citations: [],
          section: 0,
          thoughts: '',
        })
        return []
      case 'text-delta':
      case 'refusal-delta':
        if (part.text === '') return []
        this.#thought = undefined
        if (this.#text.length <= MOST_TEXT) this.#text += part.text
        return [{ text: part.text, ...signatureOf(this.#take()) }]
      case 'text-citation':
        this.#words.get(part.block)?.citations.push(part.citation)
        return []
      case 'text-end':
        // Google signs a text on an empty part behind it.
        return part.state ? [{ text: '', ...signatureOf(part.state) }] : []
      case 'refusal-end':
        return []
      case 'reasoning-delta':
        return this.#think(part)
      case 'reasoning-end':
        return this.#thoughtState(part)
      case 'call-start':
      case 'call-delta':
      case 'call-end':
        return this.#call(part)
      case 'whole':
        return this.#whole(part.part)
    }
  }

  #think({ block, section, text }: StreamPart & { type: 'reasoning-delta' }): JsonObject[] {
    const words = this.#words.get(block)
    if (text === '' || !words) return []
    const more = section > words.section ? `\n\n${text}` : text
    words.section = section
    if (words.thoughts.length <= MOST_TEXT) words.thoughts += more
    // Clients join thoughts; the text that goes with its state is the vendor's own.
    const gap = this.#thought !== undefined && this.#thought !== block ? GAP : ''
    this.#thought = block
    return this.#showsThoughts ? [{ text: gap + more, thought: true }] : []
  }

  #thoughtState({ block, state }: StreamPart & { type: 'reasoning-end' }): JsonObject[] {
    const thoughts = this.#words.get(block)?.thoughts ?? ''
    if (!state) return []
    if (state.origin === FORMAT) return state.data === '' ? [] : [stateAlone(state)]
    const before = this.#take()
    this.#pending = withThoughts(state, thoughts)
    return before ? [stateAlone(before)] : []
  }

  #call(part: StreamPart & { type: 'call-start' | 'call-delta' | 'call-end' }): JsonObject[] {
    this.#thought = undefined
    if (part.type === 'call-start') {
      const { type: _, block, choice: __, ...head } = part
      this.#calls.set(block, { ...head, arguments: '', pieces: [] })
      return []
    }
    const call = this.#calls.get(part.block)
    if (!call) return []
    if (part.type === 'call-delta') {
      this.#hold(part.text.length)
      call.pieces.push(part.text)
      return []
    }
    this.#calls.delete(part.block)
    call.arguments = call.pieces.join('')
    const state = part.state ?? this.#take()
    if (call.kind === 'function' && readArguments(call.arguments).isRaw) {
      this.#broken.push({ call, state })
      return []
    }
    this.#hold(-call.arguments.length)
    return [encodeAnswerCall(call, state, false)]
  }

  #whole(part: (StreamPart & { type: 'whole' })['part']): JsonObject[] {
    if (part.type === 'media') {
      const wire = encodeAnswerMedia(part)
      if (wire) this.#gap.kept()
      else this.#gap.dropped()
      return wire ? [wire] : []
    }
    if (part.origin === FORMAT) {
      this.#gap.kept()
      return [part.value]
    }
    this.#gap.dropped()
    if (part.type === 'hosted') this.#hosted.push(part)
    return []
  }

  /** Calls whose arguments are no JSON, mended where the answer was cut. */
  heldCalls(wasCut: boolean): JsonObject[] {
    return this.#broken.splice(0).map(({ call, state }) => encodeAnswerCall(call, state, wasCut))
  }

  /** Content of the last chunk: a state that found no part, and the sources of the whole text. */
  last(): { parts: JsonObject[]; grounding: JsonObject } {
    const state = this.#take()
    const citations = [...this.#words.values()].flatMap((words) =>
      words.citations.map((citation) => movedCitation(citation, words.from)),
    )
    return {
      parts: [state ? stateAlone(state) : { text: '' }],
      grounding: encodeGrounding([{ text: this.#text, citations, partIndex: 0 }], this.#hosted),
    }
  }

  #take(): ReasoningState | undefined {
    const state = this.#pending
    this.#pending = undefined
    return state
  }

  #hold(characters: number): void {
    this.#held += characters
    if (this.#held > MOST) {
      throw wrongAnswer('answer_too_long')
    }
  }
}
