import { ownValue } from '../../base/own-value.ts'
import { isBlank } from '../errors/is-blank.ts'
import type { ReasoningState } from '../exchange.ts'
import { parseExact, stringifyExact } from '../json/exact-json.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asObject, wordOf } from '../json/json-value.ts'
import { readState, STATE_MARK } from '../reasoning/reasoning-state.ts'

/** Where the readable text of an entry of `reasoning_details` stands, by its type. */
export const detailText: Readonly<Record<string, string>> = {
  'reasoning.text': 'text',
  'reasoning.summary': 'summary',
}

/** Entries of `reasoning_details` that hold more than what kind they would be of. */
export const entriesOf = (value: unknown): JsonObject[] =>
  asArray(value).flatMap((one): JsonObject[] => {
    const entry = asObject(one)
    if (!entry) return []
    const { type: _type, index: _index, format: _format, ...content } = entry
    return isBlank(content) ? [] : [entry]
  })

/** Has this gateway marked the state, when it gave it to a client? */
export const isMarked = (state: unknown): state is string =>
  typeof state === 'string' && state.startsWith(STATE_MARK)

/**
 * State of a vendor that speaks this format: the JSON text of the wire object that carries it, without the
 * readable text. The vendors name no fixed set of fields, and want the entries back as they were
 * (https://openrouter.ai/docs/use-cases/reasoning-tokens).
 */
export function stateOfFields(
  fields: JsonObject,
  kind: ReasoningState['kind'],
  model: string | null = null,
): ReasoningState {
  return { origin: 'chat', kind, data: stringifyExact(fields), model }
}

/** The wire object again; null for state that is of another making. */
export function fieldsOfState(state: ReasoningState): JsonObject | null {
  if (state.origin !== 'chat') return null
  try {
    return asObject(parseExact(state.data)) ?? null
  } catch {
    return null
  }
}

/** An entry of `reasoning_details`: its readable text, and its state where it has some. */
export function readDetail(
  entry: JsonObject,
  model: string | null = null,
): { text: string; form: 'summary' | 'raw'; state?: ReasoningState; rest: JsonObject } {
  const type = wordOf(entry.type)
  const field = ownValue(detailText, type)
  const { [field ?? '']: text, ...rest } = entry
  const form = type === 'reasoning.summary' ? 'summary' : 'raw'
  const read = { text: typeof text === 'string' ? text : '', form, rest } as const
  for (const carrier of ['data', 'signature'] as const) {
    const data = entry[carrier]
    if (typeof data !== 'string' || data === '') continue
    const kind = carrier === 'data' ? 'encrypted' : 'signature'
    const state = isMarked(data) ? readState(data, 'chat', kind) : stateOfFields(rest, kind, model)
    return { ...read, state }
  }
  return read
}

/** The entry again, with the readable text that belongs to it. */
export function writeDetail(fields: JsonObject, text: string): JsonObject {
  const field = ownValue(detailText, wordOf(fields.type))
  return field === undefined ? fields : { ...fields, [field]: text }
}
