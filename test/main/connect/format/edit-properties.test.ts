import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BrokenFile } from '../../../../main/connect/format/broken-file.ts'
import { editText, type KeyChange, parseText } from '../../../../main/connect/format/edit-text.ts'
import { valueAt, withValue } from '../../../../main/connect/format/key-path.ts'
import { NotEditable } from '../../../../main/connect/format/not-editable.ts'
import { takeBackKeys, valueDigest } from '../../../../main/connect/take-back-keys.ts'
import type { FileFormat, Json } from '../../../../main/connect/tool.ts'
import { anyText } from './any-text.ts'

const ADDRESS = 'http://127.0.0.1:4747'

/** As tools are pointed here: keys beside others', in objects of others, and whole objects. */
const changes: Record<keyof typeof anyText, KeyChange[]> = {
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

function depthOf(value: Json, path: KeyChange['path']): number {
  const depth = path.findIndex((_, at) => valueAt(value, path.slice(0, at + 1)) === undefined)
  return depth < 0 ? path.length : depth
}

const recorded = (before: Json, after: Json, format: keyof typeof anyText) => ({
  ...{ id: 'config', path: '/config', original: null, isNew: false, madeFolder: null, left: '' },
  keys: changes[format].map(({ path, value }) => {
    const old = valueAt(before, path)
    const written = valueAt(after, path)
    return {
      path,
      ...(old !== undefined && { before: old }),
      wrote: written === undefined ? null : valueDigest(written),
      isWhole: typeof value === 'object',
      depth: depthOf(before, path),
    }
  }),
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
  { timeout: 60_000 },
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

        const back = takeBackKeys(format, edited, recorded(before, after, format), ADDRESS)
        expect(parseText(format, back)).toEqual(before)
        expect(remarks(back)).toEqual(remarks(text))
        const hadNone = recorded(before, after, format).keys.every((key) => !('before' in key))
        if (hadNone) expect(filledLines(back)).toEqual(filledLines(text))
      }),
      { numRuns: 600 },
    )
    // A refusal is allowed, but must stay an exception.
    expect(edits).toBeGreaterThan(refused * 10)
  },
)
