import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Loss } from '../../../../main/convert/loss.ts'
import {
  anthropicOutputSchema,
  fitsStrict,
  googleSchema,
  objectSchema,
} from '../../../../main/convert/schema/json-schema.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'

type Schema = Record<string, unknown>

const string = { type: 'string' }

describe('a tool’s schema for Anthropic', () => {
  test('one that fits is not touched', () => {
    const schema = { type: 'object', properties: { a: { anyOf: [string] } }, $defs: {} }
    expect(objectSchema(schema)).toBe(schema)
  })

  test.each([
    [{}],
    [{ type: 'object' }],
    [{ properties: {} }],
    [{ type: ['object', 'null'], properties: {} }],
  ])('%j is an object without properties', (schema) => {
    expect(objectSchema(schema)).toEqual({ type: 'object', properties: {} })
  })

  test('alternatives at the top become one object that says what goes together', () => {
    const file = {
      type: 'object',
      properties: { path: string, mode: { const: 'f' } },
      required: ['path', 'mode'],
    }
    const url = {
      type: 'object',
      properties: { url: string, mode: { const: 'u' } },
      required: ['url', 'mode'],
    }
    expect(objectSchema({ description: 'Reads.', oneOf: [file, url] })).toEqual({
      type: 'object',
      description:
        'Reads.\n\nGive exactly one of these sets of properties: {path, mode} or {url, mode}.',
      properties: { path: string, mode: { anyOf: [{ const: 'f' }, { const: 'u' }] }, url: string },
      required: ['mode'],
    })
  })

  test('alternatives of required keys keep the properties', () => {
    const schema = objectSchema({
      type: 'object',
      properties: { a: string, b: string, c: string },
      required: ['c'],
      additionalProperties: false,
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    })
    expect(schema).toMatchObject({
      properties: { a: string, b: string, c: string },
      required: ['c'],
      additionalProperties: false,
    })
    expect(schema.description).toContain('{a} or {b}')
    expect(schema).not.toHaveProperty('anyOf')
  })

  test('a reference or allOf at the top is resolved, definitions stay', () => {
    const $defs = {
      input: { type: 'object', properties: { a: { $ref: '#/$defs/text' } } },
      text: string,
    }
    expect(objectSchema({ $ref: '#/$defs/input', $defs })).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/text' } },
      $defs,
    })
    const all = objectSchema({ allOf: [{ $ref: '#/$defs/input' }, { required: ['a'] }], $defs })
    expect(all).toMatchObject({ type: 'object', required: ['a'], $defs })
    expect(all).not.toHaveProperty('allOf')
  })

  test('one for no object is an open object that tells its form', () => {
    const schema = objectSchema({ type: 'array', items: string })
    expect(schema).toMatchObject({ type: 'object', properties: {} })
    expect(schema.description).toContain('"array"')
  })
})

describe('a schema for Anthropic’s structured output', () => {
  const convert = (schema: Schema) => {
    const loss = new Loss()
    return { schema: anthropicOutputSchema(schema, loss, 'response_format'), notes: loss.entries }
  }

  test('objects are closed, the rest is as it was', () => {
    const { schema, notes } = convert({
      $schema: 'x',
      type: 'object',
      title: 'T',
      properties: {
        at: { type: 'string', format: 'date' },
        list: { type: 'array', items: string, minItems: 1 },
      },
      required: ['at'],
    })
    expect(schema).toEqual({
      type: 'object',
      title: 'T',
      properties: {
        at: { type: 'string', format: 'date' },
        list: { type: 'array', items: string, minItems: 1 },
      },
      required: ['at'],
      additionalProperties: false,
    })
    expect(notes).toEqual([])
  })

  test.each<[Schema, Schema]>([
    [
      { type: 'string', minLength: 2, description: 'A' },
      { type: 'string', description: 'A\n\n{minLength: 2}' },
    ],
    [
      { type: 'integer', minimum: 1 },
      { type: 'integer', description: '{minimum: 1}' },
    ],
    [
      { type: 'string', pattern: '^a$' },
      { type: 'string', description: '{pattern: "^a$"}' },
    ],
    [
      { type: 'string', format: 'regex' },
      { type: 'string', description: '{format: "regex"}' },
    ],
    [
      { type: 'array', items: string, minItems: 3 },
      { type: 'array', items: string, description: '{minItems: 3}' },
    ],
  ])('%j is told in its description', (property, expected) => {
    const { schema, notes } = convert({ type: 'object', properties: { it: property } })
    expect((schema.properties as Schema).it).toEqual(expected)
    expect(notes).toMatchObject([{ path: 'response_format', kind: 'approximated' }])
  })

  test('oneOf is anyOf, type lists are anyOf, allOf is merged', () => {
    const { schema } = convert({
      type: 'object',
      properties: {
        one: { oneOf: [string, { type: 'null' }] },
        types: { type: ['string', 'null'] },
        all: {
          allOf: [{ type: 'object', properties: { a: string } }, { properties: { b: string } }],
        },
      },
    })
    expect(schema.properties).toEqual({
      one: { anyOf: [string, { type: 'null' }] },
      types: { anyOf: [string, { type: 'null' }] },
      all: { type: 'object', properties: { a: string, b: string }, additionalProperties: false },
    })
  })

  test('a tree has an end', () => {
    const node = {
      type: 'object',
      properties: { name: string, next: { $ref: '#/$defs/node' } },
      required: ['name'],
    }
    const { schema, notes } = convert({ $ref: '#/$defs/node', $defs: { node } })
    expect(JSON.stringify(schema)).not.toContain('$ref')
    expect(JSON.stringify(schema).match(/"name"/g)?.length).toBe(6)
    expect(notes).toHaveLength(1)
  })
})

