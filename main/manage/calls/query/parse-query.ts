import { GatewayError } from '../../../base/errors.ts'
import type { SearchCondition, TextField } from '../../../store/ledger/search/search-condition.ts'
import { queryError } from './query-error.ts'
import { queryFields, valueKinds } from './query-fields.ts'
import { type QueryTerm, splitQuery } from './split-query.ts'

/** Characters; a query of all fields has some 400. */
const LONGEST_QUERY = 2000

interface Searcher {
  /** May search by what only administrators see. */
  isAdministrator: boolean
  /** Unix seconds. */
  now: number
}

/** The fields in which a bare word is looked for. */
const wordFields = ({ isAdministrator }: Searcher): TextField[] => [
  'model',
  ...(isAdministrator ? (['channel'] as const) : []),
  'token',
  'path',
]

function toConditions(term: QueryTerm, searcher: Searcher): SearchCondition[] {
  const { field: name, value, isNegated } = term
  if (name === null) {
    return [{ test: 'contains', fields: wordFields(searcher), text: value, isNegated }]
  }
  const field = Object.hasOwn(queryFields, name) ? queryFields[name] : undefined
  if (!field) {
    const names = Object.entries(queryFields).flatMap(([one, { isAdministrators }]) =>
      isAdministrators && !searcher.isAdministrator ? [] : [one],
    )
    throw queryError(
      term,
      `there is no field "${name}". Use ${names.join(', ')}, or put text that has a colon in quotation marks`,
      { code: 'query_no_field', name, names: names.join(', ') },
    )
  }
  if (field.isAdministrators && !searcher.isAdministrator) {
    throw queryError(term, `only administrators can search by ${name}`, {
      code: 'query_administrators_only',
      name,
    })
  }
  const tests = field.read(value, searcher.now)
  if (!tests)
    throw queryError(term, `"${name}" takes ${valueKinds[field.takes]}`, {
      code: `query_takes_${field.takes}`,
      name,
    })
  return tests
    .slice(0, isNegated ? 1 : undefined)
    .map(({ isContrary = false, ...test }) => ({ ...test, isNegated: isNegated !== isContrary }))
}

/**
 * The conditions of a query bar: `status:5xx -model:"gpt 4" slow:>5s word`. All must hold. Throws `invalid_params` that
 * names the wrong term, its place and the values that are allowed.
 */
export function parseQuery(query: string, searcher: Searcher): SearchCondition[] {
  if (query.length > LONGEST_QUERY) {
    throw new GatewayError('invalid_params', {
      message: `The query is too long: at most ${LONGEST_QUERY} characters.`,
      field: 'q',
      reason: { code: 'query_too_long', most: LONGEST_QUERY },
    })
  }
  return splitQuery(query).flatMap((term) => toConditions(term, searcher))
}
