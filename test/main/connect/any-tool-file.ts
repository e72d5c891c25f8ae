import fc from 'fast-check'
import { stringify as tomlOf } from 'smol-toml'
import { stringify as yamlOf } from 'yaml'
import { withValue } from '../../../main/connect/format/key-path.ts'
import type { FileFormat, Json, KeyPath } from '../../../main/connect/tool.ts'
import { laidOut, remarked } from './format/any-text.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
const plain = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean())
const inner = fc.dictionary(word, fc.oneof(plain, fc.array(plain, { maxLength: 2 })), {
  ...{ minKeys: 1, maxKeys: 3, noNullPrototype: true },
})
const nested = fc.oneof(
  plain,
  inner,
  fc.array(inner, { maxLength: 2 }),
  fc.dictionary(word, inner, { maxKeys: 2, noNullPrototype: true }),
)

/** Something at one of the tool's own paths, or at a part of one: mostly of the right shape, sometimes not. */
const ownAt = (paths: readonly KeyPath[]) =>
  fc.constantFrom(...paths).chain((path) =>
    fc.record({
      path: fc
        .integer({ min: 1, max: path.length })
        .map((length): KeyPath => path.slice(0, length)),
      value: fc.oneof({ weight: 4, arbitrary: inner }, { weight: 1, arbitrary: plain }),
    }),
  )

/** A file's content: keys of others, and old ones where the tool's own go. */
function anyValue(format: FileFormat, paths: readonly KeyPath[]): fc.Arbitrary<Json> {
  const [first] = paths[0] ?? []
  const others: fc.Arbitrary<Json> =
    format === 'dotenv'
      ? fc.dictionary(word, fc.stringMatching(/^[\w ./:#=-]{0,8}$/), { noNullPrototype: true })
      : typeof first === 'object'
        ? fc.array(inner, { maxLength: 3 })
        : fc.dictionary(word, nested, { maxKeys: 5, noNullPrototype: true })
  const own =
    format === 'dotenv'
      ? fc.record({ path: fc.constantFrom(...paths), value: fc.constantFrom('', 'old', 'x y') })
      : ownAt(paths)
  return fc.tuple(others, fc.array(own, { maxLength: 2 })).map(([value, all]) =>
    all.reduce<Json>((made, { path, value: old }) => {
      try {
        return withValue(made, path, old)
      } catch {
        // The one before stands in its way.
        return made
      }
    }, value),
  )
}

const toLines: Record<FileFormat, (value: Json, indent: number | '\t') => string[]> = {
  json: (value, indent) => JSON.stringify(value, null, indent).split('\n'),
  jsonc: (value, indent) => JSON.stringify(value, null, indent).split('\n'),
  toml: (value) => tomlOf(value).trimEnd().split('\n'),
  yaml: (value, indent) =>
    yamlOf(value, {
      ...{ indent: indent === 4 ? 4 : 2, lineWidth: 0, blockQuote: false },
    })
      .trimEnd()
      .split('\n'),
  dotenv: (value) =>
    Object.entries(value as Record<string, string>).map(([name, text]) => `${name}="${text}"`),
}

/** A comma after some of the last entries, as JSON with comments may have it. */
const withCommas = (lines: readonly string[], isOn: boolean) =>
  lines.map((line, at) =>
    isOn && /^\s*[\]}]/.test(lines[at + 1] ?? '') && !/[[{,]$/.test(line) ? `${line},` : line,
  )

function anyLines(format: FileFormat, value: fc.Arbitrary<Json>): fc.Arbitrary<string[]> {
  const indents = fc.constantFrom<number | '\t'>(0, 2, 4, '\t')
  const lines = fc.tuple(value, indents).map((parts) => toLines[format](...parts))
  if (format === 'json') return lines
  if (format === 'jsonc') {
    return fc
      .tuple(lines, fc.boolean())
      .map(([all, isOn]) => withCommas(all, isOn))
      .chain((all) => remarked(all, () => true, '//'))
  }
  const mayFollow = (line: string) => /[\w"'\]}]$/.test(line) && !line.endsWith('-')
  return lines.chain((all) => remarked(all, mayFollow))
}

/** Files as a tool may find its own: any valid text of their format, in every layout, with remarks (§). */
export const anyToolFile = (format: FileFormat, paths: readonly KeyPath[]): fc.Arbitrary<string> =>
  laidOut(anyLines(format, anyValue(format, paths)))
