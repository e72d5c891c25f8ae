import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLog, type Log, sinkOf } from '../../../../main/base/log/log.ts'
import { secrets } from '../../../../main/base/log/redact.ts'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import type { RefusedRequest } from '../../../../main/store/refused/refused-request.ts'
import { RefusedRequests } from '../../../../main/store/refused/refused-requests.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { refusedRow } from './refused-row.ts'

const DAY = 86_400_000

afterEach(() => void vi.useRealTimers())

interface Opened {
  refused: RefusedRequests
  log: Log
  add(fields?: Partial<RefusedRequest>): void
}

function open(path: string, days = 7): Opened {
  const log = createLog('silent')
  const refused = new RefusedRequests({
    ...{ path, log },
    settings: { current: { RefusedDays: days } },
  })
  onTestFinished(() => refused.close())
  return {
    ...{ refused, log },
    add(fields) {
      const row = refusedRow(fields)
      refused.add(row.ip, () => row)
    },
  }
}

const newPath = () => join(tempFolder(), 'refused.db')
const all = ({ refused }: Opened) => refused.list({ limit: 10_000 })
/** Each second has its share of rows. */
const setTime = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time })

/** Far from the limit: ten a second. */
function addMany(opened: Opened, count: number, from = Date.now()): void {
  for (let index = 0; index < count; index++) {
    const time = from + Math.floor(index / 10) * 1000
    setTime(time)
    opened.add({ time, path: `/${index}` })
  }
}

test('a file of an earlier version keeps its rows, and takes new ones', () => {
  const path = newPath()
  const first = open(path)
  first.add({ path: '/old' })
  first.refused.close()
  const earlier = new (sqliteDriver().Database)(path)
  earlier.exec(
    'ALTER TABLE refused DROP COLUMN reason; ALTER TABLE refused DROP COLUMN hint_reason',
  )
  earlier.exec('PRAGMA user_version = 1')
  earlier.close()
  const second = open(path)
  second.add({ path: '/new', reason: '{"code":"key_missing"}' })
  second.refused.close()
  expect(all(open(path)).map((row) => [row.path, row.reason])).toEqual([
    ['/new', '{"code":"key_missing"}'],
    ['/old', ''],
  ])
})

