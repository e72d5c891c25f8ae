import type { ChatRecord, Column, Turn } from './chat-record.ts'

/** The turns of the branch that ends at `leaf`, in order. */
export function threadTo(turns: readonly Turn[], leaf: string | null): Turn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]))
  const thread: Turn[] = []
  for (let at = leaf; at !== null; ) {
    const turn = byId.get(at)
    if (!turn) break
    thread.push(turn)
    at = turn.parent
  }
  return thread.reverse()
}

export const threadOf = ({ turns, leaf }: Column): Turn[] => threadTo(turns, leaf)

/** Turns that stand at the same place, the oldest first. */
export const siblingsOf = (turns: readonly Turn[], { parent, role }: Turn): Turn[] =>
  turns.filter((turn) => turn.parent === parent && turn.role === role)

/** The end of the newest branch below a turn. */
export function newestLeaf(turns: readonly Turn[], id: string): string {
  let leaf = id
  for (;;) {
    const next = turns.findLast(({ parent }) => parent === leaf)
    if (!next) return leaf
    leaf = next.id
  }
}

const LONGEST_NAME = 80

/** The name that was given, else the first words said; empty for a conversation without any. */
export function nameOf({ name, columns }: Pick<ChatRecord, 'name' | 'columns'>): string {
  if (name !== '') return name
  const first = columns.flatMap(({ turns }) => turns).find(({ role }) => role === 'user')
  return first ? nameOfMessage(first) : ''
}

/** The beginning of a message, or else the first of its files; empty where there's neither. */
export function nameOfMessage({ text, attachments }: Pick<Turn, 'text' | 'attachments'>): string {
  const line = (text.trim() || attachments[0]?.name || '').replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME)}…` : line
}

/** Of a copy: `name (2)` and on, whichever none of the others has; empty for a conversation without a name. */
export function copyNameOf(record: ChatRecord, others: readonly ChatRecord[]): string {
  const taken = new Set(others.map(nameOf))
  const name = nameOf(record).replace(/ \(\d{1,4}\)$/, '')
  if (name === '') return ''
  for (let number = 2; ; number++) {
    const tried = `${name} (${number})`
    if (!taken.has(tried)) return tried
  }
}

/** Does a conversation's name or anything said in it hold all words? */
export function fitsSearch(record: ChatRecord, search: string): boolean {
  const words = search.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const said = record.columns.flatMap(({ settings, turns }) => [
    settings.model,
    ...turns.map(({ text }) => text),
  ])
  const text = [nameOf(record), ...said].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}
