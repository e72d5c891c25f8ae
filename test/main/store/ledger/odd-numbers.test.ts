import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAX_QUOTA } from '../../../../main/base/quota.ts'
import type { Ledger } from '../../../../main/store/ledger/ledger.ts'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { call } from './call.ts'

const firstPage = { page: 1, pageSize: 100 }
const everything = { start: 0, end: 2_000_000_000 }

test('a vendor that reports absurd numbers makes neither the log nor the next start fail', async () => {
  const path = join(tempFolder(), 'ledger.db')
  const first = await openLedger(path)
  // Whole numbers of more than 2^53 can be written, and cannot be read.
  const absurd = [1e15, 2 ** 53, 1e16, 2 ** 62, 2 ** 64 - 1, 1e300, Number.MAX_VALUE]
  for (const count of absurd) {
    const counts = { promptTokens: count, completionTokens: count, cachedTokens: count }
    await first.record(call({ ...counts, useTime: count, quota: MAX_QUOTA }))
  }
  for (let more = 0; more < 30; more++) await first.record(call({ quota: MAX_QUOTA }))
  const count = absurd.length + 30
  const total = { quota: count * MAX_QUOTA, calls: count }
  const check = (ledger: Ledger): void => {
    expect(ledger.problem).toBeNull()
    const { items } = ledger.list({}, firstPage)
    expect(items).toHaveLength(count)
    expect(items.at(-1)).toMatchObject({ promptTokens: 1e12, quota: MAX_QUOTA })
    expect(ledger.totals('token', 2)).toMatchObject(total)
    expect(ledger.stat({})).toMatchObject({ quota: total.quota })
    expect(ledger.summary({ ...everything, by: 'model', step: 'day' })).toMatchObject([total])
    expect(ledger.hourly(everything)).toHaveLength(1)
    ledger.close()
  }
  check(first)
  check(await openLedger(path))
  check(await openLedger(path))
})
