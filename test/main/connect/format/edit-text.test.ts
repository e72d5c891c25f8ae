import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrokenFile } from '../../../../main/connect/format/broken-file.ts'
import { editText, type KeyChange, parseText } from '../../../../main/connect/format/edit-text.ts'
import { valueAt, withValue } from '../../../../main/connect/format/key-path.ts'
import { NotEditable } from '../../../../main/connect/format/not-editable.ts'
import type { FileFormat, Json } from '../../../../main/connect/tool.ts'

const texts: Record<Exclude<FileFormat, 'json'>, string> = {
  jsonc: `{
\t// mine
\t"theme": "dark", // stays
\t"env": { "PATH_EXTRA": "/x" }, /* beside */
\t"list": [
\t\t{ "id": "a" }, // first
\t],
\t"last": 1 // end of it
\t// after all
}
`,
  toml: `# mine
model = "gpt-5"   # daily

# about the sandbox
sandbox_mode='read-only'
notify = [ "a",
  "b", # two
]

[mcp_servers.x]
command = "npx" # c
env = { A = "1" }

[agents]
max = 3

# about my project
[projects."/a/b"]
trust_level = "trusted"
# end
`,
  yaml: `# mine
theme: dark # stays
models:
  - name: a # first
    provider: x

  # between
  - name: b
nested:
    deep: 1
    # end of nested
flow: [1, 2]
text: |
  several
  lines
# end
`,
  dotenv: `# mine
export FOO=bar # stays
EMPTY=
MANY="a
b"
`,
}

const changes: Record<Exclude<FileFormat, 'json'>, KeyChange[]> = {
  jsonc: [
    { path: ['env', 'URL'], value: 'http://127.0.0.1:1' },
    { path: ['theme'], value: 'light' },
    { path: ['provider', 'switchyard'], value: { models: { M: {} } } },
    { path: ['list', { entry: { id: 'M' } }], value: { url: 'x' } },
  ],
  toml: [
    { path: ['model'], value: 'M' },
    { path: ['model_provider'], value: 'switchyard' },
    { path: ['model_providers', 'switchyard'], value: { name: 'S', inner: { a: 1 } } },
    { path: ['agents', 'default_subagent_model'], value: 'M' },
  ],
  yaml: [
    { path: ['theme'], value: 'light' },
    { path: ['nested', 'url'], value: 'http://127.0.0.1:1' },
    { path: ['models', { entry: { name: 'M' } }], value: { provider: 'openai', roles: ['chat'] } },
    { path: ['GOOSE_MODEL'], value: 'M' },
  ],
  dotenv: [
    { path: ['FOO'], value: 'http://127.0.0.1:1' },
    { path: ['KEY'], value: 'sk-1' },
  ],
}

