import type { OutputShape } from '../exchange.ts'
import { asString } from '../json/json-value.ts'

/**
 * The schema of an answer with its description in it, for formats that have no other place for one. OpenAI has both:
 * one says what the answer is for, the other what its object is.
 */
export function describedSchema({
  schema,
  description,
}: OutputShape & { type: 'schema' }): Record<string, unknown> {
  const own = asString(schema.description)
  if (description === undefined || own === description) return schema
  return { ...schema, description: own ? `${description}\n\n${own}` : description }
}
