import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CallRow, Ledger } from '../../../../main/store/ledger/ledger.ts'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { keepWaitingRows } from '../../../../main/store/ledger/waiting-rows.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { call } from './call.ts'

async function ledgerAt(path: string): Promise<Ledger> {
  const ledger = await openLedger(path)
  onTestFinished(() => ledger.close())
  return ledger
}

const idsOf = (ledger: Ledger) =>
  ledger.list({}, { page: 1, pageSize: 20 }).items.map(({ requestId }) => requestId)

const open = (fields: Partial<CallRow>) => ({ row: call(fields), reserved: 0 })

test('what a process left unwritten counts once, also in a log that was emptied, and not again', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const first = await ledgerAt(path)
  await Promise.all([1, 2, 3].map(() => first.record(call({ createdAt: 100, quota: 10 }))))
  await first.removeBefore(1000)
  first.keepOpen([
    open({ requestId: 'open', quota: 5 }),
    open({ requestId: 'ended', quota: 6, createdAt: 1_700_000_001 }),
  ])
  first.close()
  const ended = { requestId: 'ended', createdAt: 1_700_000_002 }
  keepWaitingRows(path, [
    call({ ...ended, quota: 7 }),
    // Two budgets that this call took to their end.
    ...['day', 'month'].map((content) => call({ ...ended, type: 4, quota: 0, content })),
  ])
  const expected = { quota: 30 + 5 + 7, calls: 5 }
  for (let start = 0; start < 2; start++) {
    const ledger = await ledgerAt(path)
    expect(idsOf(ledger)).toEqual(['ended', 'ended', 'ended', 'open'])
    expect(ledger.totals('token', 2)).toMatchObject(expected)
    expect(existsSync(`${path}.waiting`)).toBe(false)
    ledger.close()
  }
  const last = await ledgerAt(path)
  await last.removeBefore(2_000_000_000)
  last.close()
  expect(idsOf(await ledgerAt(path))).toEqual([])
})

test('a call that was kept while it ran leaves no second row once it has its own', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const first = await ledgerAt(path)
  first.keepOpen([open({ requestId: 'a' }), open({ requestId: 'b' })])
  await Promise.all(['a', 'b', 'c'].map((requestId) => first.record(call({ requestId }))))
  first.close()
  expect(idsOf(await ledgerAt(path))).toEqual(['c', 'b', 'a'])
})
