import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { callValues, insertCalls } from '../../../../../main/store/ledger/call-columns.ts'
import type { CallRow, Ledger } from '../../../../../main/store/ledger/ledger.ts'
import { openLedgerFile } from '../../../../../main/store/ledger/ledger-file.ts'
import { openLedger } from '../../../../../main/store/ledger/open-ledger.ts'
import { type CallFacts, factsOf } from '../../../../../main/store/ledger/search/call-facts.ts'
import { CallSearch } from '../../../../../main/store/ledger/search/call-search.ts'
import { matchesFacts } from '../../../../../main/store/ledger/search/matches-facts.ts'
import {
  callFlags,
  type SearchCondition,
  textFields,
} from '../../../../../main/store/ledger/search/search-condition.ts'
import type { CallPlace, CallSort } from '../../../../../main/store/ledger/search/searches.ts'
import { sqliteDriver } from '../../../../../main/store/ledger/sqlite-driver.ts'
import { Statements } from '../../../../../main/store/ledger/statements.ts'
import { runsOf } from '../../../../support/every-case.ts'
import { tempFolder } from '../../folder/temp-folder.ts'
import { call } from '../call.ts'

type Stored = CallRow & { id: number }

const FIRST = 1_700_000_000
const COUNT = 900
const TEXTS = ['gpt-4o', 'Claude_50%', 'claude', 'Ünï', '']

/** Rows of every kind, some of them out of the order of time, and with all facts that a search knows. */
const rows = Array.from({ length: COUNT }, (_, index): Stored => {
  const draw = (count: number, salt: number) => ((index * 7919 + salt * 104_729) >>> 3) % count
  const text = (salt: number) => TEXTS[draw(TEXTS.length, salt)] ?? ''
  const type = ([2, 2, 2, 2, 5, 1, 3, 4, 6] as const)[draw(9, 1)] ?? 2
  const input = draw(3, 2) * 50
  const other = {
    ...{ request_path: text(3), wire_format: text(4), client: text(5), session: text(6) },
    ...(draw(3, 7) === 0
      ? { error_code: text(8) === 'claude' ? 'upstream_cut' : 'no_channel' }
      : {}),
    ...(draw(2, 9) === 0 ? { frt: draw(5, 10) * 100 } : {}),
    ...(draw(4, 11) === 0 ? { loss: [{ path: 'a' }] } : { loss: [] }),
    ...(draw(4, 12) === 0 ? { estimated: true, replay_of: 'r1' } : {}),
  }
  return {
    ...call({
      ...{ type, requestId: `r${index}`, userId: 1 + draw(2, 13), username: `user ${draw(2, 13)}` },
      createdAt: FIRST + index * 3 - (index % 50 === 0 ? 600 : 0),
      ...{ model: text(14), channelName: text(15), tokenName: text(16) },
      ...{ quota: draw(9, 17), promptTokens: input, completionTokens: draw(5, 18) },
      ...{ cachedTokens: input / 2, useTime: draw(7, 19) * 1000, isStream: draw(2, 20) === 0 },
      ...{ status: [200, 429, 499, 502][draw(4, 21)] ?? 200, content: draw(3, 22) ? '' : text(23) },
      other: index % 97 === 0 ? 'no JSON' : JSON.stringify(other),
    }),
    id: index + 1,
  }
})

const numbers = {
  time: [FIRST, FIRST + 900, FIRST + 2000],
  ...{ userId: [1, 2], type: [2, 5], status: [200, 400, 499], duration: [0, 1000, 3000] },
  ...{ firstToken: [0, 100], quota: [1, 4], input: [0, 50], output: [1, 3], cached: [0, 50] },
}
const end = (values: number[]) => fc.option(fc.constantFrom(...values), { nil: undefined })

const parts = fc.constantFrom('claude', 'CLAUDE', 'e_5', '%', '\\', 'nï', "'", 'r1', 'nothing')

const condition: fc.Arbitrary<SearchCondition> = fc
  .tuple(
    fc.boolean(),
    fc.oneof(
      fc.record({
        test: fc.constant('contains' as const),
        fields: fc.subarray([...textFields], { minLength: 1, maxLength: 4 }),
        text: parts,
      }),
      fc
        .constantFrom(...(Object.entries(numbers) as [keyof typeof numbers, number[]][]))
        .chain(([field, values]) =>
          fc.record({
            ...{ test: fc.constant('range' as const), field: fc.constant(field) },
            range: fc.record({
              ...{ above: end(values), atLeast: end(values), atMost: end(values) },
              below: end(values),
            }),
          }),
        ),
      fc.record({ test: fc.constant('flag' as const), flag: fc.constantFrom(...callFlags) }),
      fc.record({ test: fc.constant('types' as const), types: fc.subarray([1, 2, 3, 4, 5, 6]) }),
      fc.record({
        ...{ test: fc.constant('message' as const), text: parts },
        requestIds: fc.subarray(['r1', 'r20', 'r300']),
      }),
      fc.record({
        test: fc.constant('source' as const),
        source: fc.constantFrom('running' as const, 'refused' as const),
      }),
    ),
  )
  .map(([isNegated, one]) => ({ ...one, isNegated }) as SearchCondition)

