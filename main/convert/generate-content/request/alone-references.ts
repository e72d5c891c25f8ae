import type { JsonObject } from '../../json/json-value.ts'
import { mapSchema } from '../../schema/map-schema.ts'

const isBeside = (keyword: string): boolean => !keyword.startsWith('$')

/**
 * A JSON Schema in which nothing stands beside a reference: "If `$ref` is set on a sub-schema, no other
 * properties, except for than those starting as a `$`, may be set" (@google/genai 2.32.0 on
 * responseJsonSchema). What stood there goes around it, which means the same.
 */
export const aloneReferences = (schema: JsonObject): JsonObject =>
  mapSchema(schema, (one) => {
    const { $ref, ...rest } = one
    if (typeof $ref !== 'string' || !Object.keys(rest).some(isBeside)) return one
    return rest.anyOf === undefined ? { ...rest, anyOf: [{ $ref }] } : one
  })