const kinds = Object.keys(texts) as (keyof typeof texts)[]
const comments = (text: string) => text.match(/(?:\/\/ |# |\/\* )[^\r\n]*/g)

describe.each(kinds)('%s', (format) => {
  const forms = {
    'as written': texts[format],
    'with CRLF': texts[format].replaceAll('\n', '\r\n'),
    'without a final line end': texts[format].trimEnd(),
    'with a byte order mark': `\uFEFF${texts[format]}`,
  }
  test.each(Object.entries(forms))('%s: keys are set, all other lines stay', (_name, text) => {
    const edited = editText(format, text, changes[format])
    expect(edited).not.toBe(text)
    const left = edited.split(/\r?\n/)
    const touched = text.split(/\r?\n/).filter((line) => !left.includes(line))
    // A line is touched where its own key is set, or where a comma or a member is added to it.
    expect(touched.length).toBeLessThanOrEqual(format === 'jsonc' ? 4 : 2)
    expect(comments(edited)).toEqual(comments(text))
    expect(/(?<!\r)\n/.test(edited)).toBe(/(?<!\r)\n/.test(text))
    expect(edited.endsWith('\n')).toBe(text.endsWith('\n'))
    expect(edited.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
    expect(editText(format, edited, changes[format])).toBe(edited)
  })

  test('a key that was added and is removed again leaves the same text', () => {
    const text = texts[format]
    const path = format === 'dotenv' ? ['NEW'] : format === 'toml' ? ['agents', 'new'] : ['new']
    const edited = editText(format, text, [{ path, value: 'x' }])
    expect(edited).not.toBe(text)
    expect(editText(format, edited, [{ path }])).toBe(text)
  })
})

test.each([
  ['jsonc', '', '[\n  {\n    "id": "M",\n    "url": "x"\n  }\n]\n'],
  ['yaml', '', '- id: M\n  url: x\n'],
  ['yaml', '# mine\r\n', '# mine\r\n- id: M\r\n  url: x\r\n'],
  [
    'jsonc',
    '// mine\r\n',
    '// mine\r\n[\r\n  {\r\n    "id": "M",\r\n    "url": "x"\r\n  }\r\n]\r\n',
  ],
] as const)('a %s file with nothing in it becomes a list', (format, text, expected) => {
  const path = [{ entry: { id: 'M' } }]
  expect(editText(format, text, [{ path, value: { url: 'x' } }])).toBe(expected)
  expect(editText(format, text, [{ path }])).toBe(text)
})

test('a .jsonc file with nothing but comments is none that is broken', () => {
  const text = '/* mine */ // all of it\n// keep\n'
  expect(parseText('jsonc', text)).toEqual({})
  const edited = editText('jsonc', text, [{ path: ['a', 'b'], value: 1 }])
  expect(edited).toBe(`${text}{\n  "a": {\n    "b": 1\n  }\n}\n`)
  expect(() => parseText('json', text)).toThrow(BrokenFile)
})

test('of a variable that a .env file sets twice, the one that counts is changed', () => {
  const text = 'URL=https://old.example\nKEY=sk-1\nURL=https://new.example # mine\n'
  const edited = editText('dotenv', text, [{ path: ['URL'], value: 'http://127.0.0.1:1' }])
  expect(edited).toBe(text.replace('https://new.example', 'http://127.0.0.1:1'))
  expect(parseText('dotenv', edited)).toMatchObject({ URL: 'http://127.0.0.1:1' })
})

test('an object is not made a list', () => {
  const change = { path: [{ entry: { id: 'M' } }], value: { url: 'x' } }
  expect(() => editText('jsonc', '{}', [change])).toThrow(NotEditable)
})

test.each([
  ['json', '{\n  "a": 1,\n  // no\n}', 3, 3],
  ['jsonc', '{\n  "a": ,\n}', 2, 8],
  ['toml', 'a = 1\nb = = 2\n', 2, 5],
  ['yaml', 'a: 1\nb: "x\n', 3, 1],
] as const)('a broken %s file is told with line and column', (format, text, line, column) => {
  const read = () => editText(format, text, [{ path: ['x'], value: '1' }])
  expect(read).toThrow(BrokenFile)
  try {
    read()
  } catch (error) {
    expect(error).toMatchObject({ line, column })
  }
})

const key = fc.constantFrom('a', 'b', 'c', 'env', 'model', 'x y')
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean())
const value: fc.Arbitrary<Json> = fc.letrec((tie) => ({
  object: fc.dictionary(key, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  any: fc.oneof({ maxDepth: 3 }, leaf, tie('object'), fc.array(tie('any'), { maxLength: 3 })),
})).object as fc.Arbitrary<Json>

test('any JSON in any layout: only the key differs, twice is once, and taking it away brings it back', () => {
  const layout = fc.constantFrom<string | number>('', 2, 4, '\t')
  fc.assert(
    fc.property(
      value,
      layout,
      fc.array(key, { minLength: 1, maxLength: 3 }),
      value,
      (object, space, path, wanted) => {
        const text = JSON.stringify(object, null, space)
        const change = { path, value: wanted }
        let edited: string
        try {
          edited = editText('json', text, [change])
        } catch (error) {
          expect(error).toBeInstanceOf(NotEditable)
          expect((error as Error).message).toContain('not inside')
          return
        }
        expect(editText('json', edited, [change])).toBe(edited)
        const before = parseText('json', text)
        expect(parseText('json', edited)).toEqual(withValue(before, path, wanted))
        const old = valueAt(before, path)
        const back = editText('json', edited, [{ path, ...(old !== undefined && { value: old }) }])
        // Objects that were made around it stay, empty.
        const made = old === undefined && valueAt(before, path.slice(0, -1)) === undefined
        if (!made) expect(parseText('json', back)).toEqual(before)
      },
    ),
    { numRuns: 500 },
  )
})

test.each(['json', 'jsonc', 'toml', 'yaml'] as const)(
  'in %s a key with spaces is another',
  (format) => {
    const text =
      { toml: '" env" = 1\n', yaml: '" env": 1\n' }[format as string] ?? '{ " env": 1 }\n'
    const changed = editText(format, text, [{ path: ['env'], value: 'ours' }])
    expect(parseText(format, changed)).toEqual({ ' env': 1, env: 'ours' })
  },
)
