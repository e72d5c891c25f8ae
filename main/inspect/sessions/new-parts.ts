import type { ReadingPart } from '../reading/reading-part.ts'

const isSame = (one: ReadingPart | undefined, other: ReadingPart | undefined): boolean =>
  one?.role === other?.role &&
  one?.kind === other?.kind &&
  one?.text.trim() === other?.text.trim() &&
  one?.name === other?.name

/** A conversation up to a call, and its answer. */
export interface CallReading {
  input: readonly ReadingPart[]
  output: readonly ReadingPart[]
}

const withoutSystem = (parts: readonly ReadingPart[]): readonly ReadingPart[] =>
  parts.filter(({ role }) => role !== 'system')

/**
 * Parts that a call adds to the one before it in its line, without the answer it repeats. The
 * system prompt is left out: it may change in every call.
 */
export function newParts(before: CallReading | null, now: CallReading): readonly ReadingPart[] {
  const input = withoutSystem(now.input)
  if (!before) return input
  const known = withoutSystem(before.input)
  let index = 0
  while (index < known.length && isSame(known[index], input[index])) index++
  if (index === 0) return input
  return input.slice(index).filter((part) => !(part.role === 'assistant' && isIn(before, part)))
}

const isIn = ({ input, output }: CallReading, part: ReadingPart): boolean =>
  // Reasoning comes back in other words, or in none.
  part.kind === 'reasoning' ||
  output.some(
    (one) => one.kind === part.kind && (one.id ? one.id === part.id : isSame(one, part)),
  ) ||
  input.some((one) => isSame(one, part))
