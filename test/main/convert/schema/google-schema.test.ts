import { describe, expect, test } from 'vitest'
import { parseExact, stringifyExact } from '../../../../main/convert/json/exact-json.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import {
  anthropicOutputSchema,
  googleSchema,
  objectSchema,
} from '../../../../main/convert/schema/json-schema.ts'

type Schema = Record<string, unknown>

/** One property's schema on its way to Gemini, and what was noted. */
function toGoogle(property: unknown, more: Schema = {}) {
  const loss = new Loss()
  const root = googleSchema(
    { type: 'object', properties: { it: property }, ...more },
    loss,
    'tools[0]',
  )
  const { it: schema } = (root.properties ?? {}) as { it: Schema }
  return { schema, notes: loss.entries.map(({ note }) => note).join(), loss }
}

const string = { type: 'string' }

/** Keywords that Gemini's `Schema` has; any other fails the call. */
const known = new Set([
  ...[
    'type',
    'format',
    'title',
    'description',
    'nullable',
    'enum',
    'items',
    'maxItems',
    'minItems',
  ],
  ...['properties', 'required', 'minProperties', 'maxProperties', 'minLength', 'maxLength'],
  ...['pattern', 'anyOf', 'propertyOrdering', 'minimum', 'maximum'],
])

function expectKnown(schema: Schema): void {
  expect(Object.keys(schema).filter((keyword) => !known.has(keyword))).toEqual([])
  expect('type' in schema || 'anyOf' in schema).toBe(true)
  if (schema.type === 'ARRAY') expect(schema.items).toBeDefined()
  const nested = [
    schema.items ?? [],
    schema.anyOf ?? [],
    Object.values(schema.properties ?? {}),
  ].flat()
  for (const inner of nested) expectKnown(inner as Schema)
}

