import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { CallRow, Ledger } from '../../../../../main/store/ledger/ledger.ts'
import { openLedger } from '../../../../../main/store/ledger/open-ledger.ts'
import { tempFolder } from '../../folder/temp-folder.ts'
import { call } from '../call.ts'

const zone = process.env.TZ

afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const at = (text: string): number => Date.parse(text) / 1000

async function ledgerWith(rows: readonly Partial<CallRow>[], path = join(tempFolder(), 'l.db')) {
  const ledger = await openLedger(path)
  onTestFinished(() => ledger.close())
  await Promise.all(rows.map((row) => ledger.record(call(row))))
  return ledger
}

const shown = (ledger: Ledger, question: Parameters<Ledger['summary']>[0]) =>
  ledger.summary(question).map(({ key, time, quota }) => [key, time, quota])

describe('use summed up', () => {
  test('has each figure by each key', async () => {
    const ledger = await ledgerWith([
      { quota: 10, promptTokens: 5, completionTokens: 7, cachedTokens: 3 },
      { type: 5, quota: 1, promptTokens: 2, completionTokens: 0, tokenId: 0, tokenName: '' },
      { quota: 2, isEstimated: true, promptTokens: 0, completionTokens: 0 },
      { quota: 0, isUnpriced: true, channelId: 4, model: 'b', userId: 9, username: 'bob' },
      { type: 1, quota: 1_000_000 },
    ])
    const span = { start: 1_699_990_000, end: 1_700_009_999, step: 'all' as const }
    expect(ledger.summary({ ...span, by: 'model' })).toEqual([
      {
        ...{ key: 'b', time: span.start, calls: 1, errors: 0, unpriced: 1, quota: 0 },
        ...{ promptTokens: 5, completionTokens: 7, cachedTokens: 0, estimated: 0 },
      },
      {
        ...{ key: 'model-a', time: span.start, calls: 3, errors: 1, unpriced: 0, quota: 13 },
        ...{ promptTokens: 7, completionTokens: 7, cachedTokens: 3, estimated: 1 },
      },
    ])
    const by = (key: 'channel' | 'token' | 'user') => shown(ledger, { ...span, by: key })
    expect(by('channel')).toEqual([
      ['3', span.start, 13],
      ['4', span.start, 0],
    ])
    expect(by('token')).toEqual([
      ['0', span.start, 1],
      ['2', span.start, 12],
    ])
    expect(by('user')).toEqual([
      ['1', span.start, 13],
      ['9', span.start, 0],
    ])
    expect(shown(ledger, { ...span, by: 'token', username: 'bob' })).toEqual([['2', span.start, 0]])
    expect(shown(ledger, { ...span, by: 'channel', userId: 1 })).toEqual([['3', span.start, 13]])
  })

  test.each([
    ['group', [{ group: 'default' }, { group: 'vip' }]],
    ['tokenName', [{ tokenName: 'laptop' }, { tokenName: 'desk' }]],
    ['username', [{ username: 'owner' }, { username: 'ada' }]],
    ['channelId', [{ channelId: 3 }, { channelId: 4 }]],
  ] as const)('keeps rows apart that differ in %s alone', async (_field, [one, other]) => {
    const ledger = await ledgerWith([
      { ...one, quota: 1 },
      { ...other, quota: 2 },
      { ...one, quota: 4 },
    ])
    expect([ledger.stat(one).quota, ledger.stat(other).quota]).toEqual([5, 2])
  })

  test.each([
    // Half an hour off the hours that are summed; a day of 23 hours; one of 25; a plain one.
    ['Asia/Kolkata', '2026-03-10T00:00:00+05:30', '2026-03-11T00:00:00+05:30'],
    ['Europe/Berlin', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    ['Europe/Berlin', '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00'],
    ['UTC', '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'],
  ])('in %s has days that begin at midnight there', async (name, day, next) => {
    process.env.TZ = name
    const [begins, ends] = [at(day), at(next)]
    const ledger = await ledgerWith([
      { createdAt: begins - 1, quota: 1 },
      { createdAt: begins, quota: 2 },
      { createdAt: ends - 1, quota: 4 },
      { createdAt: ends, quota: 8 },
    ])
    const question = { by: 'model' as const, step: 'day' as const, start: begins, end: ends - 1 }
    expect(shown(ledger, question)).toEqual([['model-a', begins, 6]])
    const wider = shown(ledger, { ...question, start: begins - 1, end: ends })
    expect(wider.map(([, , quota]) => quota)).toEqual([1, 6, 8])
    expect(wider.map(([, time]) => time)).toEqual([expect.any(Number), begins, ends])
  })

  test('has weeks that begin on Monday, and hours', async () => {
    process.env.TZ = 'America/New_York'
    const monday = at('2026-03-02T00:00:00-05:00')
    const ledger = await ledgerWith([
      { createdAt: monday - 1, quota: 1 },
      { createdAt: monday + 6 * 86_400, quota: 2 },
      { createdAt: at('2026-03-09T00:00:00-04:00'), quota: 4 },
    ])
    const question = { by: 'model' as const, start: monday - 1, end: monday + 9 * 86_400 }
    const weeks = shown(ledger, { ...question, step: 'week' })
    expect(weeks.map(([, , quota]) => quota)).toEqual([1, 2, 4])
    expect(weeks[1]?.[1]).toBe(monday)
    expect(shown(ledger, { ...question, step: 'hour' }).map(([, time]) => time)).toEqual([
      monday - 3600,
      monday + 6 * 86_400,
      at('2026-03-09T04:00:00Z'),
    ])
  })

  test('stays when the rows are gone, an hour that midnight cuts with the day it begins in', async () => {
    process.env.TZ = 'Asia/Kolkata'
    const midnight = at('2026-03-10T00:00:00+05:30')
    const ledger = await ledgerWith([
      { createdAt: midnight - 60, quota: 1 },
      { createdAt: midnight + 60, quota: 2 },
      { createdAt: midnight + 7200, quota: 4 },
    ])
    const question = { by: 'model' as const, step: 'day' as const }
    const span = { start: midnight - 86_400, end: midnight + 86_399 }
    expect(shown(ledger, { ...question, ...span }).map(([, , quota]) => quota)).toEqual([1, 6])
    await ledger.removeBefore(midnight + 90_000)
    expect(shown(ledger, { ...question, ...span }).map(([, , quota]) => quota)).toEqual([3, 4])
  })
})

test('a chart that was looked at before has a late row of an hour that is over', async () => {
  const ledger = await ledgerWith([{ quota: 10, createdAt: at('2024-03-01T10:00:00Z') }])
  const question = {
    ...{ start: at('2024-03-01T00:00:00Z'), end: at('2024-03-02T00:00:00Z') },
    ...({ by: 'model', step: 'all' } as const),
  }
  const span = { start: question.start, end: question.end }
  expect(shown(ledger, question)).toEqual([['model-a', question.start, 10]])
  expect(ledger.hourly(span).map(({ quota }) => quota)).toEqual([10])
  await ledger.record(call({ quota: 5, createdAt: at('2024-03-01T10:30:00Z') }))
  expect(shown(ledger, question)).toEqual([['model-a', question.start, 15]])
  expect(ledger.hourly(span).map(({ quota }) => quota)).toEqual([15])
})

test('a late row shows in its chart also after an older day was looked at', async () => {
  const [day, next] = [at('2024-03-01T00:00:00Z'), at('2024-03-02T00:00:00Z')]
  const ledger = await ledgerWith([{ quota: 10, createdAt: next + 3600 }])
  const quotas = (start: number) =>
    shown(ledger, { start, end: start + 86_399, by: 'model', step: 'day' }).map(
      ([, , quota]) => quota,
    )
  expect([quotas(next), quotas(day)]).toEqual([[10], []])
  await ledger.record(call({ quota: 5, createdAt: next + 3600 }))
  expect(quotas(next)).toEqual([15])
})

test('a chart that ends with the hour of a late row has it too', async () => {
  const ledger = await ledgerWith([{ quota: 10, createdAt: at('2024-03-01T10:00:00Z') }])
  const start = at('2024-03-01T00:00:00Z')
  const end = at('2024-03-01T10:59:59Z')
  const quotas = () =>
    shown(ledger, { start, end, by: 'model', step: 'all' }).map(([, , quota]) => quota)
  expect(quotas()).toEqual([10])
  await ledger.record(call({ quota: 5, createdAt: at('2024-03-01T10:30:00Z') }))
  expect(quotas()).toEqual([15])
})
