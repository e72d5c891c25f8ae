import type { Part, ReasoningPart, ReasoningState, Turn } from '../../exchange.ts'

/** In place of an id, for a state that belongs to the text before it. */
export const OF_TEXT = 'text'

/** Is it an item that this gateway made for nothing but another vendor's state on a call or a text? */
function carriedState(part: Part): ReasoningState | null {
  if (part.type !== 'reasoning' || part.sections.length > 0) return null
  const { state } = part
  return state && state.origin !== 'responses' && state.id !== undefined ? state : null
}

type Owner = Extract<Part, { type: 'call' | 'text' }>

function ownerOf(state: ReasoningState, run: readonly Turn[], before: number): Owner | undefined {
  const parts = run.flatMap((turn, index) => turn.parts.map((part) => ({ part, index })))
  if (state.id === OF_TEXT) {
    const found = parts.findLast(({ part, index }) => part.type === 'text' && index < before)
    return found?.part as Owner | undefined
  }
  return parts.find(({ part }) => part.type === 'call' && part.id === state.id)?.part as
    | Owner
    | undefined
}

function attachWithin(run: readonly Turn[]): readonly Turn[] {
  if (!run.some(({ parts }) => parts.some((part) => carriedState(part) !== null))) return run
  const states = new Map<Part, ReasoningState>()
  const carriers = new Set<Part>()
  run.forEach((turn, index) => {
    for (const part of turn.parts) {
      const state = carriedState(part)
      const owner = state ? ownerOf(state, run, index) : undefined
      if (!state || !owner || owner.state || states.has(owner)) continue
      const { id: _id, ...rest } = state
      states.set(owner, rest)
      carriers.add(part as ReasoningPart)
    }
  })
  if (carriers.size === 0) return run
  return run.flatMap((turn) => {
    const parts = turn.parts.flatMap((part): Part[] => {
      if (carriers.has(part)) return []
      const state = states.get(part)
      return [state ? ({ ...part, state } as Part) : part]
    })
    return parts.length > 0 ? [{ ...turn, parts }] : []
  })
}

/**
 * Puts the states of calls and texts, for which this format has no place, back where they belong. An answer
 * carries each in an item of its own behind the call or text, marked with the call's id.
 */
export function attachStates(turns: readonly Turn[]): Turn[] {
  const attached: Turn[] = []
  let run: Turn[] = []
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      run.push(turn)
      continue
    }
    attached.push(...attachWithin(run), turn)
    run = []
  }
  return [...attached, ...attachWithin(run)]
}
