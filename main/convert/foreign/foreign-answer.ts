import type { CallFormat } from '../call-format.ts'
import type {
  Citation,
  HostedPart,
  MediaPart,
  Native,
  NativePart,
  Part,
  TextPart,
} from '../exchange.ts'
import type { Choice, ExchangeResponse, Stop } from '../exchange-response.ts'
import { asArray, asObject, asString, wordOf } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'
import { cleanMedia } from '../media/media.ts'
import type { StreamPart } from '../stream/stream-part.ts'
import type { AnswerPlaces } from './answer-places.ts'
import { textOfUnknown } from './text-of-unknown.ts'

/**
 * Fields of answers, by the format that has them, whose absence elsewhere is no loss: ids and marks of the vendor's
 * own, what an answer repeats of its request, and what stands in the exchange in another form.
 */
const meaninglessFields: Readonly<Partial<Record<Native['origin'], ReadonlySet<string>>>> = {
  chat: new Set([
    ...['index', 'type', 'system_fingerprint', 'native_finish_reason', 'stop_reason', 'token_ids'],
    ...['token_id', 'p'],
    // A thought's state and text go over; the rest is how OpenRouter lists it.
    'reasoning_detail',
    // Tokens go over; no format has a field for prices.
    'usage',
    // Spoken output: its data goes over as a file.
    'audio',
  ]),
  messages: new Set(['type', 'id', 'citations', 'container_upload']),
  'generate-content': new Set([
    ...['index', 'tokenCount', 'createTime', 'usageMetadata', 'sdkHttpResponse', 'logprobsResult'],
  ]),
  responses: new Set([
    ...[
      'id',
      'item_id',
      'status',
      'type',
      'role',
      'logprobs',
      'background',
      'billing',
      'conversation',
    ],
    ...['frequency_penalty', 'presence_penalty', 'instructions', 'max_output_tokens'],
    ...['max_tool_calls', 'metadata', 'parallel_tool_calls', 'previous_response_id', 'prompt'],
    ...['prompt_cache_key', 'prompt_cache_retention', 'reasoning', 'safety_identifier'],
    ...['service_tier', 'store', 'temperature', 'text', 'tool_choice', 'tools', 'top_logprobs'],
    ...['top_p', 'truncation', 'user', 'access_programs', 'image', 'prompt_cache_options'],
    // Its tokens and searches are counted.
    'tool_usage',
  ]),
}

/** Fields of which the exchange has a part in words of its own: sources out of a search's notes. */
const partlyReadFields: ReadonlySet<string> = new Set([
  ...['groundingMetadata', 'citationMetadata'],
])

/** The picture of OpenAI's image tool (`result`), as a file; null for any other tool or a bare call. */
function drawnImage({ tool, value }: HostedPart): MediaPart | null {
  const data = tool === 'image-generation' ? asString(value.result) : undefined
  if (!data) return null
  const format = asString(value.output_format) ?? 'png'
  const source = { type: 'base64', ...cleanMedia(`image/${format}`, data) } as const
  return { type: 'media', kind: 'image', source }
}

type Whole = MediaPart | HostedPart | NativePart

/** Has words, but none of the answer's: what Anthropic keeps of the turns before. */
const COMPACTION = 'compaction'

/** Beside what a part of Google's is. */
const beside = new Set(['thoughtSignature', 'thought', 'partMetadata'])

const INPUT_CHANGES = 'input_transformations'

/** A vendor's name for a piece: its type, or with Google the field that holds it. */
const nameOf = (value: Record<string, unknown>): string =>
  wordOf(value.type ?? '') || (Object.keys(value).find((name) => !beside.has(name)) ?? 'part')

/**
 * An answer of one vendor on its way to a client of another format: makes of each part what that format can hold,
 * and notes as a loss what it can't. Paths begin with `answer`: a part is named by its type, a field by its name,
 * once however often it comes.
 */
export class ForeignAnswer {
  readonly #client: CallFormat
  readonly #places: AnswerPlaces
  readonly #loss: Loss
  /** Texts of a stream that have sources, but no word so far. */
  readonly #silent = new Set<number>()
  readonly #texts = new Set<number>()

  constructor(client: CallFormat, places: AnswerPlaces, loss: Loss) {
    this.#client = client
    this.#places = places
    this.#loss = loss
  }

