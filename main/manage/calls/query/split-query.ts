import type { GatewayError } from '../../../base/errors.ts'
import type { Reason } from '../../../base/reason.ts'
import { queryError } from './query-error.ts'

/** `-channel:"Work laptop"` in its parts. */
export interface QueryTerm {
  /** Null of a bare word. */
  field: string | null
  value: string
  isNegated: boolean
  /** As it stands in the query, and where: from 1. */
  text: string
  place: number
}

const MOST_TERMS = 30

const head = /(-?)(?:([A-Za-z_]+):)?/y
const quoted = /"((?:[^"\\]|\\.)*)"/y
const bare = /\S*/y

function take(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The terms of a query; throws `invalid_params` where quotation marks or a value are missing. */
export function splitQuery(query: string): QueryTerm[] {
  const terms: QueryTerm[] = []
  let at = 0
  for (;;) {
    while (/\s/.test(query[at] ?? '')) at++
    if (at >= query.length) return terms
    const term = readTerm(query, at)
    terms.push(term)
    at += term.text.length
    if (terms.length > MOST_TERMS) {
      throw queryError(term, `a query has at most ${MOST_TERMS} terms`, {
        code: 'query_many_terms',
        most: MOST_TERMS,
      })
    }
  }
}

function readTerm(query: string, start: number): QueryTerm {
  const [before = '', minus, field = null] = take(head, query, start) ?? []
  const valueAt = start + before.length
  const isQuoted = query[valueAt] === '"'
  const found = isQuoted ? take(quoted, query, valueAt) : take(bare, query, valueAt)
  const rest = take(bare, query, start)?.[0] ?? ''
  const fail = (why: string, reason: Reason): GatewayError =>
    queryError({ text: rest, place: start + 1 }, why, reason)
  if (!found) throw fail('its quotation mark isn’t closed', { code: 'query_quotation_open' })
  const end = valueAt + found[0].length
  if (isQuoted && /\S/.test(query[end] ?? ''))
    throw fail('a space is missing after the quotation', { code: 'query_space_missing' })
  const value = isQuoted ? (found[1] ?? '').replaceAll(/\\(.)/g, '$1') : found[0]
  if (value === '' && field === null) throw fail('there is no word', { code: 'query_no_word' })
  if (value === '' && field !== null) {
    throw fail(`"${field}" has no value`, { code: 'query_no_value', name: field })
  }
  return {
    ...{ field: field?.toLowerCase() ?? null, value, isNegated: minus === '-' },
    ...{ text: query.slice(start, end), place: start + 1 },
  }
}