test('a restart keeps every column of a row', () => {
  const path = newPath()
  const row = refusedRow({
    ...{ tokenId: 3, tokenName: 'codex', userId: 2, username: 'ann', hint: 'Take /v1 off.' },
    ...{ reason: '{"code":"key_unknown"}', hintReason: '{"code":"base_url_slash"}' },
    ...{ model: 'gpt', format: 'chat', duration: 1.25, method: '', path: '/ü?a=1' },
  })
  const first = open(path)
  first.refused.add(row.ip, () => row)
  first.refused.close()
  const second = open(path)
  expect(all(second)).toEqual([{ ...row, id: 1, more: 0 }])
  expect(second.refused.get(row.requestId)).toMatchObject({ id: 1, tokenName: 'codex' })
  second.add()
  expect(all(second).map(({ id }) => id)).toEqual([2, 1])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('rows are written while the gateway runs, not only at its end', async () => {
  const path = newPath()
  const first = open(path)
  first.add()
  await vi.waitFor(() => expect(all(open(path))).toHaveLength(1), {
    timeout: 30_000,
    interval: 200,
  })
})

test('the list gives the newest first, in pages, and those that match', () => {
  const opened = open(newPath())
  for (const code of ['a', 'b', 'a', 'b', 'a']) opened.add({ code })
  const page = opened.refused.list({ limit: 2 })
  expect(page.map(({ id }) => id)).toEqual([5, 4])
  expect(opened.refused.list({ limit: 9, before: 4 }).map(({ id }) => id)).toEqual([3, 2, 1])
  const matching = opened.refused.list({ limit: 9, matches: ({ code }) => code === 'b' })
  expect(matching.map(({ id }) => id)).toEqual([4, 2])
  expect(opened.refused.get('another')).toBeNull()
})

test('only the newest 5 000 are kept, after a restart too', () => {
  const path = newPath()
  const first = open(path, 30)
  addMany(first, 5100)
  expect(all(first)).toHaveLength(5000)
  expect(all(first).at(-1)?.path).toBe('/100')
  first.refused.close()
  const second = open(path, 30)
  expect(all(second)).toHaveLength(5000)
  expect(all(second).at(-1)?.path).toBe('/100')
})

test('rows older than RefusedDays go, from the list and from the file', () => {
  const path = newPath()
  const now = Date.now()
  const first = open(path)
  setTime(now - 8 * DAY)
  first.add({ time: Date.now(), path: '/old' })
  setTime(now - 6 * DAY)
  first.add({ time: Date.now(), path: '/young' })
  setTime(now)
  expect(all(first).map((row) => row.path)).toEqual(['/young'])
  first.refused.close()
  expect(all(open(path, 365)).map((row) => row.path)).toEqual(['/young'])
})

test('of a flood from one address each second has 20 rows, and the last says how many more', () => {
  const path = newPath()
  const opened = open(path)
  const now = 1_800_000_000_000
  setTime(now)
  for (let index = 0; index < 1224; index++) opened.add({ time: now })
  opened.add({ ip: '10.0.0.7', path: '/other', time: now })
  expect(all(opened)).toHaveLength(21)
  expect(all(opened).map(({ more }) => more)).toEqual([0, 1204, ...Array(19).fill(0)])
  setTime(now + 1000)
  opened.add({ path: '/next', time: now + 1000 })
  expect(all(opened)[0]).toMatchObject({ path: '/next', more: 0 })
  opened.refused.close()
  expect(all(open(path))[2]?.more).toBe(1204)
})

test('a flood is counted on a row that is on the disk already', async () => {
  const path = newPath()
  const opened = open(path)
  const now = 1_800_000_000_000
  setTime(now)
  for (let index = 0; index < 21; index++) opened.add({ time: now })
  await vi.waitFor(() => expect(all(open(path))[0]?.more).toBe(1), {
    timeout: 30_000,
    interval: 200,
  })
  // Waiting moves the clock on.
  setTime(now)
  opened.add({ time: now })
  opened.refused.close()
  expect(all(open(path))[0]?.more).toBe(2)
})

test('of a flood from many addresses each second has 200 rows, and none is uncounted', () => {
  const opened = open(newPath())
  setTime(1_800_000_000_000)
  for (let index = 0; index < 5000; index++) {
    opened.add({ ip: `10.1.${index >> 8}.${index & 255}`, time: Date.now() })
  }
  // Addresses of one IPv6 network are one.
  for (let index = 0; index < 100; index++) opened.add({ ip: `2001:db8::${index}` })
  const rows = all(opened)
  expect(rows).toHaveLength(200)
  expect(rows.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(5100)
})

test('one IPv6 network shares its 20 rows', () => {
  const opened = open(newPath())
  setTime(1_800_000_000_000)
  for (let index = 0; index < 100; index++) {
    opened.add({ ip: `2001:db8::${index}`, time: Date.now() })
  }
  expect(all(opened)).toHaveLength(20)
})

test('texts are cut to size and hold no secret that the gateway knows', () => {
  const secret = 'vendor-key-0123456789'
  onTestFinished(secrets.follow({ version: () => secret, list: () => [secret] }))
  const path = newPath()
  const first = open(path)
  first.add({
    path: `/${'p'.repeat(9000)}`,
    client: `agent ${secret}`,
    message: `no ${secret} \ud800 ${'m'.repeat(9000)}`,
    reason: JSON.stringify({ code: 'path_unknown', path: `/v1/${secret}` }),
  })
  first.refused.close()
  const [row] = all(open(path))
  expect(row?.path).toHaveLength(512)
  expect(row?.client).toBe('agent ***')
  expect(row?.reason).toContain('/v1/***')
  expect(row?.message).toMatch(/^no \*\*\* \ufffd m+$/)
  expect(row?.message).toHaveLength(1000)
})

test('a folder that takes no file costs only the rows after a restart', () => {
  const path = join(tempFolder(), 'gone', 'refused.db')
  const first = open(path)
  first.add({ path: '/in-memory' })
  expect(all(first)).toHaveLength(1)
  mkdirSync(dirname(path))
  first.refused.close()
  expect(all(open(path))).toMatchObject([{ path: '/in-memory', id: 1 }])
})

test('after a write that failed the file gets all rows, whatever became of it meanwhile', async () => {
  const path = newPath()
  const first = open(path)
  first.add({ path: '/before' })
  const other = new (sqliteDriver().Database)(path)
  const rows = () => Number(other.prepare('SELECT count(*) AS rows FROM refused').get()?.rows)
  await vi.waitFor(() => expect(rows()).toBe(1), { timeout: 30_000, interval: 50 })
  other.exec('BEGIN IMMEDIATE; DELETE FROM refused')
  first.add({ path: '/after' })
  const told = () => sinkOf(first.log)?.recent().join()
  await vi.waitFor(() => expect(told()).toContain('cannot be written'), { timeout: 30_000 })
  other.exec('COMMIT')
  other.close()
  first.refused.close()
  expect(all(open(path)).map((row) => row.path)).toEqual(['/after', '/before'])
})

test('rows that came before the file could be read stand after those in it', () => {
  const stored = newPath()
  const first = open(stored)
  first.add({ path: '/before' })
  first.refused.close()
  const path = join(tempFolder(), 'gone', 'refused.db')
  const second = open(path)
  second.add({ path: '/meanwhile' })
  mkdirSync(dirname(path))
  copyFileSync(stored, path)
  second.refused.close()
  const rows = all(open(path))
  expect(rows.map((row) => [row.id, row.path])).toEqual([
    [2, '/meanwhile'],
    [1, '/before'],
  ])
})

test('a damaged file is begun anew', () => {
  const path = newPath()
  writeFileSync(path, 'this is no database at all, whatever its name says '.repeat(100))
  const first = open(path)
  first.add({ path: '/after' })
  first.refused.close()
  expect(all(open(path)).map((row) => row.path)).toEqual(['/after'])
})
