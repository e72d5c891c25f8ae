import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorTable } from '../../../../main/base/errors.ts'
import { problemCode } from '../../../../main/base/field-problems.ts'
import { operations } from '../../../../main/manage/operation/operations.ts'
import { failureHeads } from '../../../../renderer/i18n/chinese/sentences/failure-heads.ts'

/** Whose failures an operation can answer with, or a page shows. */
const rooms = [
  'adaptor',
  'base',
  'capture',
  'connect',
  'desktop',
  'http/api',
  'inspect',
  'manage',
  'store',
  'transfer',
]

/** The console never gets these. */
const unseen: Readonly<Record<string, string>> = {
  client_gone: 'nobody is there any more',
  format_not_served: 'of model calls, where the channel is named before it',
  unknown_path: 'the console knows its paths',
  method_not_allowed: 'the console knows its paths',
  unsupported_media_type: 'the console sends JSON',
  invalid_access_token: 'the console has a session',
}

interface Site {
  place: string
  /** Null where another failure’s is passed on. */
  code: string | null
  text: string
}

/** A file’s failures; the formatter ends each on a line that is indented as its first one. */
function sitesIn(path: string): Site[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (!/\bnew \w*(?:GatewayError|Failure)\($|\bnew GatewayError\(/.test(line)) return []
    // Behind ? and : the end is indented as what begins there.
    const indent = ' '.repeat((/^ *(?:[?:] )?/.exec(line)?.[0] ?? '').length)
    const isOpen = /[({[]$/.test(line)
    const end = lines.findIndex(
      (one, at) => at > index && one.startsWith(indent) && /^[)}\]]/.test(one.slice(indent.length)),
    )
    const text = isOpen ? lines.slice(index, end + 1).join('\n') : line
    const code = /new \w+\(\s*'(\w+)'/.exec(text)?.[1] ?? null
    return [{ place: `${path}:${index + 1}`, code, text }]
  })
}

const filesOf = (room: string): string[] =>
  readdirSync(`main/${room}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/'))

const withoutTexts = (source: string): string =>
  source.replaceAll(/\/\/.*$/gm, '').replaceAll(/'(?:[^'\\\n]|\\.)*'|`[^`]*`|"[^"\n]*"/g, "''")

/** A reason of its own, or a sentence’s with its message. */
const hasReason = ({ text }: Site): boolean =>
  /(?<![.\w])reason(?=\s*[:,}])|\.\.\.problem\b/.test(withoutTexts(text))

test('no failure that the console shows is a sentence in English alone', () => {
  const sites = rooms.flatMap(filesOf).flatMap(sitesIn)
  expect(sites.length).toBeGreaterThan(200)
  const isUnseen = ({ code }: Site) => code !== null && code in unseen
  const english = sites.filter((site) => !isUnseen(site) && !hasReason(site))
  expect(english.map(({ place, code }) => `${place} ${code}`)).toEqual([])
})

test('whoever makes a failure for a field must give its reason', () => {
  const optional = rooms
    .flatMap(filesOf)
    .filter((path) => /\breason\?: Reason\b/.test(readFileSync(path, 'utf8')))
  expect(optional).toEqual([
    'main/base/errors.ts',
    'main/manage/audit/audit.ts',
    'main/manage/channels/maintenance/failure.ts',
  ])
})

test('every kind of failure has a Chinese name', () => {
  expect(Object.keys(errorTable).filter((code) => !(code in failureHeads))).toEqual([])
})

interface Schema {
  _zod?: { def: Record<string, unknown> }
}

/** The texts by which schemas say what is wrong, where no code goes with them. */
function problemsOf(value: unknown, path: string, seen: Set<unknown>): string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const def = (value as Schema)._zod?.def
  if (!def) return Object.values(value).flatMap((one) => problemsOf(one, path, seen))
  const { error, params, check } = def as { error?: unknown; params?: unknown; check?: string }
  // The bounds of a length or a number are values of its code.
  const isBound = /^(?:min|max)_length$|^(?:less|greater)_than$/.test(check ?? '')
  const text = typeof error === 'function' ? error({ code: 'custom', input: '' }) : undefined
  const said = typeof text === 'string' ? text : text?.message
  const own =
    typeof said === 'string' && !params && !isBound && problemCode(said) === undefined
      ? [`${path}: ${said}`]
      : []
  const parts = Object.entries(def).flatMap(([name, one]) => {
    if (name === 'shape') {
      return Object.entries(one as object).flatMap(([field, schema]) =>
        problemsOf(schema, `${path}.${field}`, seen),
      )
    }
    return problemsOf(one, path, seen)
  })
  return [...own, ...parts]
}

/** Only scripts can send these wrongly. */
const ofScripts = [/must be "/, /^.*: must be a? ?number from 0$/, /must be true: /]

test('what a form can have wrong is told by code', () => {
  const problems = Object.values(operations).flatMap(({ name, input }) =>
    problemsOf(input, name, new Set()),
  )
  const untold = problems.filter((text) => !ofScripts.some((pattern) => pattern.test(text)))
  expect(untold).toEqual([])
})
