import type { SessionCall, SessionPart } from '../../gateway/records.ts'

const lineOf = ({ kind, agent }: SessionCall): string => `${kind} ${agent ?? ''}`

/** Results of tools by the part that called them: by id, or in order by name where the format has no ids. */
export function pairResults(calls: readonly SessionCall[]): Map<SessionPart, SessionPart> {
  const results = new Map<SessionPart, SessionPart>()
  const waiting = new Map<string, SessionPart[]>()
  for (const call of calls) {
    const line = lineOf(call)
    const open = waiting.get(line) ?? []
    for (const part of call.input ?? []) {
      if (part.kind === 'tool-call') open.push(part)
      if (part.kind !== 'tool-result') continue
      const index = open.findIndex(({ id, name }) =>
        part.id ? id === part.id : name === part.name,
      )
      const [asked] = index < 0 ? [] : open.splice(index, 1)
      if (asked) results.set(asked, part)
    }
    open.push(...(call.output ?? []).filter(({ kind }) => kind === 'tool-call'))
    waiting.set(line, open)
  }
  return results
}
