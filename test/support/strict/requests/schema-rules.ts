import { demand, isObject, type Json, objectAt, onlyFields, refuse } from './refusal.ts'

/** Each schema inside this one, with its path; names of properties are no keywords. */
function inner(schema: Json, path: string): [unknown, string][] {
  const found: [unknown, string][] = []
  for (const key of ['properties', '$defs', 'definitions', 'patternProperties']) {
    const named = schema[key]
    if (!isObject(named)) continue
    for (const [name, value] of Object.entries(named)) found.push([value, `${path}.${key}.${name}`])
  }
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const listed = schema[key]
    if (!Array.isArray(listed)) continue
    for (const [index, value] of listed.entries()) found.push([value, `${path}.${key}[${index}]`])
  }
  if (isObject(schema.items)) found.push([schema.items, `${path}.items`])
  return found
}

const GOOGLE_FIELDS =
  'anyOf default description enum example format items maxItems maxLength maxProperties maximum minItems minLength minProperties minimum nullable pattern properties propertyOrdering required title type'
const GOOGLE_TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']
const GOOGLE_FORMATS: Readonly<Record<string, string>> = {
  STRING: 'enum date-time',
  NUMBER: 'float double',
  INTEGER: 'int32 int64',
}

/** Google's `Schema`: a subset of OpenAPI, where one unknown key refuses the whole request. */
export function checkGoogleSchema(value: unknown, path: string): void {
  const schema = objectAt(value, path)
  onlyFields(schema, path, GOOGLE_FIELDS)
  const { type, format, enum: words, required, properties } = schema
  const name = typeof type === 'string' ? type.toUpperCase() : ''
  demand(type === undefined || GOOGLE_TYPES.includes(name), `${path}.type`, 'Unknown type')
  demand(type !== undefined || schema.anyOf !== undefined, path, 'A schema needs a type')
  if (words !== undefined) {
    const isStrings = Array.isArray(words) && words.every((word) => typeof word === 'string')
    demand(isStrings && !words.includes(''), `${path}.enum`, 'enum: only non-empty strings')
    demand(name === 'STRING', `${path}.enum`, 'enum: only allowed for STRING type')
  }
  if (format !== undefined) {
    const formats = GOOGLE_FORMATS[name]?.split(' ') ?? []
    demand(formats.includes(String(format)), `${path}.format`, `format: unsupported for ${name}`)
  }
  if (name === 'OBJECT' && properties !== undefined) {
    demand(
      isObject(properties) && Object.keys(properties).length > 0,
      `${path}.properties`,
      'properties: should be non-empty for OBJECT type',
    )
  }
  demand(name !== 'ARRAY' || isObject(schema.items), `${path}.items`, 'items: missing field')
  for (const one of Array.isArray(required) ? required : []) {
    const isKnown = isObject(properties) && String(one) in properties
    demand(isKnown, `${path}.required`, `required: “${one}” is not defined`)
  }
  for (const [one, at] of inner(schema, path)) checkGoogleSchema(one, at)
}

/** OpenAI's rule for every tool's schema, strict or not. */
export function checkItems(value: unknown, path: string): void {
  const schema = objectAt(value, path)
  const isArray = [schema.type].flat().includes('array')
  demand(!isArray || schema.items !== undefined, path, 'Invalid schema: array schema missing items')
  for (const [one, at] of inner(schema, path)) if (isObject(one)) checkItems(one, at)
}

/** OpenAI's strict mode: every property required and nothing beside them. */
export function checkStrictSchema(value: unknown, path: string): void {
  const schema = objectAt(value, path)
  const isObjectType = schema.type === 'object' || isObject(schema.properties)
  if (isObjectType) {
    demand(
      schema.additionalProperties === false,
      path,
      'Invalid schema: ‘additionalProperties’ is required to be supplied and to be false',
    )
    const names = Object.keys(isObject(schema.properties) ? schema.properties : {})
    const required = Array.isArray(schema.required) ? schema.required : []
    const missing = names.find((name) => !required.includes(name))
    demand(
      missing === undefined,
      path,
      `Invalid schema: ‘required’ must name every key: missing “${missing}”`,
    )
  }
  for (const keyword of ['allOf', 'oneOf', 'not', 'if', 'patternProperties']) {
    demand(!(keyword in schema), path, `Invalid schema: “${keyword}” is not permitted`)
  }
  for (const [one, at] of inner(schema, path)) checkStrictSchema(one, at)
}

const ANTHROPIC_REFUSED =
  'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern maxItems oneOf patternProperties'

/** Refuses schemas that Anthropic does not compile for structured output and strict tools. */
export function checkAnthropicOutput(value: unknown, path: string): void {
  const schema = objectAt(value, path)
  for (const keyword of ANTHROPIC_REFUSED.split(' ')) {
    demand(!(keyword in schema), path, `For this type, property ‘${keyword}’ is not supported`)
  }
  if (schema.type === 'object' || isObject(schema.properties)) {
    demand(
      schema.additionalProperties === false,
      path,
      'For ‘object’ type, ‘additionalProperties’ must be explicitly set to false',
    )
  }
  for (const [one, at] of inner(schema, path)) checkAnthropicOutput(one, at)
}

/** A tool's `input_schema` at Anthropic. */
export function checkInputSchema(value: unknown, path: string): void {
  const schema = objectAt(value, path)
  demand(schema.type === 'object', `${path}.type`, 'Input should be ‘object’')
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (keyword in schema) {
      refuse(path, 'input_schema does not support oneOf, allOf, or anyOf at the top level')
    }
  }
}
