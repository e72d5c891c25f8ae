import type { NumberRange } from '../../../store/ledger/search/search-condition.ts'

type Read = (text: string) => number | null

const ends: Readonly<Record<string, keyof NumberRange>> = {
  '>': 'above',
  '>=': 'atLeast',
  '<': 'below',
  '<=': 'atMost',
}

/** `>5s`, `<=5s`, `1s..5s` or one value, which is the least where nobody asks for exactly so much. */
export function readRange(text: string, read: Read, isExact: boolean): NumberRange | null {
  const [from, to, more] = text.split('..')
  if (from !== undefined && to !== undefined) {
    const [atLeast, atMost] = [read(from), read(to)]
    if (more !== undefined || atLeast === null || atMost === null || atLeast > atMost) return null
    return { atLeast, atMost }
  }
  const [, sign = '', rest = ''] = /^(>=|<=|>|<|=|)(.*)$/s.exec(text) ?? []
  const value = read(rest)
  if (value === null) return null
  const end = ends[sign]
  if (end) return { [end]: value }
  return isExact || sign === '=' ? { atLeast: value, atMost: value } : { atLeast: value }
}
