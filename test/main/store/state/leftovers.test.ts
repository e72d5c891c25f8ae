import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Ledger } from '../../../../main/store/ledger/ledger.ts'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { call } from '../ledger/call.ts'

const firstPage = { page: 1, pageSize: 100 }

async function open(path: string): Promise<Ledger> {
  const ledger = await openLedger(path)
  onTestFinished(() => ledger.close())
  return ledger
}

/** A call as it is kept while it is under way. */
const underWay = (requestId: string, quota: number) => ({
  row: call({ requestId, type: 5, quota, status: 200, other: '{"error_code":"gateway_ended"}' }),
  reserved: 1000,
})

test('a call that the process did not live to end gets one row at the next start, and is summed', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const killed = await open(path)
  expect(killed.keepOpen([underWay('cut', 7), underWay('ended', 8)])).toBe(true)
  // A later note of a call replaces the earlier one.
  expect(killed.keepOpen([underWay('cut', 9)])).toBe(true)
  await killed.record(call({ requestId: 'ended', quota: 20 }))

  const next = await open(path)
  const { items } = next.list({}, firstPage)
  expect(items.map(({ requestId, type, quota }) => [requestId, type, quota])).toEqual([
    ['cut', 5, 9],
    ['ended', 2, 20],
  ])
  expect(next.totals('token', 2)).toMatchObject({ quota: 29, calls: 2 })
  const third = await open(path)
  expect(third.list({}, firstPage).total).toBe(2)
  expect(third.totals('token', 2)).toMatchObject({ quota: 29, calls: 2 })
})

test('its row has an id of its own where all rows before it were removed', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const killed = await open(path)
  await Promise.all(['a', 'b', 'c'].map((requestId) => killed.record(call({ requestId }))))
  killed.keepOpen([underWay('cut', 9)])
  expect(await killed.removeBefore(Number.MAX_SAFE_INTEGER)).toBe(3)
  const next = await open(path)
  expect(next.list({}, firstPage).items).toMatchObject([{ id: 4, requestId: 'cut' }])
  expect(next.totals('token', 2).calls).toBe(4)
})

test('rows that could not be written before the end are there after the next start, once', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const locked = await openLedger(path)
  await locked.record(call({ requestId: 'written' }))
  locked.keepOpen([underWay('waited', 3)])
  const other = new (sqliteDriver().Database)(path)
  other.exec('BEGIN IMMEDIATE')
  await locked.record(call({ requestId: 'waited', quota: 5 }))
  locked.close()
  expect(locked.rowsWaiting).toBe(0)
  other.exec('ROLLBACK')
  other.close()
  expect(existsSync(`${path}.waiting`)).toBe(true)
  // A start that is killed before it has removed the file leaves it to the next one.
  const waiting = join(tempFolder(), 'copy')
  const { copyFileSync } = await import('node:fs')
  copyFileSync(`${path}.waiting`, waiting)
  const next = await open(path)
  expect(existsSync(`${path}.waiting`)).toBe(false)
  copyFileSync(waiting, `${path}.waiting`)
  writeFileSync(`${path}.waiting`, '{"cut', { flag: 'a' })
  chmodSync(`${path}.waiting`, 0o600)
  const third = await open(path)
  for (const ledger of [next, third]) {
    expect(
      ledger.list({}, firstPage).items.map(({ requestId, quota }) => [requestId, quota]),
    ).toEqual([
      ['waited', 5],
      ['written', 10],
    ])
    expect(ledger.totals('token', 2)).toMatchObject({ quota: 15, calls: 2 })
  }
})

test('of rows that could not be written before the end none is lost that says something else', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const locked = await openLedger(path)
  const other = new (sqliteDriver().Database)(path)
  other.exec('BEGIN IMMEDIATE')
  const warning = { requestId: 'one', type: 4, quota: 0 } as const
  await locked.record(call({ requestId: 'one', quota: 5 }))
  await locked.record(call({ ...warning, content: 'the budget of the day' }))
  await locked.record(call({ ...warning, content: 'the budget of the month' }))
  locked.close()
  other.exec('ROLLBACK')
  other.close()
  const next = await open(path)
  expect(next.list({}, firstPage).items.map(({ content }) => content)).toEqual([
    'the budget of the month',
    'the budget of the day',
    '',
  ])
})
