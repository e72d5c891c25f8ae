import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { CallFilter, CallRow, Ledger } from '../../../../main/store/ledger/ledger.ts'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { call } from './call.ts'

const FIRST = 1_700_000_000
const SPAN = 6 * 3600
const MODELS = ['gpt_a', 'gptxa', 'claude'] as const

type Stored = CallRow & { id: number }

const isCall = (type: number) => type === 2 || type === 5

const hourOf = (time: number) => Math.floor(time / 3600) - Math.floor(FIRST / 3600)

/**
 * Rows of every kind over some hours, in two of which there were no model calls; what is none has no token,
 * channel or model.
 */
const rows = Array.from({ length: 600 }, (_, index): Stored => {
  const draw = (count: number, salt: number) => ((index * 7919 + salt * 104_729) >>> 3) % count
  const createdAt = FIRST + ((index * 1_234_567) % SPAN)
  const isQuiet = [1, 3].includes(hourOf(createdAt))
  const types = isQuiet ? ([1, 3, 4, 6] as const) : ([2, 2, 2, 2, 5, 1, 3, 4, 6] as const)
  const type = types[draw(types.length, 1)] ?? 2
  const user = 1 + draw(2, 2)
  return {
    ...call({
      ...{ type, requestId: `r${index}`, userId: user, username: `user ${user}` },
      createdAt,
      group: draw(4, 3) === 0 ? 'vip' : 'default',
      quota: index,
    }),
    ...(isCall(type)
      ? {
          ...{ tokenId: draw(3, 4), tokenName: `token ${draw(3, 4)}` },
          ...{ channelId: draw(4, 5), model: MODELS[draw(3, 6)] ?? '' },
        }
      : { tokenId: 0, tokenName: '', channelId: 0, model: '' }),
    id: index + 1,
  }
})

const fields = {
  userId: fc.constantFrom(1, 2, 3),
  username: fc.constantFrom('user 1', 'user 2', 'nobody'),
  tokenId: fc.constantFrom(1, 2, 9),
  tokenName: fc.constantFrom('token 1', 'token 2', 'none'),
  modelName: fc.constantFrom('gpt_a', 'gpt_%', '%a', '%', 'none%'),
  channelId: fc.constantFrom(1, 2, 3, 9),
  type: fc.constantFrom(1, 2, 3, 4, 5, 6),
  group: fc.constantFrom('vip', 'default'),
  requestId: fc.constantFrom('r1', 'r2', 'r7'),
  start: fc.integer({ min: FIRST - 99, max: FIRST + SPAN }),
  end: fc.integer({ min: FIRST - 99, max: FIRST + SPAN }),
}

/** Few at a time: most rows fail a filter that asks everything. */
const filters: fc.Arbitrary<CallFilter> = fc
  .tuple(fc.record(fields), fc.subarray(Object.keys(fields), { maxLength: 3 }))
  .map(([all, asked]) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name))),
  )

const like = (pattern: string) =>
  new RegExp(`^${pattern.replaceAll('_', '[_]').replaceAll('%', '.*')}$`)

function matches(row: CallRow, filter: CallFilter): boolean {
  const { userId, username, tokenId, tokenName, modelName, channelId, type, group } = filter
  return (
    [
      [userId, row.userId],
      [username, row.username],
      [tokenId, row.tokenId],
      [tokenName, row.tokenName],
      [channelId, row.channelId],
      [type, row.type],
      [group, row.group],
      [filter.requestId, row.requestId],
    ].every(([asked, has]) => asked === undefined || asked === has) &&
    (modelName === undefined || like(modelName).test(row.model)) &&
    row.createdAt >= (filter.start ?? 0) &&
    row.createdAt <= (filter.end ?? Number.POSITIVE_INFINITY)
  )
}

const newestFirst = (one: Stored, other: Stored): number =>
  other.createdAt - one.createdAt || other.id - one.id

function expectLists(ledger: Ledger, kept: readonly Stored[]): void {
  const pages = fc.record({
    page: fc.integer({ min: 1, max: 5 }),
    pageSize: fc.constantFrom(3, 40),
  })
  fc.assert(
    fc.property(filters, pages, (filter, { page, pageSize }) => {
      const expected = kept.filter((row) => matches(row, filter)).sort(newestFirst)
      expect(ledger.list(filter, { page, pageSize })).toEqual({
        total: expected.length,
        items: expected.slice((page - 1) * pageSize, page * pageSize),
      })
    }),
    { numRuns: 400 },
  )
}

function expectStats(ledger: Ledger, kept: readonly Stored[]): void {
  fc.assert(
    fc.property(filters, (filter) => {
      const expected = kept.filter(
        (row) => matches(row, filter) && (isCall(row.type) || filter.type !== undefined),
      )
      const count = (type: number) => expected.filter((row) => row.type === type).length
      expect(ledger.stat(filter)).toMatchObject({
        quota: expected.reduce((sum, { quota }) => sum + quota, 0),
        calls: count(2) + count(5),
        errors: count(5),
      })
    }),
    { numRuns: 400 },
  )
}

test('any filter finds exactly its rows, on any page, also after old rows went', async () => {
  const ledger = await openLedger(join(tempFolder(), 'ledger.db'))
  onTestFinished(() => ledger.close())
  await Promise.all(rows.map(({ id: _id, ...row }) => ledger.record(row)))
  expectLists(ledger, rows)
  expectStats(ledger, rows)
  const middle = FIRST + SPAN / 2
  const kept = rows.filter(({ createdAt }) => createdAt >= middle)
  expect(await ledger.removeBefore(middle)).toBe(rows.length - kept.length)
  expectLists(ledger, kept)
})

test('rows are removed in pieces, between which calls are recorded', async () => {
  const ledger = await openLedger(join(tempFolder(), 'ledger.db'))
  onTestFinished(() => ledger.close())
  for (let batch = 0; batch < 9; batch++) {
    await Promise.all(Array.from({ length: 1000 }, () => ledger.record(call())))
  }
  let isDone = false
  const removal = ledger.removeBefore(1_700_000_001).then((count) => {
    isDone = true
    return count
  })
  await ledger.record(call({ createdAt: 1_700_000_002 }))
  expect(isDone).toBe(false)
  expect(await removal).toBe(9000)
  expect(ledger.list({}, { page: 1, pageSize: 5 })).toMatchObject({ total: 1, items: [{}] })
  expect(ledger.totals('token', 2).calls).toBe(9001)
})

test('a call that took hours is found by its id, which tells when it began', async () => {
  const ledger = await openLedger(join(tempFolder(), 'ledger.db'))
  onTestFinished(() => ledger.close())
  const requestId = '20261121101534a1b2c3d4e5f6'
  const createdAt = Date.UTC(2026, 10, 21, 16, 0, 0) / 1000
  await ledger.record(call({ requestId, createdAt }))
  expect(ledger.list({ requestId }, { page: 1, pageSize: 5 }).total).toBe(1)
})
