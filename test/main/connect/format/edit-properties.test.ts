import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BrokenFile } from '../../../../main/connect/format/broken-file.ts'
import { editText, type KeyChange, parseText } from '../../../../main/connect/format/edit-text.ts'
import { withValue } from '../../../../main/connect/format/key-path.ts'
import { NotEditable } from '../../../../main/connect/format/not-editable.ts'
import { recordKeys } from '../../../../main/connect/record-keys.ts'
import { takeBackKeys } from '../../../../main/connect/take-back-keys.ts'
import type { FileFormat, Json } from '../../../../main/connect/tool.ts'
import { runsOf } from '../../../support/every-case.ts'
import { anyJson, anyText } from './any-text.ts'

const ADDRESS = 'http://127.0.0.1:4747'

/** As tools are pointed here: keys beside others', in objects of others, and whole objects. */
const changes: Record<keyof typeof anyText | 'json', KeyChange[]> = {
  json: [
    { path: ['model'], value: 'M' },
    { path: ['env', 'URL'], value: ADDRESS },
    { path: ['env', 'KEY'], value: 'sk-1' },
    { path: ['providers', 'switchyard'], value: { name: 'S', base_url: `${ADDRESS}/v1` } },
  ],
  toml: [
    { path: ['model'], value: 'M' },
    { path: ['model_window'], value: 1000 },
    { path: ['providers', 'switchyard'], value: { name: 'S', base_url: `${ADDRESS}/v1` } },
    { path: ['agents', 'default'], value: 'M' },
  ],
  yaml: [
    { path: ['model'], value: 'M' },
    { path: ['own', 'url'], value: ADDRESS },
    { path: ['providers', 'switchyard'], value: { name: 'S', base_url: `${ADDRESS}/v1` } },
  ],
  dotenv: [{ path: ['URL'], value: ADDRESS }, { path: ['KEY'], value: 'sk-1' }, { path: ['OLD'] }],
}

const recorded = (text: string, edited: string, format: keyof typeof changes) => ({
  ...{ id: 'config', path: '/config', original: null, isNew: false, madeFolder: null, left: '' },
  keys: recordKeys(format, [text, edited], changes[format]),
})

