import fc from 'fast-check'
import { stringify as tomlOf } from 'smol-toml'
import { stringify as yamlOf } from 'yaml'
import type { FileFormat } from '../../../../main/connect/tool.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/)
/** No value has a §. */
const remark = fc.stringMatching(/^[a-z"'=:#[\]{}, ]{0,12}$/).map((text) => ` §${text.trim()}`)
const plain = fc.oneof(fc.string({ maxLength: 12 }), fc.integer(), fc.boolean())
const scalar = fc.oneof(plain, fc.array(plain, { maxLength: 3 }))
const lineEnd = fc.constantFrom('\n', '\r\n')

/** Some of the lines with a remark before them or behind them. */
export const remarked = (
  lines: readonly string[],
  mayFollow: (line: string) => boolean,
  sign = '#',
) =>
  fc
    .tuple(...lines.map(() => fc.option(fc.tuple(remark, fc.boolean()), { freq: 2 })))
    .map((remarks) =>
      lines.flatMap((line, at) => {
        const [said, isBehind] = remarks[at] ?? []
        if (said === undefined) return [line]
        const text = sign + said
        return isBehind && mayFollow(line) ? [`${line} ${text}`] : [text, line]
      }),
    )

export const laidOut = (lines: fc.Arbitrary<readonly string[]>) =>
  fc.tuple(lines, lineEnd, fc.boolean(), fc.boolean()).map(([all, end, isEnded, isMarked]) => {
    const text = all.join(end) + (isEnded && all.length > 0 ? end : '')
    return isMarked ? `\uFEFF${text}` : text
  })

/** Keys, then tables and lists of tables, some of them named as those that are edited. */
const tomlText = (() => {
  const name = fc.oneof({ weight: 4, arbitrary: word }, fc.constantFrom('model', 'provider', 'x y'))
  const keys = fc.dictionary(name, scalar, { maxKeys: 4, noNullPrototype: true })
  const tables = fc.dictionary(
    fc.oneof(word, fc.constantFrom('providers', 'agents')).map((text) => `t_${text}`),
    fc.oneof(keys, fc.array(keys, { minLength: 1, maxLength: 2 })),
    { maxKeys: 3, noNullPrototype: true },
  )
  const own = fc.option(fc.record({ agents: keys }), { nil: {} })
  const lines = fc
    .tuple(keys, tables, own)
    .map(([top, more, agents]) =>
      tomlOf({ ...top, ...more, ...agents })
        .trimEnd()
        .split('\n'),
    )
    .chain((all) => remarked(all, (line) => line !== ''))
  return laidOut(lines)
})()

const yamlText = (() => {
  const inner = fc.dictionary(word, scalar, { maxKeys: 3, noNullPrototype: true })
  const value = fc.oneof(scalar, inner, fc.array(inner, { maxLength: 2 }))
  const others = fc.dictionary(word, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true })
  // Replaced, so that remarks inside of it would go with it.
  const model = fc.option(fc.record({ model: plain, own: inner }), { nil: {} })
  const top = fc.tuple(others, model).map(([all, ours]) => ({ ...all, ...ours }))
  const lines = fc
    .tuple(top, fc.constantFrom(2, 4), fc.boolean())
    .map(([all, indent, indentSeq]) =>
      yamlOf(all, { indent, indentSeq, lineWidth: 0, blockQuote: false }).trimEnd().split('\n'),
    )
    // Between lines of one level a remark may stand anywhere; behind a line only after its value.
    .chain((all) => remarked(all, (line) => /[\w"'\]}]$/.test(line) && !line.endsWith('-')))
  return laidOut(lines)
})()

const dotenvText = (() => {
  const value = fc.oneof(
    fc.stringMatching(/^[\w./:-]{0,10}$/),
    fc.stringMatching(/^[\w #=]{0,10}$/).map((text) => `"${text}"`),
    fc.stringMatching(/^[\w #="]{0,10}$/).map((text) => `'${text}'`),
    fc.constant('"two\nlines"'),
  )
  const name = fc.oneof({ weight: 4, arbitrary: word }, fc.constantFrom('URL', 'KEY', 'OLD'))
  const line = fc
    .tuple(fc.constantFrom('', 'export '), name, fc.constantFrom('=', ' = '), value)
    .map((parts) => parts.join(''))
  const lines = fc
    .array(fc.oneof({ weight: 3, arbitrary: line }, fc.constant('')), { maxLength: 6 })
    .chain((all) => remarked(all, (text) => text !== ''))
  return laidOut(lines)
})()

/** Valid files of a format in every layout, with remarks. */
export const anyText: Record<
  Extract<FileFormat, 'toml' | 'yaml' | 'dotenv'>,
  fc.Arbitrary<string>
> = { toml: tomlText, yaml: yamlText, dotenv: dotenvText }

/** `{ "a": 1, "b": [ 2 ] }`, `{"a": 1, "b": [2]}` or `{"a":1,"b":[2]}`: all on one line. */
function onOneLine(value: unknown, pad: string, gap: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(
    ([key, one]) => (isList ? '' : `${JSON.stringify(key)}:${gap}`) + onOneLine(one, pad, gap),
  )
  // Also `{ }` and `[ ]`.
  const inner = parts.length === 0 ? pad : pad + parts.join(`,${gap}`) + pad
  return isList ? `[${inner}]` : `{${inner}}`
}

/** Objects without keys of ours, written on one line, on several, or each member on its own. */
export const anyJson = (() => {
  const inner = fc.dictionary(word, scalar, { maxKeys: 3, noNullPrototype: true })
  const others = fc.dictionary(
    word.filter((name) => name !== 'model'),
    fc.oneof(scalar, inner, fc.array(inner, { maxLength: 2 })),
    { minKeys: 1, maxKeys: 4, noNullPrototype: true },
  )
  const value = fc.tuple(others, inner).map(([all, env]) => ({ ...all, env }))
  const space = fc.constantFrom('', ' ')
  return fc
    .tuple(value, fc.constantFrom('one', 'members', 'all'), space, space, lineEnd)
    .map(([whole, layout, pad, gap, end]) => {
      if (layout === 'one') return onOneLine(whole, pad, gap)
      if (layout === 'all') return JSON.stringify(whole, null, 2).replaceAll('\n', end)
      const members = Object.entries(whole).map(
        ([key, one]) => `  ${JSON.stringify(key)}: ${onOneLine(one, pad, gap)}`,
      )
      return `{${end}${members.join(`,${end}`)}${end}}${end}`
    })
})()
