import type { CallRow } from '../call-row.ts'
import { type CallFacts, factsOf } from './call-facts.ts'
import type { NumberRange, SearchCondition, SearchTest } from './search-condition.ts'

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

function isWithin(value: number | null, { above, atLeast, atMost, below }: NumberRange): boolean {
  if (value === null) return false
  return (
    (above === undefined || value > above) &&
    (atLeast === undefined || value >= atLeast) &&
    (atMost === undefined || value <= atMost) &&
    (below === undefined || value < below)
  )
}

function holds(
  test: SearchTest,
  facts: CallFacts,
  row: CallRow,
  source: 'running' | 'refused' | 'ledger',
): boolean {
  switch (test.test) {
    case 'contains':
      return test.fields.some((field) => has(facts[field], test.text))
    case 'range':
      return isWithin(facts[test.field], test.range)
    case 'flag':
      return facts[test.flag]
    case 'types':
      return test.types.includes(row.type)
    case 'message':
      return has(row.content, test.text) || test.requestIds.includes(row.requestId)
    case 'source':
      return test.source === source
  }
}

/** Does a row that is in no ledger yet fit a search? The ledger's own are looked for by SQL, to the same effect. */
export function matchesFacts(
  row: CallRow,
  conditions: readonly SearchCondition[],
  source: 'running' | 'refused' | 'ledger',
): boolean {
  const facts = factsOf(row)
  return conditions.every(
    (condition) => holds(condition, facts, row, source) !== condition.isNegated,
  )
}
