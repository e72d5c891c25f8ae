import { isBlank } from '../../errors/is-blank.ts'
import type { HostedPart, MediaPart, NativePart } from '../../exchange.ts'
import { parseExact, stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString, wordOf } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { namelessCall } from '../../tools/nameless-call.ts'
import { upstreamSource } from '../answer/decode-response.ts'
import { decodeCitation } from '../citations.ts'
import { type BlockSource, decodeBlock, knownOfThinking, readInput } from '../decode-block.ts'
import { jsonAnswerKind, unwrapAnswer } from '../json-answer.ts'
import { ownFields } from '../own-fields.ts'

const knownOfText = new Set(['type', 'text', 'citations'])
const knownOfCall = new Set(['type', 'id', 'name', 'input'])

/** A content block of a stream that has begun. */
export interface OpenBlock {
  /** A call of one of the client's tools. */
  readonly isCall: boolean
  /** Characters kept until the block ends. */
  readonly held: number
  start(): StreamPart[]
  delta(delta: JsonObject): StreamPart[]
  end(): StreamPart[]
}

/** The reader of a block by its type; `number` gives the block's own in the exchange. */
export function openBlock(block: JsonObject, model: string, number: () => number): OpenBlock {
  const source = upstreamSource(model)
  switch (block.type) {
    case 'text':
      return new TextBlock(block, number())
    case 'thinking':
      return new ThinkingBlock(block, number(), source)
    case 'redacted_thinking':
      return new RedactedBlock(block, number(), source)
    case 'tool_use': {
      if (!block.name) return new NamelessBlock(block)
      const kind = jsonAnswerKind(wordOf(block.name))
      return kind === null
        ? new CallBlock(block, number())
        : new AnswerBlock(block, number(), kind === 'wrapped')
    }
    default:
      return new WholeBlock(block, number, source)
  }
}

class TextBlock implements OpenBlock {
  readonly isCall = false
  readonly held = 0
  readonly #block: JsonObject
  readonly #number: number
  #hasBegun = false

  constructor(block: JsonObject, number: number) {
    this.#block = block
    this.#number = number
  }

