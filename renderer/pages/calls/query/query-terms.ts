/** The part of a query that the caret stands in. */
export interface TermAtCaret {
  /** Where the term begins and ends in the query. */
  start: number
  end: number
  isNegated: boolean
  /** Null of a bare word. */
  field: string | null
  /** The value, or the bare word, as far as the caret; without its quotation mark. */
  part: string
}

/** A term each, however it ends: a query being typed may have an open quotation. */
const terms = /-?(?:[A-Za-z_]+:)?(?:"(?:[^"\\]|\\.)*"?|[^\s"]\S*)|\S+/g

export const splitTerms = (query: string): string[] => query.match(terms) ?? []

export function termAt(query: string, caret: number): TermAtCaret {
  for (const found of query.matchAll(terms)) {
    const start = found.index
    const end = start + found[0].length
    if (start < caret && caret <= end) return readTerm(query, start, end, caret)
  }
  return { start: caret, end: caret, isNegated: false, field: null, part: '' }
}

function readTerm(query: string, start: number, end: number, caret: number): TermAtCaret {
  const typed = query.slice(start, caret)
  const [, minus = '', field, value = ''] = /^(-?)(?:([A-Za-z_]+):)?(.*)$/s.exec(typed) ?? []
  return {
    start,
    end,
    isNegated: minus !== '',
    field: field?.toLowerCase() ?? null,
    part: value
      .replace(/^"/, '')
      .replace(/(?<!\\)"$/, '')
      .replaceAll(/\\(.)/g, '$1'),
  }
}

/** `field:value`, in quotation marks where the value would not be read whole. */
export function termOf(field: string, value: string): string {
  const isPlain = value !== '' && !value.startsWith('"') && !/\s/.test(value)
  return `${field}:${isPlain ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`}`
}

/** The query with `field:value`, in place of another value of that field: two would find nothing. */
export function withTerm(query: string, field: string, value: string): string {
  const kept = splitTerms(query).filter((term) => !term.toLowerCase().startsWith(`${field}:`))
  return [...kept, termOf(field, value)].join(' ')
}
