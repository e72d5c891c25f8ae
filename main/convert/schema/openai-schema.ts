import type { JsonObject } from '../json/json-value.ts'
import { typesOf } from './flat-schema.ts'
import { mapSchema } from './map-schema.ts'
import { objectSchema } from './object-schema.ts'

const withItems = (schema: JsonObject): JsonObject =>
  schema.items === undefined && typesOf(schema).includes('array')
    ? { ...schema, items: {} }
    : schema

/**
 * A tool's schema as OpenAI takes it, strict or not: an object with properties and no union at the top, every
 * array with `items` ("array schema missing items" refuses the whole request; Anthropic and Google's newer
 * field do not ask for them). Gives the same object where nothing has to change.
 */
export const openAiSchema = (schema: JsonObject): JsonObject =>
  mapSchema(objectSchema(schema), withItems)
