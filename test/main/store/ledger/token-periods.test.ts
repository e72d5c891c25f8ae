import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import { TokenPeriods } from '../../../../main/store/ledger/token-periods.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { call } from './call.ts'

const zone = process.env.TZ

afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const at = (text: string): number => Date.parse(text) / 1000

/** The file of a ledger that holds some rows of the token 2, summed up. */
async function fileWith(times: Readonly<Record<string, number>>) {
  const path = join(tempFolder(), 'ledger.db')
  const ledger = await openLedger(path)
  const rows = Object.entries(times).map(([time, quota]) => call({ createdAt: at(time), quota }))
  await Promise.all(rows.map((row) => ledger.record(row)))
  ledger.close()
  const database = new (sqliteDriver().Database)(path)
  onTestFinished(() => database.close())
  return database
}

const row = (time: string, quota: number) => call({ createdAt: at(time), quota })

describe('what a token has used', () => {
  test('begins anew at midnight and on the first of the month', async () => {
    process.env.TZ = 'Europe/Berlin'
    let now = at('2026-10-30T23:59:00+01:00')
    const periods = new TokenPeriods(await fileWith({}), () => now)
    periods.add(row('2026-10-30T23:59:00+01:00', 5))
    expect(periods.spent(2)).toEqual({ day: 5, month: 5 })
    now = at('2026-10-31T00:00:00+01:00')
    expect(periods.spent(2)).toEqual({ day: 0, month: 5 })
    // It ended before midnight and is booked after it.
    periods.add(row('2026-10-30T23:59:59+01:00', 1))
    periods.add(row('2026-10-31T00:00:00+01:00', 2))
    expect(periods.spent(2)).toEqual({ day: 2, month: 8 })
    now = at('2026-11-01T00:00:00+01:00')
    expect(periods.spent(2)).toEqual({ day: 0, month: 0 })
    expect(periods.spent(3)).toEqual({ day: 0, month: 0 })
  })

  test.each([
    ['UTC', 'Z'],
    ['Asia/Kolkata', '+05:30'],
    ['Asia/Kathmandu', '+05:45'],
    ['America/St_Johns', '-03:30'],
  ])('is known again after a start in %s', async (name, offset) => {
    process.env.TZ = name
    const database = await fileWith({
      [`2026-01-31T23:59:59${offset}`]: 1,
      [`2026-02-01T00:00:00${offset}`]: 2,
      [`2026-02-01T00:59:00${offset}`]: 4,
      [`2026-02-09T23:59:59${offset}`]: 8,
      [`2026-02-10T00:00:00${offset}`]: 16,
      [`2026-02-10T09:10:00${offset}`]: 32,
    })
    const periods = new TokenPeriods(database, () => at(`2026-02-10T12:00:00${offset}`))
    expect(periods.spent(2)).toEqual({ day: 48, month: 62 })
  })

  test('counts a call that broke off just after midnight as of the new day, after a start too', async () => {
    process.env.TZ = 'Asia/Kolkata'
    const path = join(tempFolder(), 'ledger.db')
    const ledger = await openLedger(path)
    const createdAt = at('2026-02-10T00:05:00+05:30')
    await ledger.record(call({ createdAt, quota: 16, type: 5 }))
    ledger.close()
    const database = new (sqliteDriver().Database)(path)
    onTestFinished(() => database.close())
    const periods = new TokenPeriods(database, () => at('2026-02-10T12:00:00+05:30'))
    expect(periods.spent(2)).toEqual({ day: 16, month: 16 })
  })

  test('counts rows once that were not summed up when the process was killed', async () => {
    const path = join(tempFolder(), 'ledger.db')
    const now = Math.floor(Date.now() / 1000)
    const before = await openLedger(path)
    await before.record(call({ createdAt: now, quota: 3 }))
    before.close()
    // As a killed process leaves it: a row that is committed and in no sum.
    const database = new (sqliteDriver().Database)(path)
    database.exec(
      'CREATE TEMP TABLE copy AS SELECT * FROM calls; UPDATE copy SET id = 2, quota = 4; INSERT INTO calls SELECT * FROM copy',
    )
    database.close()
    for (let start = 0; start < 2; start++) {
      const ledger = await openLedger(path)
      expect(ledger.spent(2)).toEqual({ day: 7, month: 7 })
      expect(ledger.totals('token', 2).quota).toBe(7)
      ledger.close()
    }
  })
})

test('a clock that is put back over midnight, or far forward and back, loses nothing of today', async () => {
  process.env.TZ = 'Asia/Kolkata'
  const database = await fileWith({
    '2026-09-30T23:50:00+05:30': 1,
    '2026-10-01T00:10:00+05:30': 2,
  })
  let now = at('2026-11-10T00:00:10+05:30')
  const periods = new TokenPeriods(database, () => now)
  periods.add(row('2026-11-10T00:00:10+05:30', 16))
  now = at('2026-11-09T23:59:50+05:30')
  expect(periods.spent(2)).toEqual({ day: 0, month: 16 })
  periods.add(row('2026-11-09T23:59:50+05:30', 32))
  expect(periods.spent(2)).toEqual({ day: 32, month: 48 })
  now = at('2026-11-10T00:00:20+05:30')
  expect(periods.spent(2)).toEqual({ day: 16, month: 48 })
  now = at('2036-01-01T00:00:00+05:30')
  expect(periods.spent(2)).toEqual({ day: 0, month: 0 })
  now = at('2026-11-10T12:00:00+05:30')
  expect(periods.spent(2)).toEqual({ day: 16, month: 48 })
  // Use from before the process began is read from the file.
  now = at('2026-10-01T12:00:00+05:30')
  expect(periods.spent(2)).toEqual({ day: 2, month: 2 })
  now = at('2026-09-30T12:00:00+05:30')
  expect(periods.spent(2)).toEqual({ day: 1, month: 1 })
})