  start(): StreamPart[] {
    return [
      ...asArray(this.#block.citations).flatMap((citation) => this.#citation(citation)),
      ...this.#text(this.#block.text),
    ]
  }

  delta(delta: JsonObject): StreamPart[] {
    return delta.type === 'citations_delta'
      ? this.#citation(delta.citation)
      : this.#text(delta.text)
  }

  end(): StreamPart[] {
    return this.#hasBegun ? [{ type: 'text-end', block: this.#number }] : []
  }

  #text(text: unknown): StreamPart[] {
    if (typeof text !== 'string' || text === '') return []
    return [...this.#begin(), { type: 'text-delta', block: this.#number, text }]
  }

  #citation(value: unknown): StreamPart[] {
    const citation = decodeCitation(value)
    if (!citation) return []
    return [...this.#begin(), { type: 'text-citation', block: this.#number, citation }]
  }

  /** A block without a word is none. */
  #begin(): StreamPart[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    const { native } = ownFields(this.#block, knownOfText)
    return [{ type: 'text-start', block: this.#number, choice: 0, ...(native ? { native } : {}) }]
  }
}

class ThinkingBlock implements OpenBlock {
  readonly isCall = false
  readonly held = 0
  readonly #block: JsonObject
  readonly #number: number
  readonly #source: BlockSource
  #signature: string

  constructor(block: JsonObject, number: number, source: BlockSource) {
    this.#block = block
    this.#number = number
    this.#source = source
    this.#signature = asString(block.signature) ?? ''
  }

  start(): StreamPart[] {
    const { native } = ownFields(this.#block, knownOfThinking)
    const start = {
      type: 'reasoning-start',
      block: this.#number,
      choice: 0,
      form: 'summary',
    } as const
    return [native ? { ...start, native } : start, ...this.#text(this.#block.thinking)]
  }

  delta(delta: JsonObject): StreamPart[] {
    const signature = asString(delta.signature)
    if (signature !== undefined && signature !== '') this.#signature = signature
    return this.#text(delta.thinking)
  }

  end(): StreamPart[] {
    const end = { type: 'reasoning-end', block: this.#number } as const
    if (this.#signature === '') return [end]
    return [{ ...end, state: this.#source.state(this.#signature, 'signature') }]
  }

  #text(text: unknown): StreamPart[] {
    if (typeof text !== 'string' || text === '') return []
    return [{ type: 'reasoning-delta', block: this.#number, section: 0, text }]
  }
}

class RedactedBlock implements OpenBlock {
  readonly isCall = false
  readonly held = 0
  readonly #block: JsonObject
  readonly #number: number
  readonly #source: BlockSource

  constructor(block: JsonObject, number: number, source: BlockSource) {
    this.#block = block
    this.#number = number
    this.#source = source
  }

  start(): StreamPart[] {
    return [{ type: 'reasoning-start', block: this.#number, choice: 0, form: 'summary' }]
  }

  delta(): StreamPart[] {
    return []
  }

  end(): StreamPart[] {
    const state = this.#source.state(asString(this.#block.data) ?? '', 'redacted')
    return [{ type: 'reasoning-end', block: this.#number, state }]
  }
}

/** The input at the start is `{}`; compatible upstreams send it whole there, and no deltas. */
const initialInput = (block: JsonObject): string | null => {
  const { input } = block
  const isEmpty = input === undefined || input === null || input === ''
  return isEmpty || Object.keys(asObject(input) ?? { text: input }).length === 0
    ? null
    : readInput(input)
}

class CallBlock implements OpenBlock {
  readonly isCall = true
  readonly held = 0
  readonly #block: JsonObject
  readonly #number: number
  #hasArguments = false

  constructor(block: JsonObject, number: number) {
    this.#block = block
    this.#number = number
  }

  start(): StreamPart[] {
    const { native } = ownFields(this.#block, knownOfCall)
    return [
      {
        type: 'call-start',
        block: this.#number,
        choice: 0,
        id: asString(this.#block.id) ?? null,
        name: asString(this.#block.name) ?? '',
        kind: 'function',
        ...(native ? { native } : {}),
      },
    ]
  }

  delta({ partial_json: text }: JsonObject): StreamPart[] {
    if (typeof text !== 'string' || text === '') return []
    this.#hasArguments = true
    return [{ type: 'call-delta', block: this.#number, text }]
  }

  end(): StreamPart[] {
    const whole = this.#hasArguments ? null : initialInput(this.#block)
    const end = { type: 'call-end', block: this.#number } as const
    return whole === null ? [end] : [{ type: 'call-delta', block: this.#number, text: whole }, end]
  }
}

/** The place of a call that has no name: nothing at all, or one that cannot be run. */
class NamelessBlock implements OpenBlock {
  readonly isCall = false
  readonly held = 0
  readonly #block: JsonObject

  constructor(block: JsonObject) {
    this.#block = block
  }

  start(): StreamPart[] {
    if (isBlank([this.#block.id, this.#block.input])) return []
    throw namelessCall()
  }

  delta({ partial_json: text }: JsonObject): StreamPart[] {
    if (isBlank(text)) return []
    throw namelessCall()
  }

  end(): StreamPart[] {
    return []
  }
}

/** A call of the tool that carries an answer's schema: its arguments are the answer's text. */
class AnswerBlock implements OpenBlock {
  readonly isCall = false
  readonly #block: JsonObject
  readonly #number: number
  readonly #isWrapped: boolean
  #held = ''
  #hasText = false

  constructor(block: JsonObject, number: number, isWrapped: boolean) {
    this.#block = block
    this.#number = number
    this.#isWrapped = isWrapped
  }

  get held(): number {
    return this.#held.length
  }

  start(): StreamPart[] {
    return [{ type: 'text-start', block: this.#number, choice: 0 }]
  }

  delta({ partial_json: text }: JsonObject): StreamPart[] {
    if (typeof text !== 'string' || text === '') return []
    this.#hasText = true
    if (!this.#isWrapped) return [{ type: 'text-delta', block: this.#number, text }]
    this.#held += text
    return []
  }

  end(): StreamPart[] {
    const end = { type: 'text-end', block: this.#number } as const
    const text = this.#rest()
    return text === '' ? [end] : [{ type: 'text-delta', block: this.#number, text }, end]
  }

  #rest(): string {
    if (!this.#hasText) {
      const whole = initialInput(this.#block) ?? '{}'
      return this.#isWrapped ? unwrapped(whole) : whole
    }
    return this.#isWrapped ? unwrapped(this.#held) : ''
  }
}

/** An answer that was cut inside its wrapper stays as it is. */
function unwrapped(text: string): string {
  try {
    return stringifyExact(unwrapAnswer(parseExact(text)))
  } catch {
    return text
  }
}

/** Server tools, their results and what is not known: given on whole when they end. */
class WholeBlock implements OpenBlock {
  readonly isCall = false
  readonly #block: JsonObject
  readonly #number: () => number
  readonly #source: BlockSource
  #json = ''
  #fields: JsonObject = {}

  constructor(block: JsonObject, number: () => number, source: BlockSource) {
    this.#block = block
    this.#number = number
    this.#source = source
  }

  get held(): number {
    return this.#json.length
  }

  start(): StreamPart[] {
    return []
  }

  /** Input comes in pieces; a compaction's fields as they are. */
  delta(delta: JsonObject): StreamPart[] {
    const { type, partial_json: text, ...fields } = delta
    if (type === 'input_json_delta') this.#json += asString(text) ?? ''
    else this.#fields = { ...this.#fields, ...fields }
    return []
  }

  end(): StreamPart[] {
    const input = this.#json.trim() === '' ? {} : { input: parseInput(this.#json) }
    const part = decodeBlock({ ...this.#block, ...this.#fields, ...input }, undefined, this.#source)
    if (part.type !== 'hosted' && part.type !== 'native' && part.type !== 'media') return []
    const whole: HostedPart | NativePart | MediaPart = part
    return [{ type: 'whole', block: this.#number(), choice: 0, part: whole }]
  }
}

/** A server tool's input; the text itself where the stream was cut inside. */
function parseInput(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}
