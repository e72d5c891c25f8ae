import { isDeepStrictEqual } from 'node:util'
import { ownValue } from '../../../base/own-value.ts'
import { asArray, asObject, asString } from '../../../convert/json/json-value.ts'
import { pathParts, valueAt, withoutValueAt, withValueAt } from './json-path.ts'
import { replacePattern, replaceText } from './replace-pattern.ts'

/** One operation of a channel's `param_override` (management-api §13.6). */
export const OPERATION_MODES = [
  'set',
  'delete',
  'move',
  'copy',
  'prepend',
  'append',
  'trim_prefix',
  'trim_suffix',
  'ensure_prefix',
  'ensure_suffix',
  'trim_space',
  'to_lower',
  'to_upper',
  'replace',
  'regex_replace',
] as const

/** How a value in the body is held against a condition's. */
export const CONDITION_MODES = [
  'full',
  'prefix',
  'suffix',
  'contains',
  'gt',
  'gte',
  'lt',
  'lte',
] as const

/** When an operation is carried out, with the names of the wire. */
export interface OperationCondition {
  path: string
  mode: (typeof CONDITION_MODES)[number]
  value: unknown
  /** Turns a comparison round; a field that is missing stays missing. */
  invert?: boolean | undefined
  /** The value of a missing field. */
  pass_missing_key?: boolean | undefined
}

/** One change of the body, with the names of the wire. */
export interface ParamOperation {
  mode: (typeof OPERATION_MODES)[number]
  path?: string | undefined
  value?: unknown
  /** Paths for `move` and `copy`; search text and replacement for `replace` and `regex_replace`. */
  from?: string | undefined
  to?: string | undefined
  /** Present values stay: `set` leaves them, objects keep their own fields. */
  keep_origin?: boolean | undefined
  conditions?: OperationCondition[] | undefined
  /** Whether one condition is enough (`OR`, as where nothing is said) or all must hold. */
  logic?: 'OR' | 'AND' | undefined
}

type Json = Record<string, unknown>

/** Facts for conditions beside the body, in which Gemini's calls have no model. */
type Facts = Readonly<Record<'model' | 'original_model' | 'upstream_model', string>>

const asNumber = (value: unknown): number | undefined =>
  typeof value === 'string' || typeof value === 'boolean' ? undefined : Number(value?.valueOf())

const textTests: Readonly<Record<string, (text: string, wanted: string) => boolean>> = {
  prefix: (text, wanted) => text.startsWith(wanted),
  suffix: (text, wanted) => text.endsWith(wanted),
  contains: (text, wanted) => text.includes(wanted),
}

const numberTests: Readonly<Record<string, (number: number, wanted: number) => boolean>> = {
  gt: (number, wanted) => number > wanted,
  gte: (number, wanted) => number >= wanted,
  lt: (number, wanted) => number < wanted,
  lte: (number, wanted) => number <= wanted,
}

function compares(mode: OperationCondition['mode'], found: unknown, wanted: unknown): boolean {
  const text = ownValue(textTests, mode)
  if (text) return typeof found === 'string' && text(found, String(wanted))
  const [left, right] = [asNumber(found), asNumber(wanted)]
  const number = ownValue(numberTests, mode)
  if (number) return left !== undefined && right !== undefined && number(left, right)
  return isDeepStrictEqual(found, wanted) || (left !== undefined && left === right)
}

function holds(condition: OperationCondition, body: Json, facts: Facts): boolean {
  const parts = pathParts(condition.path)
  const found = valueAt(body, parts) ?? valueAt(facts, parts)
  if (found === undefined) return condition.pass_missing_key === true
  return compares(condition.mode, found, condition.value) !== (condition.invert === true)
}

function applies({ conditions = [], logic }: ParamOperation, body: Json, facts: Facts): boolean {
  if (conditions.length === 0) return true
  const isMet = (condition: OperationCondition) => holds(condition, body, facts)
  return logic === 'AND' ? conditions.every(isMet) : conditions.some(isMet)
}

/** Before or behind a text, among a list's items, or as an object's fields; anything else stays as it is. */
function joined(before: unknown, { value, mode, keep_origin: keeps }: ParamOperation): unknown {
  const isFirst = mode === 'prepend'
  if (typeof before === 'string') {
    return isFirst ? `${String(value)}${before}` : `${before}${String(value)}`
  }
  if (Array.isArray(before)) {
    const items = Array.isArray(value) ? value : [value]
    return isFirst ? [...items, ...before] : [...before, ...items]
  }
  const [own, added] = [asObject(before), asObject(value)]
  if (!own || !added) return before
  return keeps ? { ...added, ...own } : { ...own, ...added }
}

/** The result of an operation on a text. */
function changedText(text: string, { mode, value, from = '', to = '' }: ParamOperation): string {
  const affix = asString(value) ?? ''
  if (mode === 'trim_prefix') return text.startsWith(affix) ? text.slice(affix.length) : text
  if (mode === 'trim_suffix') {
    return text.endsWith(affix) ? text.slice(0, text.length - affix.length) : text
  }
  if (mode === 'ensure_prefix') return text.startsWith(affix) ? text : affix + text
  if (mode === 'ensure_suffix') return text.endsWith(affix) ? text : text + affix
  if (mode === 'trim_space') return text.trim()
  if (mode === 'to_lower') return text.toLowerCase()
  if (mode === 'to_upper') return text.toUpperCase()
  return mode === 'replace' ? replaceText(text, from, to) : replacePattern(text, from, to)
}

/** A missing value, or one of another kind than the operation's, stays as it is. */
function carriedOut(body: Json, operation: ParamOperation): unknown {
  const { mode, path = '', from = '', to = '', value, keep_origin: keeps } = operation
  if (mode === 'move' || mode === 'copy') {
    const moved = valueAt(body, pathParts(from))
    if (moved === undefined) return body
    const rest = mode === 'move' ? withoutValueAt(body, pathParts(from)) : body
    const there = pathParts(to)
    const changed = withValueAt(rest, there, moved)
    // Where nothing can be written, what was to be moved stays where it is.
    return valueAt(changed, there) === moved ? changed : body
  }
  const parts = pathParts(path)
  const before = valueAt(body, parts)
  if (mode === 'set') {
    return keeps && before !== undefined ? body : withValueAt(body, parts, value)
  }
  if (before === undefined) return body
  if (mode === 'delete') return withoutValueAt(body, parts)
  if (mode === 'prepend' || mode === 'append') {
    return withValueAt(body, parts, joined(before, operation))
  }
  if (typeof before !== 'string') return body
  return withValueAt(body, parts, changedText(before, operation))
}

/** The operations that a channel's override lists; checked when it was written. */
export const operationsOf = (override: Readonly<Record<string, unknown>>): ParamOperation[] =>
  asArray(override.operations) as ParamOperation[]

/**
 * The body of a call after a channel's operations, one after the other; the body itself is not changed.
 * Throws `invalid_request` for a text on which a pattern takes too long, or that becomes too long.
 */
export function applyOperations(
  body: Json,
  operations: readonly ParamOperation[],
  facts: Facts,
): Json {
  let current = body
  for (const operation of operations) {
    if (!applies(operation, current, facts)) continue
    current = asObject(carriedOut(current, operation)) ?? current
  }
  return current
}
