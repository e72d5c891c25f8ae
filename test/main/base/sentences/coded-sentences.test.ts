import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorTable } from '../../../../main/base/errors.ts'
import { problemCode } from '../../../../main/base/field-problems.ts'
import { answerFaults } from '../../../../main/base/sentences/answer-faults.ts'
import { bodyRules } from '../../../../main/base/sentences/body-rules.ts'
import { lossNotes } from '../../../../main/base/sentences/loss-notes.ts'
import { operations } from '../../../../main/manage/operation/operations.ts'
import { answerFaults as chineseFaults } from '../../../../renderer/i18n/chinese/sentences/answer-faults.ts'
import { bodyRules as chineseRules } from '../../../../renderer/i18n/chinese/sentences/body-rules.ts'
import { failureHeads } from '../../../../renderer/i18n/chinese/sentences/failure-heads.ts'
import { lossNotes as chineseNotes } from '../../../../renderer/i18n/chinese/sentences/loss-notes.ts'

/** Whose failures an operation can answer with, or a page shows. */
const rooms = [
  'adaptor',
  'base',
  'capture',
  'connect',
  'convert',
  'desktop',
  'http',
  'inspect',
  'manage',
  'relay',
  'store',
  'transfer',
  'upstream',
]

/** The vendor’s own words, or another failure’s, which are passed on with its reason. */
const passedOn = [
  'main/convert/errors/upstream-error.ts',
  'main/relay/translate/threads/translators.ts',
]

/** The console never gets these. */
const unseen: Readonly<Record<string, string>> = {
  client_gone: 'ends what nobody waits for; what a row of a call shows has a reason',
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

/** A reason of its own, or that of a sentence that comes with its message. */
const hasReason = ({ text }: Site): boolean =>
  /(?<![.\w])reason(?=\s*[:,}])|(?:\.\.\.|, )problem\b/.test(withoutTexts(text))

test('no failure that the console shows is a sentence in English alone', () => {
  const files = rooms.flatMap(filesOf)
  expect(passedOn.filter((path) => !files.includes(path))).toEqual([])
  const sites = files.filter((path) => !passedOn.includes(path)).flatMap(sitesIn)
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
    'main/capture/capture.ts',
    'main/http/refusal/refusal-hint.ts',
    'main/manage/audit/audit.ts',
    'main/manage/channels/maintenance/failure.ts',
    'main/relay/call/call-record.ts',
    'main/relay/call/route-note.ts',
    'main/store/payment/orders.ts',
  ])
})

test('every kind of failure has a Chinese name', () => {
  expect(Object.keys(errorTable).filter((code) => !(code in failureHeads))).toEqual([])
})

/** Rooms whose conversions note what they leave out. */
const losing = ['convert', 'relay']

/** A call’s arguments behind the first one, from its opening parenthesis on. */
function laterArguments(source: string, open: number): string {
  let depth = 0
  let first = -1
  for (let at = open; at < source.length; at++) {
    if ('([{'.includes(source[at] ?? '')) depth++
    else if (')]}'.includes(source[at] ?? '')) depth--
    if (source[at] === ',' && depth === 1 && first < 0) first = at
    if (depth === 0) return first < 0 ? '' : source.slice(first, at)
  }
  return ''
}

test('no note of a conversion is a sentence in English alone', () => {
  let count = 0
  const english = losing.flatMap(filesOf).flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    return [...source.matchAll(/\b(?:drop|approximate|noteUnused)\(/g)].flatMap((found) => {
      count++
      const given = laterArguments(source, found.index + found[0].length - 1)
      // Two words in a row are no code and no value of one.
      const said = /(['"`])(?:(?!\1).)*[a-z’]+ [a-z’]+(?:(?!\1).)*\1/i.exec(given)
      return said ? [`${path}: ${said[0]}`] : []
    })
  })
  expect(count).toBeGreaterThan(200)
  expect(english).toEqual([])
})

type Texts = Readonly<Record<string, string>>

/** Sentences that stand in a table in English, and the same in Chinese. */
const tables: readonly [string, Texts, Texts][] = [
  ['notes of conversions', lossNotes, chineseNotes],
  ['rules for fields', bodyRules, chineseRules],
  ['faults of answers', answerFaults, chineseFaults],
]

test.each(tables)('all %s are said somewhere', (_name, english) => {
  const sources = ['convert', 'relay', 'upstream']
    .flatMap(filesOf)
    .map((path) => readFileSync(path, 'utf8'))
    .join('')
  const unsaid = Object.keys(english).filter((code) => !sources.includes(`'${code}'`))
  expect(unsaid).toEqual([])
})

test.each(tables)('the Chinese %s have the values of the English ones', (_name, ...both) => {
  const slotsIn = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort()
  const [english, chinese] = both.map((texts) =>
    Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, slotsIn(text)])),
  )
  expect(chinese).toEqual(english)
})

test('no code stands for two sentences', async () => {
  const folder = 'renderer/i18n/chinese/sentences'
  const texts = await Promise.all(
    readdirSync(folder)
      .filter((name) => !['sentences.ts', 'failure-heads.ts', 'sentence-slots.ts'].includes(name))
      .filter((name) => name !== 'first-sentences.ts')
      .map((name): Promise<Record<string, Texts>> => import(`../../../../${folder}/${name}`)),
  )
  const codes = texts.flatMap(Object.values).flatMap((one) => Object.keys(one))
  expect(codes.length).toBeGreaterThan(900)
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
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
