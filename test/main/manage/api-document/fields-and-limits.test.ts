import { expect, test } from 'vitest'
import { describeApiOnce } from '../../../../main/http/api/api-document.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
}

interface Entry {
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

type Content = Record<string, { schema?: Schema }>

const document = describeApiOnce('1.2.3') as unknown as {
  paths: Record<string, Record<string, Entry>>
  components: { schemas: Record<string, Schema> }
}

const SAFE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

function range(least: number | undefined, most: number | undefined): string {
  const [from, to] = [least, most].map((one) => (SAFE.includes(one ?? NaN) ? undefined : one))
  return from === undefined && to === undefined ? '' : ` ${from ?? ''}..${to ?? ''}`
}

function limits(schema: Schema): string {
  return [
    range(schema.minLength ?? schema.minItems, schema.maxLength ?? schema.maxItems),
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum === undefined ? '' : ` >${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? '' : ` <${schema.exclusiveMaximum}`,
    schema.format === undefined ? '' : ` ${schema.format}`,
    schema.pattern === undefined ? '' : ` /${schema.pattern}/`,
    schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`,
  ].join('')
}

/** A schema in one line: `{ ids: [integer 1..] 1..1000, name?: string ..50 }`; `…` takes other fields too. */
function shown(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  const values = schema.enum ?? (schema.const === undefined ? null : [schema.const])
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ') + limits(schema)
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return `(${choices.map(shown).join(schema.allOf ? ' & ' : ' | ')})${limits(schema)}`
  if (schema.items) return `[${shown(schema.items)}]${limits(schema)}`
  if (!schema.properties) {
    const { additionalProperties: others } = schema
    const of = typeof others === 'object' ? ` of ${shown(others)}` : ''
    return `${[schema.type ?? 'any'].flat().join(' | ')}${of}${limits(schema)}`
  }
  const fields = Object.entries(schema.properties).map(([name, one]) => {
    const isRequired = schema.required?.includes(name)
    return `${name}${isRequired ? '' : '?'}: ${shown(one)}`
  })
  return `{ ${[...fields, ...(schema.additionalProperties === false ? [] : ['…'])].join(', ')} }`
}

/** One line a field of the object, or one for what is none. */
function fieldsOf(place: string, schema: Schema): string[] {
  if (!schema.properties) return [`  ${place}: ${shown(schema)}`]
  const fields = Object.entries(schema.properties).map(([name, one]) => {
    const isRequired = schema.required?.includes(name)
    return `  ${place}.${name}${isRequired ? '' : '?'}: ${shown(one)}`
  })
  const others = schema.additionalProperties === false ? [] : [`  ${place}.…`]
  return [...fields, ...others]
}

function linesOf({ parameters = [], requestBody, responses }: Entry): string[] {
  const bodies = Object.entries(requestBody?.content ?? {})
  const answers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? Object.entries(content) : [],
  )
  return [
    ...parameters.map(
      (one) => `  ${one.in} ${one.name}${one.required ? '' : '?'}: ${shown(one.schema)}`,
    ),
    ...bodies.flatMap(([type, { schema = {} }]) => [
      `  ${requestBody?.required ? 'takes' : 'may take'} ${type}`,
      ...fieldsOf('body', schema),
    ]),
    ...answers.flatMap(([type, { schema = {} }]) => [
      `  gives ${type}`,
      // All but the data is the same everywhere: envelope.test.ts.
      ...fieldsOf('data', schema.properties?.data ?? schema),
    ]),
  ]
}

test('what each operation takes and gives stays as scripts know it: names, types and limits', async () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, entry]) => [
      `${method.toUpperCase()} ${path}`,
      ...linesOf(entry),
    ]),
  )
  const schemas = Object.entries(document.components.schemas)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, schema]) => [name, ...fieldsOf('', schema)])
  const text = [...operations, ...schemas].join('\n')
  // After a change that is meant: npx vitest run --config=vite.config.ts fields-and-limits -u
  await expect(`${text}\n`).toMatchFileSnapshot('./management-api.txt')
})
