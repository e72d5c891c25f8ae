import { asArray, asObject, asText, type Json } from '../json-access.ts'

const formats: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  email: 'echo@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** Deep enough for any real schema; a schema that refers to itself ends here. */
const DEEPEST = 8

function typeOf(schema: Json): string {
  const types = asArray(schema.type).map(asText)
  // Google writes types in capitals.
  const type = (types.find((name) => name !== 'null') ?? asText(schema.type)).toLowerCase()
  if (type !== '') return type
  return schema.properties ? 'object' : schema.items ? 'array' : 'string'
}

/** Follows `#/$defs/Name` inside the root schema. */
function resolve(schema: Json, root: Json): Json {
  const reference = asText(schema.$ref)
  if (!reference.startsWith('#/')) return schema
  const path = reference.slice(2).split('/')
  return path.reduce<Json>((place, name) => asObject(place[name]), root)
}

/** Values of one sample: a few references multiply to more than there is memory for. */
const MOST_VALUES = 1000
/** Characters of names and given values that count as one value more. */
const VALUE_LENGTH = 100

/** The value that a schema itself gives. */
const givenIn = (schema: Json): unknown =>
  schema.const !== undefined
    ? schema.const
    : (schema.default ?? asArray(schema.examples)[0] ?? asArray(schema.enum)[0])

/** A small value that a JSON Schema allows: what is required, and no more; less where that never ends. */
export const sampleValue = (schema: Json): unknown => new Sample(schema).value(schema, 0)

class Sample {
  readonly #root: Json
  #left = MOST_VALUES

  constructor(root: Json) {
    this.#root = root
  }

  value(unresolved: Json, depth: number): unknown {
    const isSpent = --this.#left < 0
    const schema = resolve(unresolved, this.#root)
    const listed = givenIn(schema)
    if (listed !== undefined && !isSpent) {
      this.#spend(JSON.stringify(listed))
      return listed
    }
    const mayGoOn = depth < DEEPEST && !isSpent
    const branch = asArray(schema.anyOf ?? schema.oneOf ?? schema.allOf)[0]
    if (branch !== undefined && mayGoOn) return this.value(asObject(branch), depth + 1)
    switch (typeOf(schema)) {
      case 'object':
        return mayGoOn ? this.#object(schema, depth) : {}
      case 'array':
        return Number(schema.minItems) > 0 && mayGoOn
          ? [this.value(asObject(schema.items), depth + 1)]
          : []
      case 'integer':
      case 'number':
        return typeof schema.minimum === 'number' ? schema.minimum : 1
      case 'boolean':
        return true
      case 'null':
        return null
      default:
        // An agent may run what it is handed, so the word is harmless even as a shell command.
        return formats[asText(schema.format)] ?? 'echo'
    }
  }

  #spend(text: string): void {
    this.#left -= Math.floor(text.length / VALUE_LENGTH)
  }

  #object(schema: Json, depth: number): Json {
    const properties = asObject(schema.properties)
    const value: Json = {}
    for (const name of asArray(schema.required).map(asText)) {
      this.#spend(name)
      value[name] = this.value(asObject(properties[name]), depth + 1)
    }
    return value
  }
}