const remarks = (text: string) => (text.match(/# §[^\r\n]*/g) ?? []).sort()

const filledLines = (text: string) =>
  text
    .replace('\uFEFF', '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')

/** null: refused, as what can't be edited without touching others' text is. */
function edit(format: FileFormat, text: string, wanted: readonly KeyChange[]): string | null {
  try {
    return editText(format, text, wanted)
  } catch (error) {
    expect(error).toBeInstanceOf(NotEditable)
    return null
  }
}

test.each(Object.keys(anyText) as (keyof typeof anyText)[])(
  'any %s: only our keys are set, twice is once, and taking them back is the identity',
  (format) => {
    let [edits, refused] = [0, 0]
    fc.assert(
      fc.property(anyText[format], (text) => {
        let before: Json
        try {
          before = parseText(format, text)
        } catch (error) {
          // A remark can end up inside of a text of several lines, which is no such file then.
          expect(error).toBeInstanceOf(BrokenFile)
          return
        }
        const edited = edit(format, text, changes[format])
        if (edited === null) {
          refused += 1
          return
        }
        edits += 1
        const wanted = changes[format].reduce(
          (value, { path, value: set }) => withValue(value, path, set),
          before,
        )
        const after = parseText(format, edited)
        expect(after).toEqual(wanted)
        expect(editText(format, edited, changes[format])).toBe(edited)
        expect(edited.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
        expect(remarks(edited)).toEqual(remarks(text))

        const made = recorded(text, edited, format)
        const back = takeBackKeys(format, edited, made, ADDRESS)
        expect(parseText(format, back)).toEqual(before)
        expect(remarks(back)).toEqual(remarks(text))
        const hadNone = made.keys.every((key) => !('before' in key))
        if (hadNone) expect(filledLines(back)).toEqual(filledLines(text))
      }),
      runsOf(600, 150),
    )
    // A refusal is allowed, but must stay an exception.
    expect(edits).toBeGreaterThan(refused * 10)
  },
)

test('a table of TOML whose name a plain value of ours took comes back', () => {
  const text = '[model]\na = 1\n'
  const edited = editText('toml', text, changes.toml)
  const back = takeBackKeys('toml', edited, recorded(text, edited, 'toml'), ADDRESS)
  expect(parseText('toml', back)).toEqual(parseText('toml', text))
})

test('a file whose only CR LF went with a table of its own still ends its lines with it', () => {
  const edited = editText('toml', '[model]\r\na = false', [
    { path: ['model'], value: 'M' },
    { path: ['provider', 'name'], value: 'x' },
  ])
  expect(edited.replaceAll('\r\n', '')).not.toContain('\n')
  expect(edited).toContain('\r\n')
})

test('any JSON: keys of ours that are taken back leave no space behind, also on a line that others share', () => {
  fc.assert(
    fc.property(anyJson, fc.boolean(), (text, isChanged) => {
      const before = parseText('json', text)
      const edited = editText('json', text, changes.json)
      const keys = recorded(text, edited, 'json')
      // Somebody adds a key behind ours meanwhile.
      const foreign = [{ path: ['env', 'theirs'], value: 1 }]
      const left = isChanged ? editText('json', edited, foreign) : edited
      const back = takeBackKeys('json', left, keys, ADDRESS)
      const outsideTexts = back.replace(/"(?:[^"\\]|\\.)*"/g, '""')
      expect(outsideTexts).not.toMatch(
        /[ \t](?:[\r\n]|$)|,[ \t]{2,}["[{]|[{[][ \t]{2,}|\S[ \t]{2,}[\]}]/,
      )
      if (!isChanged) expect(back).toBe(text)
      else expect(parseText('json', back)).toEqual(withValue(before, ['env', 'theirs'], 1))
    }),
    runsOf(600, 150),
  )
})

test.each([
  '{ }',
  '[ ]',
  '{\r\n}\r\n',
  '\uFEFF{\t}',
  '{ "env": { }, "providers": {\t}, "others": [ ] }',
  '{\n  "env":\n{\n\n},\n  "providers": {\n  }\n}',
  '{ // nothing yet\n}\n',
  '{\n  "env": { /* nothing yet */ },\n  "providers": {}\n}\n',
])('an empty object or list is as it was when our keys have gone: %j', (text) => {
  const wanted: KeyChange[] = text.startsWith('[')
    ? [{ path: [{ entry: { name: 'S' } }], value: { url: ADDRESS } }]
    : changes.json
  const edited = editText('jsonc', text, wanted)
  expect(edited).toContain(ADDRESS)
  const keys = recordKeys('jsonc', [text, edited], wanted)
  const made = { ...recorded('', '', 'json'), keys }
  expect(takeBackKeys('jsonc', edited, made, ADDRESS)).toBe(text)
})

test.each([
  ['line ends', '{\r\n}\r\n', (edited: string) => edited.replaceAll('\r', ''), '{}\n'],
  [
    'space in a remark',
    '{ /* nothing yet */ }',
    (edited: string) => edited.replace('nothing yet', 'nothing  yet'),
    '{ /* nothing  yet */\n}',
  ],
])(
  '%s that were changed since stay as they are when our keys have gone',
  (_, text, change, left) => {
    const edited = change(editText('jsonc', text, changes.json))
    const keys = recordKeys('jsonc', [text, edited], changes.json)
    const made = { ...recorded('', '', 'json'), keys }
    expect(takeBackKeys('jsonc', edited, made, ADDRESS)).toBe(left)
  },
)

test.each([
  ['{ "ours": 1, "a": 2 }', '{ "a": 2 }'],
  ['{"a": 2,\n "b": 3, "ours": 1, "c": 4}', '{"a": 2,\n "b": 3, "c": 4}'],
  ['{"a": 2, "ours": 1 /* kept */}', '{"a": 2 /* kept */}'],
  ['{"a": 2, "ours": 1,}', '{"a": 2,}'],
  ['{ "ours": 1 }', '{}'],
  ['{ "ours": 1 /* kept */ }', '{ /* kept */ }'],
])('%s without our key is %s', (text, left) => {
  expect(editText('jsonc', text, [{ path: ['ours'] }])).toBe(left)
})
