import type { Departure } from './compare-prompts.ts'
import type { Prompt } from './prompt-pieces.ts'

/** Why a prompt is not the one before it. */
export type DepartureCause =
  /** Claude Code's first system line, with a version or hash that changes. */
  | 'billing-header'
  | 'tool-order'
  | 'tools-changed'
  | 'tool-edited'
  | 'timestamp'
  /** Folder, host, branch or the like. */
  | 'machine'
  | 'identifier'
  | 'system-edited'
  | 'messages-dropped'
  | 'message-edited'

/** Characters beside the place at which two texts part, in which a date or an id would stand. */
const AROUND = 48

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const TIME = new RegExp(
  [
    String.raw`\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?`,
    String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?`,
    String.raw`${MONTH}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}`,
    String.raw`\d{1,2}\.? ${MONTH}\.?,? \d{4}`,
    String.raw`\b1[6-9]\d{8}(?:\d{3})?\b`,
  ].join('|'),
  'gi',
)
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{16,64}\b/gi
const MACHINE =
  /working director|\bcwd\b|\bpwd\b|platform|\bos version|operating system|host ?name|git ?status|branch|user ?name|\bhome\b|\/home\/|\/users\/|\/tmp\/|ip address|\bpid\b|\bpgid\b|memory usage|uptime/i

/** Does a match lie over the place at which the texts part? */
function isAt(text: string, at: number, pattern: RegExp): boolean {
  const start = Math.max(0, at - AROUND)
  const place = at - start
  return [...text.slice(start, at + AROUND).matchAll(pattern)].some(
    ({ index, 0: match }) => index <= place && place <= index + match.length,
  )
}

const lineAt = (text: string, at: number): string => {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  return text.slice(start, end < 0 ? undefined : end)
}

function causeOfTools(before: Prompt, now: Prompt): DepartureCause {
  const sorted = ({ tools }: Prompt) => [...tools].sort().join('\n')
  if (before.tools.join('\n') === now.tools.join('\n')) return 'tool-edited'
  return sorted(before) === sorted(now) ? 'tool-order' : 'tools-changed'
}

/** Are turns of the earlier prompt left out of the later? */
function isDropped(before: Prompt, now: Prompt): boolean {
  const first = now.turns.findIndex((turn, index) => turn !== before.turns[index])
  if (first < 0) return now.turns.length < before.turns.length
  const moved = now.turns[first]
  return now.turns.length < before.turns.length || before.turns.indexOf(moved as string) > first
}

/** The known reason for which a prompt departs from the one before it. */
export function departureCause(
  { path, from, to, at }: Departure,
  before: Prompt,
  now: Prompt,
): DepartureCause {
  if (
    from?.startsWith('x-anthropic-billing-header') ||
    to?.startsWith('x-anthropic-billing-header')
  )
    return 'billing-header'
  const isTool = /^(?:tools|functions)\b/.test(path)
  if (isTool && from !== null && to !== null && before.tools.join() !== now.tools.join())
    return causeOfTools(before, now)
  if (from !== null && to !== null) {
    if (isAt(from, at, TIME) && isAt(to, at, TIME)) return 'timestamp'
    if (isAt(from, at, ID) && isAt(to, at, ID)) return 'identifier'
    const isLong = from.length > at || to.length > at
    if (isLong && MACHINE.test(lineAt(to, at)) && !/^(?:messages|input|contents)\[[1-9]/.test(path))
      return 'machine'
  }
  if (isTool) return causeOfTools(before, now)
  if (!/^(?:messages|input|contents)\b/.test(path)) return 'system-edited'
  return isDropped(before, now) ? 'messages-dropped' : 'message-edited'
}