  whole(response: ExchangeResponse): ExchangeResponse {
    this.#native(response.native)
    return {
      ...response,
      choices: response.choices.map((choice, index) => this.#choice(choice, index)),
    }
  }

  /** A part of a stream as the client is to see it. */
  part(part: StreamPart): StreamPart[] {
    if ('native' in part) this.#native(part.native)
    if ('choice' in part) this.#further(part.choice)
    switch (part.type) {
      case 'whole': {
        const fitted = this.#fitted(part.part)
        if (fitted === null) return []
        if (fitted.type !== 'text') return [{ ...part, part: fitted }]
        const { block, choice } = part
        return [
          { type: 'text-start', block, choice },
          { type: 'text-delta', block, text: fitted.text },
          { type: 'text-end', block },
        ]
      }
      case 'text-citation':
        this.#citation(part.citation)
        if (!this.#texts.has(part.block)) this.#silent.add(part.block)
        return [part]
      case 'text-delta':
        this.#texts.add(part.block)
        this.#silent.delete(part.block)
        if (part.logprobs !== undefined) this.#logprobs()
        return [part]
      case 'text-end':
        this.#texts.delete(part.block)
        if (this.#silent.delete(part.block)) this.#unplaced()
        return [part]
      case 'reasoning-start':
        this.#reasoning()
        return [part]
      case 'stop':
        this.#stop(part.stop)
        return [part]
      default:
        return [part]
    }
  }

  #choice(choice: Choice, index: number): Choice {
    this.#further(index)
    this.#native(choice.native)
    if (choice.logprobs) this.#logprobs()
    this.#stop(choice.stop)
    return { ...choice, parts: choice.parts.flatMap((part) => this.#part(part) ?? []) }
  }

  #part(part: Part): Part | null {
    if (part.type === 'media' || part.type === 'hosted' || part.type === 'native')
      return this.#fitted(part)
    this.#native(part.native)
    if (part.type === 'reasoning') this.#reasoning()
    if (part.type !== 'text' || !part.citations) return part
    for (const citation of part.citations) this.#citation(citation)
    if (part.text === '' && part.citations.length > 0) this.#unplaced()
    return part
  }

  #fitted(part: Whole): Whole | TextPart | null {
    if (part.type === 'media') return this.#media(part)
    if (part.origin === this.#client) return part
    if (part.type === 'hosted') return this.#hosted(part)
    const text = part.value.type === COMPACTION ? null : textOfUnknown(part.value)
    const path = `answer.${nameOf(part.value)}`
    if (text === null) {
      this.#loss.drop(path, 'client_without_place')
      return null
    }
    this.#loss.approximate(path, 'as_text')
    return { type: 'text', text }
  }

  #media(part: MediaPart): MediaPart {
    this.#native(part.native)
    const way = this.#places.media(part)
    if (way === 'words') this.#loss.approximate(`answer.${part.kind}`, 'told_in_words')
    else if (way === null) this.#loss.drop(`answer.${part.kind}`, 'client_without_place')
    return part
  }

  #hosted(part: HostedPart): Whole | null {
    const image = drawnImage(part)
    const path = `answer.${nameOf(part.value)}`
    if (image) {
      this.#loss.approximate(path, 'as_image_alone')
      return this.#media(image)
    }
    if (this.#places.hosted(part)) this.#loss.approximate(path, 'told_in_clients_words')
    else this.#loss.drop(path, 'ran_at_vendor')
    return part
  }

  #citation(citation: Citation): void {
    if (!this.#places.citation(citation) && citation.native?.origin !== this.#client)
      this.#loss.drop('answer.citations', 'client_cites_addresses')
    else if (citation.native && citation.native.origin !== this.#client)
      this.#loss.approximate('answer.citations', 'vendors_fields_left_out')
  }

  /** Sources of an answer without text. */
  #unplaced(): void {
    if (this.#places.emptyTexts) return
    this.#loss.drop('answer.citations', 'answer_without_text')
  }

  #reasoning(): void {
    if (!this.#places.reasoning) this.#loss.drop('answer.reasoning', 'client_without_place')
  }

  #further(choice: number): void {
    if (choice > 0 && !this.#places.choices)
      this.#loss.drop(`answer.choices[${choice}]`, 'client_has_one_answer')
  }

  #logprobs(): void {
    if (!this.#places.logprobs) this.#loss.drop('answer.logprobs', 'client_without_field')
  }

  #stop({ sequence, native }: Stop): void {
    this.#native(native)
    if (sequence !== undefined && !this.#places.stopSequence)
      this.#loss.drop('answer.stop_sequence', 'client_without_field')
  }

  /** Claude tells which thoughts of earlier turns it left out: https://platform.claude.com/docs/build-with-claude/preserved-thinking */
  #inputChanges(path: string, value: unknown): void {
    if (asArray(value).some((one) => asObject(one)?.type === 'thinking_dropped'))
      this.#loss.drop(path, 'earlier_thoughts_left_out')
  }

  #native(native: Native | undefined): void {
    if (!native || native.origin === this.#client) return
    const meaningless = meaninglessFields[native.origin]
    for (const [name, value] of Object.entries(native.fields)) {
      if (value === null || meaningless?.has(name) || name.startsWith('usage.')) continue
      const path = `answer.${name}`
      // Chat keeps what its message has beside the known fields in one.
      if (name === 'message') this.#native({ ...native, fields: asObject(value) ?? {} })
      else if (name === INPUT_CHANGES) this.#inputChanges(path, value)
      else if (partlyReadFields.has(name)) this.#loss.approximate(path, 'sources_go_over')
      else this.#loss.drop(path, 'client_without_field')
    }
  }
}
