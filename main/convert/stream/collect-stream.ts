import { upstreamError } from '../errors/upstream-error.ts'
import { wrongAnswer } from '../errors/wrong-answer.ts'
import type {
  Native,
  Part,
  ReasoningPart,
  ReasoningState,
  RefusalPart,
  TextPart,
  ToolCallPart,
  Usage,
} from '../exchange.ts'
import type { Choice, ExchangeResponse } from '../exchange-response.ts'
import { asArray, asObject } from '../json/json-value.ts'
import type { StreamPart } from './stream-part.ts'

/** Limit of one answer, in characters. */
const MOST_CHARACTERS = 64 * 1024 * 1024
/** Answers to one request at most: OpenAI's limit of `n`. A wild number would make as many empty ones. */
const MOST_CHOICES = 128
/** Weight of a section, so that a wild section number cannot make millions of empty ones. */
const SECTION_CHARACTERS = 64

type Open = TextPart | RefusalPart | ReasoningPart | ToolCallPart
type StartPart = Extract<
  StreamPart,
  { type: 'text-start' | 'refusal-start' | 'reasoning-start' | 'call-start' }
>
type EndPart = Extract<
  StreamPart,
  { type: 'text-end' | 'refusal-end' | 'reasoning-end' | 'call-end' }
>
type Unfinished = Omit<Choice, 'stop'> & Partial<Pick<Choice, 'stop'>>

function begin(part: StartPart): Open {
  const native = part.native ? { native: part.native } : {}
  switch (part.type) {
    case 'text-start':
      return { type: 'text', text: '', ...native }
    case 'refusal-start':
      return { type: 'refusal', text: '', ...native }
    case 'reasoning-start':
      return { type: 'reasoning', sections: [], form: part.form, ...native }
    case 'call-start':
      return {
        type: 'call',
        id: part.id,
        name: part.name,
        ...(part.namespace === undefined ? {} : { namespace: part.namespace }),
        kind: part.kind,
        arguments: '',
        ...native,
      }
  }
}

function mergeNative(first: Native | undefined, second: Native): Native {
  if (!first || first.origin !== second.origin) return second
  return { origin: first.origin, fields: { ...first.fields, ...second.fields } }
}

/** Fields of a block's end: its state, and the vendor's own. */
function finish(open: Open, end: EndPart): void {
  const { state, native }: { state?: ReasoningState; native?: Native } =
    end.type === 'refusal-end' ? {} : end
  if (native) open.native = mergeNative(open.native, native)
  if (state && open.type !== 'refusal') open.state = state
}

/** Likely tokens come with each delta, in OpenAI's shape: `{content: […], refusal: […]}`. */
function mergeLogprobs(choice: Unfinished, logprobs: unknown): void {
  const more = asObject(logprobs)
  if (!more) return
  const merged: Record<string, unknown> = choice.logprobs ?? {}
  for (const [name, value] of Object.entries(more)) {
    const isList = Array.isArray(value)
    if (isList) merged[name] = [...asArray(merged[name]), ...value]
    else merged[name] ??= value
  }
  choice.logprobs = merged
}

/** Media and hosted results come whole, and may be large. */
const sizeOf = (part: Part): number =>
  part.type === 'media' && part.source.type === 'base64'
    ? part.source.data.length
    : JSON.stringify(part).length

class StreamCollector {
  #head: Pick<ExchangeResponse, 'id' | 'model' | 'created' | 'serviceTier' | 'native'> | null = null
  readonly #choices = new Map<number, Unfinished>()
  readonly #open = new Map<number, { part: Open; choice: number }>()
  #usage: Usage | null = null
  #isWhole = false
  #characters = 0

  push(part: StreamPart): void {
    switch (part.type) {
      case 'response-start': {
        const { type: _type, usage: _usage, ...head } = part
        this.#head = head
        break
      }
      case 'text-start':
      case 'refusal-start':
      case 'reasoning-start':
      case 'call-start': {
        const open = begin(part)
        this.#choice(part.choice).parts.push(open)
        this.#open.set(part.block, { part: open, choice: part.choice })
        break
      }
      case 'text-delta':
        if (part.logprobs !== undefined) {
          mergeLogprobs(this.#choice(this.#at(part.block).choice), part.logprobs)
        }
        this.#append(part.block, part.text)
        break
      case 'refusal-delta':
      case 'call-delta':
        this.#append(part.block, part.text)
        break
      case 'reasoning-delta':
        this.#append(part.block, part.text, part.section)
        break
      case 'text-citation': {
        const { part: open } = this.#at(part.block)
        if (open.type === 'text') open.citations = [...(open.citations ?? []), part.citation]
        break
      }
      case 'text-end':
      case 'refusal-end':
      case 'reasoning-end':
      case 'call-end':
        finish(this.#at(part.block).part, part)
        this.#open.delete(part.block)
        break
      case 'whole':
        this.#count(sizeOf(part.part))
        this.#choice(part.choice).parts.push(part.part)
        break
      case 'stop': {
        const choice = this.#choice(part.choice)
        choice.stop = part.stop
        if (part.native) choice.native = part.native
        break
      }
      case 'usage':
        this.#usage = part.usage
        break
      case 'response-end':
        this.#isWhole = true
        break
      case 'error':
        throw upstreamError(part)
    }
  }

  response(): ExchangeResponse {
    if (!this.#head || !this.#isWhole) {
      throw wrongAnswer('answer_cut_off', { code: 'upstream_cut' })
    }
    const last = Math.max(-1, ...this.#choices.keys())
    const choices = Array.from({ length: last + 1 }, (_, index): Choice => {
      const choice = this.#choices.get(index) ?? { parts: [] }
      return { ...choice, stop: choice.stop ?? { reason: 'other' } }
    })
    return { ...this.#head, choices, usage: this.#usage }
  }

  #choice(index: number): Unfinished {
    const known = this.#choices.get(index)
    if (known) return known
    if (!(Number.isInteger(index) && index >= 0 && index < MOST_CHOICES)) {
      throw wrongAnswer({ code: 'answer_choice_number', index })
    }
    const choice: Unfinished = { parts: [] }
    this.#choices.set(index, choice)
    return choice
  }

  #at(block: number): { part: Open; choice: number } {
    const open = this.#open.get(block)
    if (!open) throw wrongAnswer('answer_part_unbegun')
    return open
  }

  #append(block: number, text: string, section = 0): void {
    this.#count(text.length)
    const { part } = this.#at(block)
    if (part.type === 'call') part.arguments += text
    else if (part.type !== 'reasoning') part.text += text
    else {
      while (part.sections.length <= section) {
        this.#count(SECTION_CHARACTERS)
        part.sections.push('')
      }
      part.sections[section] += text
    }
  }

  #count(characters: number): void {
    this.#characters += characters
    if (this.#characters > MOST_CHARACTERS) {
      throw wrongAnswer({ code: 'answer_above_limit', mebibytes: 64 })
    }
  }
}

/**
 * Puts a stream's parts together to one answer. `push` throws `upstream_error` on the vendor's own failure and
 * `upstream_invalid` on an answer over 64 MiB; `response` throws `upstream_cut` before the stream has ended.
 */
export function collectStream(): {
  push(part: StreamPart): void
  response(): ExchangeResponse
} {
  return new StreamCollector()
}
