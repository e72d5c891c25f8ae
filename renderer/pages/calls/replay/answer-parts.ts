import type { OperationOutput } from '../../../../preload/contract.ts'
import { readObject } from '../../../components/forms/read-object.ts'

export type ReadingPart = OperationOutput<'capture.reading'>['output'][number]

/** An answer as two replays are compared. */
export interface ComparedAnswer {
  text: string
  calls: { name: string; arguments: string }[]
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]))
}

/** Arguments over several lines, their keys in order, so that only what differs counts as different. */
const argumentsOf = (text: string): string =>
  /^\s*\{/.test(text) ? JSON.stringify(sorted(readObject(text)), null, 2) : text

/** The words and tool calls of an answer, null where it has none; reasoning and refusals are left out. */
export function comparedAnswer(all: readonly ReadingPart[]): ComparedAnswer | null {
  const parts = all.filter(({ role }) => role !== 'error')
  const texts = parts.filter(({ kind }) => kind === 'text').map(({ text }) => text)
  const calls = parts.filter(({ kind }) => kind === 'tool-call')
  if (texts.length + calls.length === 0) return null
  return {
    text: texts.join('\n\n'),
    calls: calls.map(({ name = '', text }) => ({ name, arguments: argumentsOf(text) })),
  }
}

/** A tool call beside those of the original. */
export interface ComparedCall {
  name: string
  arguments: string
  change: 'same' | 'changed' | 'added' | 'missing' | null
}

/** Each call matched with the original's one of the same name that comes next. */
export function compareCalls(
  own: ComparedAnswer['calls'],
  original: ComparedAnswer['calls'] | null,
): ComparedCall[] {
  if (!original) return own.map((call) => ({ ...call, change: null }))
  const left = [...original]
  const compared = own.map((call): ComparedCall => {
    const same = left.findIndex((one) => one.name === call.name && one.arguments === call.arguments)
    const at = same < 0 ? left.findIndex(({ name }) => name === call.name) : same
    if (at < 0) return { ...call, change: 'added' }
    left.splice(at, 1)
    return { ...call, change: same < 0 ? 'changed' : 'same' }
  })
  return [...compared, ...left.map((call) => ({ ...call, change: 'missing' as const }))]
}