const searches = fc.record({
  conditions: fc.array(condition, { maxLength: 3 }),
  sort: fc.constantFrom<CallSort>('time', 'duration', 'quota', 'input', 'output', 'firstToken'),
  order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  limit: fc.constantFrom(60, 1000),
})

function expected(
  kept: readonly Stored[],
  conditions: readonly SearchCondition[],
  sort: CallSort,
  order: 'asc' | 'desc',
): string[] {
  const way = order === 'asc' ? 1 : -1
  const none = order === 'asc' ? Number.MAX_SAFE_INTEGER : -1
  const value = (row: Stored) => (factsOf(row)[sort as keyof CallFacts] as number | null) ?? none
  return kept
    .filter((row) => matchesFacts(row, conditions, 'ledger'))
    .sort((a, b) => way * (value(a) - value(b) || a.createdAt - b.createdAt || a.id - b.id))
    .map(({ requestId }) => requestId)
}

async function all(
  ledger: Pick<Ledger, 'find'>,
  {
    conditions,
    ...page
  }: { conditions: SearchCondition[]; sort: CallSort } & {
    order: 'asc' | 'desc'
    limit: number
  },
): Promise<string[]> {
  const found: string[] = []
  let cursor: CallPlace | null = null
  do {
    const { rows, next } = await ledger.find(conditions, { ...page, cursor })
    expect(rows.length).toBeLessThanOrEqual(page.limit)
    found.push(...rows.map(({ requestId }) => requestId))
    cursor = next
  } while (cursor)
  return found
}

const expectFinds = (
  ledger: Pick<Ledger, 'find'>,
  kept: readonly Stored[],
  numRuns: number,
  asked = searches,
) =>
  fc.assert(
    fc.asyncProperty(asked, async (search) => {
      const { conditions, sort, order } = search
      expect(await all(ledger, search)).toEqual(expected(kept, conditions, sort, order))
    }),
    runsOf(numRuns, Math.ceil(numRuns / 4)),
  )

async function openWith(given: readonly Stored[]): Promise<{ ledger: Ledger; path: string }> {
  const path = join(tempFolder(), 'ledger.db')
  const ledger = await openLedger(path)
  onTestFinished(() => ledger.close())
  await Promise.all(given.map(({ id: _id, ...row }) => ledger.record(row)))
  return { ledger, path }
}

test('any search finds exactly its rows, in any order, page by page', async () => {
  const { ledger, path } = await openWith(rows.slice(0, 600))
  await expectFinds(ledger, rows.slice(0, 600), 100)
  // Rows that came after a search, those that were removed, and a file that was searched before.
  await Promise.all(rows.slice(600).map(({ id: _id, ...row }) => ledger.record(row)))
  await expectFinds(ledger, rows, 25)
  const middle = FIRST + 900
  await ledger.removeBefore(middle)
  const kept = rows.filter(({ createdAt }) => createdAt >= middle)
  await expectFinds(ledger, kept, 25)
  ledger.close()
  const database = new (sqliteDriver().Database)(path)
  expect(database.prepare('SELECT count(*) AS count FROM call_facts').get()).toEqual({
    count: kept.length,
  })
  database.close()
  const again = await openLedger(path)
  onTestFinished(() => again.close())
  await expectFinds(again, kept, 25)
})

test('a search in small pieces finds the same, over pages that end before they are full', async () => {
  const database = openLedgerFile(join(tempFolder(), 'ledger.db'))
  onTestFinished(() => database.close())
  const insert = database.prepare(insertCalls(1))
  const statements = new Statements(database)
  const kept: Stored[] = []
  const add = (given: readonly Stored[]) => {
    for (const row of given) insert.run(...callValues(row.id, row))
    kept.push(...given)
  }
  const lastId = () => kept.length
  const [short, long] = [
    { slice: 40, lookedAt: 120 },
    { slice: 40, lookedAt: 100_000 },
  ].map((sizes) => new CallSearch(database, statements, lastId, sizes)) as [CallSearch, CallSearch]
  const byTime = searches.map((one) => ({ ...one, sort: 'time' as const, order: 'desc' as const }))
  add(rows.slice(0, 300))
  await expectFinds(short, kept, 25, byTime)
  add(rows.slice(300, 306))
  await expectFinds(short, kept, 10, byTime)
  add(rows.slice(306))
  await expectFinds(short, kept, 25, byTime)
  await expectFinds(long, kept, 25)
  const newest = expected(kept, [], 'time', 'desc').slice(0, 120)
  const dear = { conditions: [], sort: 'quota', order: 'asc', limit: 1000 } as const
  expect((await all(short, { ...dear, conditions: [] })).sort()).toEqual(newest.sort())
  const never: SearchCondition = { test: 'source', source: 'running', isNegated: false }
  const page = { limit: 10, sort: 'time', order: 'desc' } as const
  const empty = await short.find([never], { ...page, cursor: null })
  expect(empty).toMatchObject({ rows: [], next: { time: expect.any(Number) } })
})