describe('what strict mode takes', () => {
  const strict = {
    type: 'object',
    properties: { a: string, b: { anyOf: [{ $ref: '#/$defs/c' }, { type: 'null' }] } },
    required: ['a', 'b'],
    additionalProperties: false,
    $defs: { c: { type: 'array', items: { enum: ['x'] } } },
  }

  test('every object closed, every property required', () => {
    expect(fitsStrict(strict)).toBe(true)
    expect(
      fitsStrict({ type: 'object', properties: {}, required: [], additionalProperties: false }),
    ).toBe(true)
  })

  test.each<[string, Schema]>([
    ['an optional property', { ...strict, required: ['a'] }],
    ['an open object', { ...strict, additionalProperties: true }],
    ['an object that says nothing of it', { ...strict, additionalProperties: undefined }],
    ['a union at the top', { ...strict, anyOf: [string] }],
    ['no object', string],
    ['allOf below', { ...strict, properties: { ...strict.properties, a: { allOf: [string] } } }],
    [
      'a default below',
      { ...strict, properties: { ...strict.properties, a: { ...string, default: '' } } },
    ],
    [
      'an unknown format',
      { ...strict, properties: { ...strict.properties, a: { ...string, format: 'uri' } } },
    ],
    ['an open definition', { ...strict, $defs: { c: { type: 'object', properties: {} } } }],
    ['anything', { ...strict, properties: { ...strict.properties, a: {} } }],
    ['a foreign reference', { ...strict, $defs: { c: { $ref: 'https://a/b' } } }],
  ])('not %s', (_name, schema) => expect(fitsStrict(schema)).toBe(false))

  test('not what nests too deep', () => {
    let schema: Schema = string
    for (let depth = 0; depth < 12; depth++) {
      schema = {
        type: 'object',
        properties: { a: schema },
        required: ['a'],
        additionalProperties: false,
      }
    }
    expect(fitsStrict(schema)).toBe(false)
  })
})

describe('the tools of recorded requests', () => {
  const schemas = ['anthropic-messages', 'openai-chat'].flatMap((folder) =>
    readdirSync(`test/fixtures/${folder}`)
      .filter((file) => file.endsWith('.request.json'))
      .flatMap((file): [string, Schema][] => {
        const { tools = [] } = JSON.parse(String(readFixture(`${folder}/${file}`)))
        return tools.flatMap((tool: Record<string, Schema>) => {
          const schema = tool.input_schema ?? tool.function?.parameters
          return schema ? [[`${folder}/${file}`, schema]] : []
        })
      }),
  )

  test('are there', () => expect(schemas.length).toBeGreaterThan(3))

  test.each(schemas)('of %s lose nothing on their way to Anthropic and Gemini', (_file, schema) => {
    const loss = new Loss()
    expect(objectSchema(schema)).toBe(schema)
    const names = Object.keys((schema.properties ?? {}) as Schema)
    const { properties = {} } = googleSchema(schema, loss, 'tools[0]')
    expect(Object.keys(properties as Schema)).toEqual(names)
    expect(loss.entries).toEqual([])
  })
})
