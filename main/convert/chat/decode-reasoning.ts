import type { ReasoningPart, ReasoningState } from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../json/json-value.ts'
import { readState } from '../reasoning/reasoning-state.ts'
import { entriesOf, isMarked, readDetail } from './reasoning-details.ts'

/** The `format` of entries of `reasoning_details` that this gateway made for another vendor's state. */
export const OWN_FORMAT = 'switchyard'

/** Between two thoughts, or sections of one, in the one text that clients read. */
export const REASONING_GAP = '\n\n'

/** Fields of an assistant's message that hold reasoning; none of them is OpenAI's. */
export const reasoningFields = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
] as const

const objectsOf = (value: unknown): JsonObject[] =>
  asArray(value)
    .map(asObject)
    .filter((one) => one !== undefined)

const reasoningPart = (
  text: string,
  at: string | undefined,
  rest: Partial<ReasoningPart> = {},
): ReasoningPart => ({
  type: 'reasoning',
  sections: text === '' ? [] : [text],
  form: 'raw',
  ...(at === undefined ? {} : { at }),
  ...rest,
})

/** Fragments of one thought, as streams give them and simple clients keep them, as one entry. */
function joinFragments(entries: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = []
  for (const entry of entries) {
    const last = joined.at(-1)
    const continues =
      last !== undefined &&
      entry.type === 'reasoning.text' &&
      last.type === 'reasoning.text' &&
      last.index === entry.index &&
      typeof last.signature !== 'string'
    if (continues) {
      const text = (asString(last.text) ?? '') + (asString(entry.text) ?? '')
      Object.assign(last, entry, { text })
    } else joined.push({ ...entry })
  }
  return joined
}

/** Entries that a vendor made (OpenRouter). Those without state are kept for their own format. */
function decodeDetails(entries: readonly JsonObject[], at: string | undefined): ReasoningPart[] {
  return joinFragments(entries).map((entry) => {
    const { text, form, state, rest } = readDetail(entry)
    if (state) return reasoningPart(text, at, { form, state })
    const native = { origin: 'chat' as const, fields: { reasoning_detail: rest } }
    return reasoningPart(text, at, { form, native })
  })
}

/** LiteLLM's field: blocks in Anthropic's own shape. */
function decodeBlocks(blocks: readonly JsonObject[], at: string | undefined): ReasoningPart[] {
  return blocks.flatMap((block): ReasoningPart[] => {
    const data = asString(block.data)
    if (block.type === 'redacted_thinking' && data !== undefined) {
      return [reasoningPart('', at, { state: readState(data, 'messages', 'redacted') })]
    }
    if (block.type !== 'thinking') return []
    const signature = asString(block.signature)
    const state = signature ? { state: readState(signature, 'messages', 'signature') } : {}
    return [reasoningPart(asString(block.thinking) ?? '', at, state)]
  })
}

interface MarkedEntry {
  state: ReasoningState
  /** Characters of the readable text that the state belongs to. */
  span: readonly [number, number] | null
}

function readMarkedEntry(entry: JsonObject): MarkedEntry[] {
  const data = asString(entry.data)
  if (!isMarked(data)) return []
  const [start, end] = asArray(entry.span).map(asCount)
  const span = start !== undefined && end !== undefined && start <= end ? [start, end] : null
  return [{ state: readState(data, 'chat', 'encrypted'), span: span as MarkedEntry['span'] }]
}

const withoutGaps = (text: string): string => text.replace(/^\n\n|\n\n$/g, '')

/** The readable text cut at the places that the marks name. Null when they do not fit it. */
function cutBySpans(text: string, marks: readonly MarkedEntry[], at?: string) {
  const parts: ReasoningPart[] = []
  let done = 0
  for (const { state, span } of marks) {
    const [start, end] = span ?? [done, done]
    if (start < done || end > text.length) return null
    const before = withoutGaps(text.slice(done, start))
    if (before !== '') parts.push(reasoningPart(before, at))
    parts.push(reasoningPart(text.slice(start, end), at, { state }))
    done = end
  }
  const after = withoutGaps(text.slice(done))
  if (after !== '') parts.push(reasoningPart(after, at))
  return parts
}

/**
 * The readable text with the states that this gateway gave to the client. Where the client did not keep the
 * places, one state gets the whole text. Where a signature cannot be told its text, or the client has changed
 * it, it is left out: Anthropic refuses it beside any other.
 */
function placeMarks(text: string, marks: readonly MarkedEntry[], at?: string): ReasoningPart[] {
  const [only] = marks
  const isPlaced = text === '' || marks.some(({ span }) => span !== null)
  const cut = isPlaced ? cutBySpans(text, marks, at) : null
  if (cut) return cut
  if (!isPlaced && marks.length === 1 && only) {
    return [reasoningPart(text, at, { state: only.state })]
  }
  const loose = marks.filter(
    ({ state }) => state.kind !== 'signature' || state.origin !== 'messages',
  )
  return [
    ...(text === '' ? [] : [reasoningPart(text, at)]),
    ...loose.map(({ state }) => reasoningPart('', at, { state })),
  ]
}

/**
 * The reasoning of an assistant's message, in any of the spellings in use: `reasoning_content` (DeepSeek,
 * Qwen, GLM, Moonshot, xAI), `reasoning` (OpenRouter, Groq, Ollama), `reasoning_details` (OpenRouter),
 * `thinking_blocks` (LiteLLM). Where one text stands in several of them it is taken once. `path` is the
 * message's own.
 */
export function decodeReasoning(message: JsonObject, path?: string): ReasoningPart[] {
  const at = (field: string) => (path === undefined ? undefined : `${path}.${field}`)
  const entries = entriesOf(message.reasoning_details)
  const marks = entries.filter(({ format }) => format === OWN_FORMAT).flatMap(readMarkedEntry)
  const vendors = decodeDetails(
    entries.filter(({ format }) => format !== OWN_FORMAT),
    at('reasoning_details'),
  )
  const blocks = decodeBlocks(objectsOf(message.thinking_blocks), at('thinking_blocks'))
  const decoded = [...blocks, ...vendors]
  if (decoded.some(({ sections }) => sections.length > 0)) return decoded
  const field = asString(message.reasoning_content) ? 'reasoning_content' : 'reasoning'
  const text = asString(message[field]) ?? ''
  return [...placeMarks(text, marks, at(field)), ...decoded]
}
