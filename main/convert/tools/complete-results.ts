import type { Native, TextPart, ToolCallPart, ToolResultPart, Turn } from '../exchange.ts'
import type { Loss } from '../loss.ts'
import { DistinctIds } from './distinct-ids.ts'

/** A result with the turn that it came in. */
interface Found {
  part: ToolResultPart
  turn: Turn
  isTaken: boolean
}

/** A run of assistant turns, and what stands behind it up to the next one. */
interface Stretch {
  assistant: Turn[]
  calls: ToolCallPart[]
  others: Turn[]
  results: Found[]
}

const newStretch = (): Stretch => ({ assistant: [], calls: [], others: [], results: [] })

function stretchesOf(turns: readonly Turn[]): Stretch[] {
  const stretches = [newStretch()]
  for (const turn of turns) {
    let last = stretches.at(-1) as Stretch
    if (turn.role === 'assistant') {
      if (last.others.length > 0) {
        last = newStretch()
        stretches.push(last)
      }
      last.assistant.push(turn)
      last.calls.push(...turn.parts.filter((part) => part.type === 'call'))
    } else {
      last.others.push(turn)
      for (const part of turn.parts) {
        if (part.type === 'result') last.results.push({ part, turn, isTaken: false })
      }
    }
  }
  return stretches
}

function take(
  results: readonly Found[],
  fits: (part: ToolResultPart) => boolean,
): Found | undefined {
  const found = results.find(({ part, isTaken }) => !isTaken && fits(part))
  if (found) found.isTaken = true
  return found
}

/** The results that stand right behind their calls: by id, else by name and order. */
function matchNear({ calls, results }: Stretch): Map<ToolCallPart, Found> {
  const matched = new Map<ToolCallPart, Found>()
  const match = (fits: (call: ToolCallPart, result: ToolResultPart) => boolean) => {
    for (const call of calls) {
      if (matched.has(call)) continue
      const found = take(results, (part) => fits(call, part))
      if (found) matched.set(call, found)
    }
  }
  match((call, result) => call.id !== null && result.callId === call.id)
  // Two ids that differ are two calls, whatever their names.
  const lacksId = (call: ToolCallPart, result: ToolResultPart) =>
    call.id === null || result.callId === null
  match((call, result) => lacksId(call, result) && result.name === call.name)
  match((call, result) => lacksId(call, result) && result.name === null)
  return matched
}

/** A result that a client put behind a later answer of the assistant. */
function findLate(call: ToolCallPart, later: readonly Stretch[], loss: Loss): Found | undefined {
  if (call.id === null) return undefined
  for (const stretch of later) {
    if (stretch.calls.some(({ id }) => id === call.id)) return undefined
    const found = take(stretch.results, (part) => part.callId === call.id)
    if (found) {
      loss.approximate(found.part.at ?? found.turn.at ?? 'result', 'moved_behind_call')
      return found
    }
  }
  return undefined
}

function noResult(call: ToolCallPart, loss: Loss): ToolResultPart {
  loss.approximate(call.at ?? call.name, 'result_missing')
  return {
    type: 'result',
    callId: call.id,
    name: call.name,
    kind: call.kind,
    isError: true,
    parts: [{ type: 'text', text: '[no result]' }],
  }
}

/** A message of one result is about to lose its turn: what it carried goes with the result. */
function withNative(part: ToolResultPart, native: Native | undefined): ToolResultPart {
  if (!native || (part.native && part.native.origin !== native.origin)) return part
  const fields = { ...native.fields, ...part.native?.fields }
  return { ...part, native: { origin: native.origin, fields } }
}

function resultOf(call: ToolCallPart, { part, turn }: Found): ToolResultPart {
  const whole = { ...part, callId: part.callId ?? call.id, name: part.name ?? call.name }
  return turn.parts.length === 1 ? withNative(whole, turn.native) : whole
}

const contentOf = ({ parts, isError }: ToolResultPart): string =>
  JSON.stringify([isError, parts.map(({ at: _at, native: _native, ...content }) => content)])

/** Did its call get the very same result already? Some clients write it twice when they resume a session. */
const isRepeated = (part: ToolResultPart, results: readonly Found[]): boolean =>
  part.callId !== null &&
  results.some(
    ({ part: other, isTaken }) =>
      isTaken && other.callId === part.callId && contentOf(other) === contentOf(part),
  )

const withCalls = (
  turn: Turn,
  renamed: ReadonlyMap<Turn['parts'][number], ToolCallPart>,
): Turn => ({ ...turn, parts: turn.parts.map((part) => renamed.get(part) ?? part) })

/** A turn without the results that went to their calls; orphans become text of the user's. */
function withoutResults(turn: Turn, results: readonly Found[], loss: Loss): Turn[] {
  if (!turn.parts.some(({ type }) => type === 'result')) return [turn]
  const parts = turn.parts.flatMap((part): Turn['parts'] => {
    if (part.type !== 'result') return [part]
    if (results.find((found) => found.part === part)?.isTaken) return []
    if (isRepeated(part, results)) {
      loss.drop(part.at ?? turn.at ?? 'result', 'result_twice')
      return []
    }
    loss.approximate(part.at ?? turn.at ?? 'result', 'result_of_no_call')
    const name = part.name ?? part.callId ?? 'a tool'
    const heading: TextPart = { type: 'text', text: `[Result of ${name}]` }
    return [heading, ...part.parts]
  })
  if (parts.length === 0) return []
  return [{ ...turn, role: turn.role === 'tool' ? 'user' : turn.role, parts }]
}

/**
 * The turns with every run of calls followed by one tool turn that holds exactly their results, in the order
 * of the calls, before anything else. A call without a result gets one that says so; a result without a call
 * becomes text of the user's. Both are noted in `loss`. No two calls have one id.
 */
export function completeResults(turns: readonly Turn[], loss: Loss): Turn[] {
  const stretches = stretchesOf(turns)
  const near = stretches.map(matchNear)
  const ids = new DistinctIds()
  const completed: Turn[][] = stretches.map(({ assistant, calls }, index) => {
    if (calls.length === 0) return assistant
    const renamed = new Map<Turn['parts'][number], ToolCallPart>()
    const parts = calls.map((call) => {
      const found = near[index]?.get(call) ?? findLate(call, stretches.slice(index + 1), loss)
      const result = found ? resultOf(call, found) : noResult(call, loss)
      const id = ids.of(call.id)
      if (id === call.id) return result
      renamed.set(call, { ...call, id })
      return { ...result, callId: id }
    })
    const at = near[index]?.values().next().value?.turn.at
    const own = renamed.size === 0 ? assistant : assistant.map((turn) => withCalls(turn, renamed))
    return [...own, { role: 'tool', parts, ...(at === undefined ? {} : { at }) }]
  })
  // Only now is it known which results were taken from later stretches.
  return stretches.flatMap(({ others, results }, index) => [
    ...(completed[index] ?? []),
    ...others.flatMap((turn) => withoutResults(turn, results, loss)),
  ])
}
