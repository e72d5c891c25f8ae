import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { call } from './call.ts'

const firstPage = { page: 1, pageSize: 100 }

/** Milliseconds for which `act` holds the event loop up. */
function timeOf(act: () => unknown): number {
  const from = performance.now()
  act()
  return performance.now() - from
}

async function start() {
  const path = join(tempFolder(), 'ledger.db')
  const ledger = await openLedger(path)
  onTestFinished(() => ledger.close())
  const other = new (sqliteDriver().Database)(path)
  onTestFinished(() => other.close())
  await ledger.record(call({ requestId: 'before' }))
  return { ledger, other }
}

test('a ledger that another program has locked holds no call up, and loses none', async () => {
  const { ledger, other } = await start()
  const heard: boolean[] = []
  ledger.onProblem((isThere) => heard.push(isThere))
  other.exec('BEGIN IMMEDIATE')
  let slow = 0
  for (let count = 0; count < 30; count++) {
    const from = performance.now()
    await ledger.record(call({ requestId: `r${count}` }))
    ledger.keepOpen([])
    // A write in a later turn holds up this wait.
    await sleep(100)
    if (performance.now() - from > 1800) slow++
  }
  // Waiting as SQLite does by itself takes two seconds, each time; a slow machine may take as long once.
  expect(slow).toBeLessThan(3)
  expect(ledger.totals('token', 2)).toMatchObject({ quota: 310, calls: 31 })
  expect(ledger.problem).toMatch(/another program has it locked.*30 rows wait in memory/)
  expect(ledger.problemReason).toMatchObject({ code: 'ledger_waits', waiting: 30, lost: 0 })
  expect(ledger.problemSince).toBeGreaterThan(0)
  expect(heard).toEqual([true])
  // Reading needs no lock.
  expect(ledger.list({}, firstPage).total).toBe(1)
  other.exec('ROLLBACK')
  await expect.poll(() => ledger.problem).toBeNull()
  expect(ledger.problemReason).toBeNull()
  expect(heard).toEqual([true, false])
  expect(ledger.list({}, firstPage).total).toBe(31)
  expect(ledger.totals('token', 2)).toMatchObject({ quota: 310, calls: 31 })
})

test('a lock of a moment is nobody’s trouble', async () => {
  const { ledger, other } = await start()
  let heard = 0
  ledger.onProblem(() => heard++)
  other.exec('BEGIN IMMEDIATE')
  await ledger.record(call())
  await sleep(300)
  expect(ledger.problem).toBeNull()
  other.exec('ROLLBACK')
  await expect.poll(() => ledger.rowsWaiting).toBe(0)
  expect(heard).toBe(0)
})

test('rows that are too many to wait are told as lost, the others are written', async () => {
  const { ledger, other } = await start()
  other.exec('BEGIN IMMEDIATE')
  await Promise.all(Array.from({ length: 10_002 }, () => ledger.record(call())))
  expect([ledger.rowsWaiting, ledger.rowsLost]).toEqual([10_000, 2])
  other.exec('ROLLBACK')
  await expect.poll(() => ledger.rowsWaiting).toBe(0)
  expect(ledger.list({}, firstPage).total).toBe(10_001)
  expect(ledger.rowsLost).toBe(2)
})

test('a change that needs the lock fails whole with a sentence', async () => {
  const { ledger, other } = await start()
  other.exec('BEGIN IMMEDIATE')
  const credit = () => ledger.transact(({ book }) => book(call({ type: 1, quota: 5 })))
  expect(
    timeOf(() => expect(credit).toThrow(/Nothing was saved.*ledger\.db.*locked/)),
  ).toBeLessThan(1800)
  expect(credit).toThrow(expect.objectContaining({ code: 'storage_failed', status: 507 }))
  await expect(ledger.removeBefore(9e9)).rejects.toMatchObject({ code: 'storage_failed' })
  expect(ledger.credited(1)).toBe(0)
  other.exec('ROLLBACK')
  credit()
  expect(ledger.credited(1)).toBe(5)
})