test.each(['%', '_', '\\', "'"])('%s is looked for as it stands', async (text) => {
  const { ledger } = await openWith(rows.slice(0, 60))
  const page = { sort: 'time', order: 'desc', limit: 1000 } as const
  for (const field of textFields) {
    const conditions: SearchCondition[] = [
      { test: 'contains', fields: [field], text, isNegated: false },
    ]
    const found = expected(rows.slice(0, 60), conditions, 'time', 'desc')
    expect(await all(ledger, { ...page, conditions }), field).toEqual(found)
  }
})

test('pages of a search fit together while rows arrive', async () => {
  const { ledger } = await openWith(rows)
  const conditions: SearchCondition[] = [
    { test: 'contains', fields: ['model'], text: 'claude', isNegated: false },
  ]
  for (const sort of ['time', 'duration'] as const) {
    const before = expected(rows, conditions, sort, 'desc')
    const upToId = ledger.newest().id
    const found: string[] = []
    let cursor: CallPlace | null = null
    do {
      const page = await ledger.find(conditions, {
        ...{ cursor, sort, upToId },
        order: 'desc',
        limit: 20,
      })
      found.push(...page.rows.map(({ requestId }) => requestId))
      await ledger.record(
        call({ requestId: 'new', model: 'claude', createdAt: FIRST + 99_999, useTime: 99_999 }),
      )
      cursor = page.next
    } while (cursor)
    if (sort === 'time') expect(found).toEqual(before)
    else expect(found.filter((id) => id !== 'new')).toEqual(before)
  }
})

test('new rows are counted from a place on, those that fit alone', async () => {
  const { ledger } = await openWith(rows.slice(0, 10))
  const since = ledger.newest()
  const mine: SearchCondition = {
    test: 'range',
    field: 'userId',
    range: { atLeast: 7, atMost: 7 },
    isNegated: false,
  }
  const model: SearchCondition = {
    test: 'contains',
    fields: ['model'],
    text: 'gpt',
    isNegated: false,
  }
  expect(await ledger.countSince([], since)).toBe(0)
  const now = Math.floor(Date.now() / 1000)
  await ledger.record(call({ createdAt: now, userId: 7, model: 'gpt-x' }))
  await ledger.record(call({ createdAt: now, userId: 8, model: 'other' }))
  expect(await ledger.countSince([], since)).toBe(2)
  expect(await ledger.countSince([mine], since)).toBe(1)
  expect(await ledger.countSince([model], since)).toBe(1)
  expect(await ledger.countSince([{ ...model, isNegated: true }], since)).toBe(1)
})

test('values of a field come with those that begin so first, and the commonest', async () => {
  const { ledger } = await openWith([])
  const models = ['gpt-4o', 'gpt-4o', 'gpt-5', 'my-gpt', 'my-gpt', 'my-gpt', 'claude']
  await Promise.all(models.map((model, index) => ledger.record(call({ model, userId: index % 2 }))))
  expect(await ledger.valuesOf('model', 'GPT', 10)).toEqual([
    { value: 'gpt-4o', count: 2 },
    { value: 'gpt-5', count: 1 },
    { value: 'my-gpt', count: 3 },
  ])
  expect(await ledger.valuesOf('model', 'gpt', 1)).toEqual([{ value: 'gpt-4o', count: 2 }])
  const odd: SearchCondition = {
    test: 'range',
    field: 'userId',
    range: { atLeast: 1 },
    isNegated: false,
  }
  expect(await ledger.valuesOf('model', 'my', 10, [odd])).toEqual([{ value: 'my-gpt', count: 2 }])
  expect(await ledger.valuesOf('status', '', 10)).toEqual([{ value: '200', count: 7 }])
  expect(await ledger.valuesOf('session', '', 10)).toEqual([])
  await ledger.record(call({ model: 'Übermodell' }))
  expect(await ledger.valuesOf('model', 'über', 10)).toEqual([{ value: 'Übermodell', count: 1 }])
})
