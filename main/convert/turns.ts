import type { Native, Turn } from './exchange.ts'

export { completeResults } from './tools/complete-results.ts'

/** Asks a model to go on with an answer that broke off, where it doesn't by itself. */
export const CONTINUE = 'Continue from exactly where you stopped.'

/** Fields of two turns that become one; an encoder can put back those of one origin only. */
function mergeNative(first: Native | undefined, second: Native | undefined): Native | undefined {
  if (!first || !second || first.origin !== second.origin) return first ?? second
  return { origin: first.origin, fields: { ...second.fields, ...first.fields } }
}

/**
 * The turns with neighbours of one message put together: the parts of both in one turn, with the first one's
 * role and place. `sameMessage` says of two neighbouring roles whether they share a message.
 */
export function mergeTurns(
  turns: readonly Turn[],
  sameMessage: (a: Turn['role'], b: Turn['role']) => boolean,
): Turn[] {
  const merged: Turn[] = []
  let lastRole: Turn['role'] | undefined
  for (const turn of turns) {
    const last = merged.at(-1)
    if (last && lastRole && sameMessage(lastRole, turn.role)) {
      last.parts.push(...turn.parts)
      const native = mergeNative(last.native, turn.native)
      if (native) last.native = native
    } else {
      merged.push({ ...turn, parts: [...turn.parts] })
    }
    lastRole = turn.role
  }
  return merged
}

/** Parts the system prompt, the run of system turns at the start, from the conversation. */
export function leadingSystem(turns: readonly Turn[]): { system: Turn[]; rest: Turn[] } {
  const firstOther = turns.findIndex(({ role }) => role !== 'system')
  const length = firstOther < 0 ? turns.length : firstOther
  return { system: turns.slice(0, length), rest: turns.slice(length) }
}
