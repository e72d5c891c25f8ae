import { stringifyExact } from '../json/exact-json.ts'
import { asArray, asObject, asString } from '../json/json-value.ts'
import { flattenSchema, mergeSchemas, type Schema, schemaBudget, typesOf } from './flat-schema.ts'

/** Definitions stay at the top, where the references to them point. */
const definitionsOf = ({ $defs, definitions }: Schema): Schema => ({
  ...($defs === undefined ? {} : { $defs }),
  ...(definitions === undefined ? {} : { definitions }),
})

/** Property schemas by name over several alternatives; where they differ, either is allowed. */
function unitedProperties(members: readonly Schema[]): Schema {
  const found = new Map<string, Map<string, unknown>>()
  for (const member of members) {
    for (const [name, schema] of Object.entries(asObject(member.properties) ?? {})) {
      const kinds = found.get(name) ?? new Map<string, unknown>()
      found.set(name, kinds.set(stringifyExact(schema), schema))
    }
  }
  return Object.fromEntries(
    [...found].map(([name, kinds]) => {
      const schemas = [...kinds.values()]
      return [name, schemas.length === 1 ? schemas[0] : { anyOf: schemas }]
    }),
  )
}

/** Alternatives of a whole object as one object that allows each, and says so in its description. */
function unitedObject(base: Schema, alternatives: readonly Schema[], isOne: boolean): Schema {
  const members = alternatives.map((member) => mergeSchemas(base, member))
  const required = members
    .map((member) => asArray(member.required))
    .reduce((common, next) => common.filter((name) => next.includes(name)))
  const groups = alternatives.map((member) => {
    const names = asArray(member.required ?? Object.keys(asObject(member.properties) ?? {}))
    return `{${names.join(', ')}}`
  })
  const rule = `Give ${isOne ? 'exactly one' : 'at least one'} of these sets of properties: ${groups.join(' or ')}.`
  const isClosed = members.every((member) => member.additionalProperties === false)
  const { additionalProperties: _, ...rest } = base
  return {
    ...rest,
    description: [asString(base.description), rule].filter(Boolean).join('\n\n'),
    properties: unitedProperties(members),
    required,
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

/**
 * A tool's schema as Anthropic's `input_schema` has to be: type object, without anyOf, oneOf, allOf or a
 * reference at its top. Alternatives are united into one object, whose description names them. A schema
 * for anything but an object, which no vendor calls tools with, becomes an open object.
 */
export function objectSchema(schema: Schema): Schema {
  const isPlain = !['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema)
  if (isPlain && schema.type === 'object') {
    return schema.properties === undefined ? { ...schema, properties: {} } : schema
  }
  const budget = schemaBudget()
  const { anyOf, oneOf, ...base } = flattenSchema(schema, schema, [], budget).schema
  const types = typesOf(base)
  if (types.length > 0 && !types.includes('object')) {
    const description = `Input of this form: ${stringifyExact(schema)}`
    return { type: 'object', properties: {}, description }
  }
  let object = base
  for (const [union, isOne] of [
    [anyOf, false],
    [oneOf, true],
  ] as const) {
    const members = asArray(union)
      .map((member) => flattenSchema(schema, member, [], budget).schema)
      .filter((member) => typesOf(member).length === 0 || typesOf(member).includes('object'))
    if (members.length === 1) object = mergeSchemas(object, members[0] as Schema)
    else if (members.length > 1) object = unitedObject(object, members, isOne)
    // A member may be a union itself; the top may hold none.
    const { anyOf: _any, oneOf: _one, allOf: _all, $ref: _ref, ...rest } = object
    object = rest
  }
  return { properties: {}, ...object, ...definitionsOf(schema), type: 'object' }
}
