import { expect, test } from 'vitest'
import { storageReason } from '../../../../main/store/ledger/sqlite-failure.ts'
import { WriteProblem } from '../../../../main/store/ledger/write-problem.ts'

/** SQLite's codes: https://www.sqlite.org/rescode.html */
const BUSY = 5
const FULL = 13
const IOERR_WRITE = 778

const waits = (errcode: number) => {
  const problem = new WriteProblem()
  return Array.from({ length: 7 }, () => problem.failed({ errcode }))
}

test('a locked file is tried again within a second, a full disk ever more rarely', () => {
  expect(waits(BUSY)).toEqual([100, 200, 400, 800, 1000, 1000, 1000])
  expect(waits(FULL)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test('a failure that SQLite tells in detail is named like its kind', () => {
  expect(storageReason({ errcode: IOERR_WRITE, message: 'x' })).toBe('the disk failed')
})
