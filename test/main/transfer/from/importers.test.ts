import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import { detectImporter, importers } from '../../../../main/transfer/from/importers.ts'
import { samples } from './samples.ts'

test.each(Object.entries(samples))('%s is told by its text alone', (name, { id, text }) => {
  expect(detectImporter(text)?.id, name).toBe(id)
})

test('a file of another kind belongs to no importer', () => {
  for (const text of [
    '',
    '{}',
    '[]',
    'hello',
    '{"name":"app","version":"1"}',
    'a: 1\n',
    '<html>',
  ]) {
    expect(detectImporter(text), text).toBeNull()
  }
})

/** Reads it and tolerates nothing but the refusal of a text. */
function readOrRefuse(read: (text: string) => unknown, text: string): void {
  try {
    read(text)
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError)
    expect(error).toMatchObject({ code: 'invalid_params', field: 'text' })
    expect((error as Error).message.length).toBeGreaterThan(10)
  }
}

test('a file that is cut anywhere is read or refused with a sentence', () => {
  const all = Object.values(samples)
  fc.assert(
    fc.property(
      fc.constantFrom(...all),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (sample, at) => {
        const importer = importers.find(({ id }) => id === sample.id)
        const text = sample.text.slice(0, Math.floor(sample.text.length * at))
        if (importer) readOrRefuse((one) => importer.read(one), text)
      },
    ),
    { numRuns: 300 },
  )
})

const FIELDS = [
  'Providers',
  'providers',
  'provider',
  'name',
  'api_base_url',
  'credentials',
  'models',
  'config',
  'kind',
  'model_list',
  'litellm_params',
  'model',
  'api_key',
  'claude',
  'current',
  'options',
  'weight',
  'priority',
  'openai-compatibility',
  'base-url',
  'api-key-entries',
  'api-key',
  'set-env',
  'alias',
  'tokens',
]

test('values of any kind under the names of each format are read or refused with a sentence', () => {
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.string(),
      fc.constantFrom('https://a.example/v1', 'openai/x', 'k=v', '__proto__', '\0'),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...FIELDS), tie('node'), { maxKeys: 5 }),
    ),
  })).node
  fc.assert(
    fc.property(value, fc.constantFrom(...importers), (json, importer) => {
      const text = JSON.stringify(json)
      expect(typeof importer.detect(text)).toBe('boolean')
      readOrRefuse((one) => importer.read(one), text)
    }),
    { numRuns: 500 },
  )
})

test('any text is read or refused with a sentence', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200, unit: 'binary' }),
      fc.constantFrom(...importers),
      (text, importer) => {
        expect(typeof importer.detect(text)).toBe('boolean')
        readOrRefuse((one) => importer.read(one), text)
      },
    ),
    { numRuns: 500 },
  )
})

const read = (id: string, text: string) => importers.find((one) => one.id === id)?.read(text)

test('YAML whose aliases multiply is refused', () => {
  const levels = Array.from(
    { length: 9 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]`,
  )
  const text = `a0: &a0 [x, x, x]\n${levels.join('\n')}\nmodel_list: *a9\n`
  expect(() => read('litellm', text)).toThrow(/isn’t valid YAML/)
})

test('nesting without end is refused and ends nothing', () => {
  for (const [id, text] of [
    ['litellm', `model_list: ${'['.repeat(100_000)}`],
    ['litellm', `model_list:\n  ${'- '.repeat(5_000)}x`],
    ['opencode', `${'{"provider":'.repeat(20_000)}1`],
    ['codex', `model_providers = ${'['.repeat(100_000)}`],
  ] as const) {
    expect(() => read(id, text), id).toThrow(/deep|indented/)
  }
})

test('a file of many entries is not taken for a deep one', () => {
  const Providers = Array.from({ length: 600 }, (_, at) => ({
    ...{ name: `p${at}`, api_base_url: `https://p${at}.example/v1`, api_key: 'k', models: ['m'] },
  }))
  const { transfer } = read('claude-code-router', JSON.stringify({ Providers })) ?? {}
  expect(transfer?.channels).toHaveLength(600)
})

test('a wrong type is refused by the path of its field', () => {
  const refusal = (id: string, text: string) => {
    try {
      read(id, text)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(
    refusal('litellm', 'model_list:\n  - model_name: a\n    litellm_params: { model: 5 }\n'),
  ).toBe('“model_list[0].litellm_params.model” must be text; it is a number.')
  expect(
    refusal(
      'litellm',
      'model_list:\n  - model_name: a\n    litellm_params: { model: openai/a, order: 1e99 }\n',
    ),
  ).toContain('“model_list[0].litellm_params.order” must be a number from')
  expect(
    refusal('claude-code-router', '{"Providers":[{"name":"a","api_base_url":"ftp://x"}]}'),
  ).toContain('“Providers[0].api_base_url” is no address')
  expect(refusal('claude-code-router', '{\n  "Providers": [\n    oops!\n  ]\n}')).toMatch(
    /line 3, column 5/,
  )
  expect(refusal('codex', 'model = "a"\nmodel_provider = \n')).toMatch(/line 2/)
  expect(refusal('env', 'A=1\nnonsense\n')).toBe('Line 2 isn’t NAME=value.')
})

test('a large file that is broken is refused, and nothing of it is quoted', () => {
  const text = `{"Providers": [],\n"padding": "${'x'.repeat(2_100_000)}",\n"key": sk-secret-0123456789}`
  const refusal = () => read('claude-code-router', text)
  expect(refusal).toThrow(/isn’t valid JSON at line 3, column 8/)
  expect(refusal).not.toThrow(/sk-/)
})

test('nor of a broken TOML, whose line at fault may hold the key', () => {
  const refusal = () => read('codex', 'model = "a"\napi_key = sk-secret-0123456789\n')
  expect(refusal).toThrow(/isn’t valid TOML: .*line 2/)
  expect(refusal).not.toThrow(/sk-/)
})
