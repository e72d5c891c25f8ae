import { resolve, type Schema } from './api-operations.ts'

/** The alternatives other than null. */
const alternativesOf = (schema: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null')

const mayBeNull = (schema: Schema): boolean =>
  (Array.isArray(schema.type) && schema.type.includes('null')) ||
  (schema.anyOf ?? schema.oneOf ?? []).some(({ type }) => type === 'null')

/** Follows references and drops "or null". */
export function innerSchema(document: Record<string, unknown>, reference: Schema): Schema {
  const schema = resolve(document, reference)
  const alternatives = alternativesOf(schema)
  const [only] = alternatives
  return alternatives.length === 1 && only ? innerSchema(document, only) : schema
}

function plainType(document: Record<string, unknown>, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map((one) => typeText(document, one)))].join(' | ')
  }
  const type = Array.isArray(schema.type)
    ? schema.type.filter((one) => one !== 'null').join(' | ')
    : schema.type
  if (type === 'array') {
    const item = typeText(document, schema.items ?? {})
    return item.includes(' ') ? `(${item})[]` : `${item}[]`
  }
  if (type === 'object' && !schema.properties && typeof schema.additionalProperties === 'object') {
    return `{ … : ${typeText(document, schema.additionalProperties)} }`
  }
  return type ?? 'any'
}

/** A schema's type in one line: `integer`, `"a" | "b"`, `string[]`, `object | null`. */
export function typeText(document: Record<string, unknown>, reference: Schema): string {
  const schema = resolve(document, reference)
  const text = plainType(document, schema)
  return mayBeNull(schema) ? `${text} | null` : text
}

/** Bounds such as `1–100` or `≤ 20 characters`. */
export function boundsText(document: Record<string, unknown>, reference: Schema): string {
  const { minimum, maximum, minLength, maxLength, format } = innerSchema(document, reference)
  // The bounds of all safe integers say nothing.
  const low = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined
  const high = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  return [
    low !== undefined && high !== undefined && `${low}–${high}`,
    low !== undefined && high === undefined && `≥ ${low}`,
    low === undefined && high !== undefined && `≤ ${high}`,
    minLength !== undefined && `≥ ${minLength} chars`,
    maxLength !== undefined && `≤ ${maxLength} chars`,
    format,
  ]
    .filter(Boolean)
    .join(', ')
}
