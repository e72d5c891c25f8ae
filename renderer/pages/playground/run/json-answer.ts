import type { WholeAnswer } from '../../../gateway/collect-answer.ts'
import type { UsageFigure } from './task.ts'

export type JsonObject = Record<string, unknown>

export const textOf = ({ bytes }: WholeAnswer): string => new TextDecoder().decode(bytes)

/** Throws when the answer isn't a JSON object. */
export function objectIn(answer: WholeAnswer): JsonObject {
  const object = asObject(JSON.parse(textOf(answer)))
  if (object) return object
  throw new TypeError('The answer is no JSON object.')
}

export function asObject(value: unknown): JsonObject | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonObject) : null
}

/** Throws unless the value is a list of objects. */
export function objectsOf(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) throw new TypeError('The answer has no list where one belongs.')
  return value.map((item) => {
    const object = asObject(item)
    if (!object) throw new TypeError('An item of the list is no object.')
    return object
  })
}

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** Reads any of OpenAI's spellings of `usage`. */
export function usageFigures(usage: unknown): UsageFigure[] {
  const told = asObject(usage) ?? {}
  const input = asNumber(told.input_tokens) ?? asNumber(told.prompt_tokens)
  const output = asNumber(told.output_tokens) ?? asNumber(told.completion_tokens)
  const total = asNumber(told.total_tokens)
  const seconds = asNumber(told.seconds)
  const figures: UsageFigure[] = []
  if (input !== null && output !== null) figures.push({ kind: 'tokens', input, output })
  else if (input !== null) figures.push({ kind: 'inputTokens', count: input })
  else if (total !== null) figures.push({ kind: 'totalTokens', count: total })
  if (seconds !== null) figures.push({ kind: 'seconds', count: seconds })
  return figures
}