describe('a tool’s schema for older Gemini models', () => {
  test('properties called title, format, default, $ref, const keep their names', () => {
    const names = [
      'title',
      'format',
      'default',
      '$ref',
      'const',
      'enum',
      'type',
      'properties',
      '$defs',
    ]
    const properties = Object.fromEntries(names.map((name) => [name, string]))
    const loss = new Loss()
    const schema = googleSchema({ type: 'object', properties, required: names }, loss, 'tools[0]')
    expect(Object.keys(schema.properties as Schema)).toEqual(names)
    expect(schema.required).toEqual(names)
    expect(loss.entries).toEqual([])
    expect(schema.properties).toMatchObject({ $ref: { type: 'STRING' }, title: { type: 'STRING' } })
  })

  test('what zod writes for a plain tool loses nothing', () => {
    const loss = new Loss()
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'a',
      $comment: 'b',
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1, examples: ['Rome'], description: 'Where' },
      },
      required: ['city'],
      additionalProperties: false,
    }
    expect(googleSchema(schema, loss, 'tools[0]')).toEqual({
      type: 'OBJECT',
      properties: { city: { type: 'STRING', minLength: 1, description: 'Where' } },
      required: ['city'],
    })
    expect(loss.entries).toEqual([])
  })

  test.each<[string, unknown, Schema]>([
    ['const', { const: 'a' }, { type: 'STRING', enum: ['a'] }],
    ['enum of strings', { enum: ['a', 'b'] }, { type: 'STRING', enum: ['a', 'b'] }],
    ['enum with null', { enum: ['a', null] }, { type: 'STRING', enum: ['a'], nullable: true }],
    ['enum of both truth values', { enum: [true, false] }, { type: 'BOOLEAN' }],
    ['type or null', { type: ['string', 'null'] }, { type: 'STRING', nullable: true }],
    ['only null', { type: 'null' }, { type: 'STRING', nullable: true }],
    ['OpenAPI’s nullable', { type: 'string', nullable: true }, { type: 'STRING', nullable: true }],
    [
      'several types',
      { type: ['string', 'integer', 'null'], minLength: 2, minimum: 3, description: 'a' },
      {
        anyOf: [
          { type: 'STRING', minLength: 2 },
          { type: 'INTEGER', minimum: 3 },
        ],
        description: 'a',
        nullable: true,
      },
    ],
    [
      'anyOf with null',
      { anyOf: [string, { type: 'null' }], description: 'a' },
      { type: 'STRING', description: 'a', nullable: true },
    ],
    [
      'what stands beside anyOf',
      { type: 'string', anyOf: [{ minLength: 2 }, { pattern: 'x' }] },
      {
        anyOf: [
          { type: 'STRING', minLength: 2 },
          { type: 'STRING', pattern: 'x' },
        ],
      },
    ],
    [
      'a union of constants',
      { anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] },
      { type: 'STRING', enum: ['a', 'b', 'c'] },
    ],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { a: string }, required: ['a'] },
          { properties: { b: { type: 'integer' } }, required: ['b'] },
        ],
      },
      {
        type: 'OBJECT',
        properties: { a: { type: 'STRING' }, b: { type: 'INTEGER' } },
        required: ['a', 'b'],
      },
    ],
    [
      'bounds of integers',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10, maximum: 20 },
      { type: 'INTEGER', minimum: 1, maximum: 9 },
    ],
    [
      'bounds in draft 4',
      { type: 'integer', minimum: 0, exclusiveMinimum: true },
      { type: 'INTEGER', minimum: 1 },
    ],
    [
      'a known format',
      { type: 'string', format: 'date-time' },
      { type: 'STRING', format: 'date-time' },
    ],
    ['no type but keywords', { items: string }, { type: 'ARRAY', items: { type: 'STRING' } }],
    ['empty properties', { type: 'object', properties: {} }, { type: 'OBJECT' }],
    ['a default', { ...string, default: 'x' }, { type: 'STRING', description: 'Default: "x"' }],
  ])('%s says the same in the older words', (_name, property, expected) => {
    const { schema, notes } = toGoogle(property)
    expect(schema).toEqual(expected)
    expect(notes).toBe('')
    expectKnown(schema)
  })

  test.each<[string, unknown, Schema]>([
    [
      'oneOf',
      { oneOf: [string, { type: 'integer' }] },
      { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] },
    ],
    ['numbers', { enum: [1, 2] }, { type: 'STRING', enum: ['1', '2'] }],
    ['one truth value', { const: true }, { type: 'BOOLEAN', description: 'const: true' }],
    ['an empty string', { enum: ['', 'a'] }, { type: 'STRING', description: 'enum: ["","a"]' }],
    ['formats', { ...string, format: 'uri' }, { type: 'STRING', description: 'format: "uri"' }],
    [
      'exclusive bounds',
      { type: 'number', exclusiveMinimum: 0.5 },
      { type: 'NUMBER', minimum: 0.5, description: 'exclusiveMinimum: 0.5' },
    ],
    [
      'rules',
      { type: 'array', items: string, uniqueItems: true, description: 'Names.' },
      { type: 'ARRAY', items: { type: 'STRING' }, description: 'Names.\nuniqueItems: true' },
    ],
    [
      'free keys',
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'OBJECT', description: 'additionalProperties: {"type":"number"}' },
    ],
    ['anything', {}, { type: 'STRING', description: 'Any JSON value.' }],
    ['true', true, { type: 'STRING', description: 'Any JSON value.' }],
    [
      'an array of anything',
      { type: 'array' },
      { type: 'ARRAY', items: { type: 'STRING', description: 'Any JSON value.' } },
    ],
    [
      'unknown required keys',
      { type: 'object', properties: { a: string }, required: ['a', 'b'] },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] },
    ],
    ['a reference to nowhere', { $ref: '#/$defs/none', type: 'string' }, { type: 'STRING' }],
  ])('%s lose something, and it is noted', (_name, property, expected) => {
    const { schema, notes } = toGoogle(property)
    expect(schema).toEqual(expected)
    expect(notes).toContain('its schema is only told')
    expectKnown(schema)
  })

  test('references are written out, with the words beside them', () => {
    const { schema, notes } = toGoogle(
      { $ref: '#/$defs/a~1b', description: 'Mine' },
      { $defs: { 'a/b': { $ref: '#/$defs/c', title: 'T' }, c: { ...string, description: 'Its' } } },
    )
    expect(schema).toEqual({ type: 'STRING', title: 'T', description: 'Mine' })
    expect(notes).toBe('')
  })

  test('a tree is cut where it comes again', () => {
    const node = {
      type: 'object',
      properties: { name: string, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    }
    const { schema, notes } = toGoogle({ $ref: '#/$defs/node' }, { $defs: { node } })
    expect(schema).toEqual({
      type: 'OBJECT',
      properties: {
        name: { type: 'STRING' },
        children: { type: 'ARRAY', items: { type: 'OBJECT', description: 'Another node.' } },
      },
    })
    expect(notes).toContain('recursion')
  })

  test('a definition used twice is no recursion', () => {
    const point = { type: 'object', properties: { x: { type: 'number' } } }
    const line = {
      type: 'object',
      properties: { from: { $ref: '#/$defs/p' }, to: { $ref: '#/$defs/p' } },
    }
    const { schema, notes } = toGoogle(line, { $defs: { p: point } })
    expect((schema.properties as Schema).from).toEqual((schema.properties as Schema).to)
    expect(notes).toBe('')
  })

  test('definitions that double at each step end', () => {
    const $defs: Schema = { d0: string }
    for (let level = 1; level < 40; level++) {
      const $ref = `#/$defs/d${level - 1}`
      $defs[`d${level}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } }
    }
    const { schema, loss } = toGoogle({ $ref: '#/$defs/d39' }, { $defs })
    expect(JSON.stringify(schema).length).toBeLessThan(1_000_000)
    expect(loss.entries).toHaveLength(1)
  })

  test('allOf that doubles or nests without end does not hold up other calls', () => {
    const $defs: Schema = { d0: string }
    for (let level = 1; level < 40; level++) {
      const part = { $ref: `#/$defs/d${level - 1}` }
      $defs[`d${level}`] = { allOf: [part, part] }
    }
    let nested: Schema = string
    for (let depth = 0; depth < 4000; depth++) nested = { allOf: [nested] }
    const start = performance.now()
    for (const it of [{ $ref: '#/$defs/d39' }, nested]) {
      expect(toGoogle(it, { $defs }).notes).toContain('recursion')
      const properties = { it }
      const output = anthropicOutputSchema({ type: 'object', properties, $defs }, new Loss(), 'a')
      expect(output.type).toBe('object')
      expect(objectSchema({ ...it, $defs }).type).toBe('object')
    }
    expect(performance.now() - start).toBeLessThan(5000)
  })

  test('each tool is noted once, at its place', () => {
    const { loss } = toGoogle({
      oneOf: [
        { ...string, format: 'uri' },
        { not: string, type: 'integer' },
      ],
    })
    expect(loss.entries).toMatchObject([{ path: 'tools[0]', kind: 'approximated' }])
    expect(loss.entries[0]?.note).toContain('oneOf')
    expect(loss.entries[0]?.note).toContain('format')
  })

  test('a tool without arguments has none to send', () => {
    expect(googleSchema({ type: 'object', properties: {} }, new Loss(), 'tools[0]')).toEqual({})
  })

  test('a bound beyond what a double holds stays as it was written', () => {
    const property = parseExact('{"type":"integer","maximum":18446744073709551615}')
    expect(stringifyExact(toGoogle(property).schema)).toContain('"maximum":18446744073709551615')
  })
})
