import { spawn } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { secrets } from '../../../../main/base/log/redact.ts'
import { StartError } from '../../../../main/store/folder/start-error.ts'
import type { CallRow, Ledger } from '../../../../main/store/ledger/ledger.ts'
import { openLedger } from '../../../../main/store/ledger/open-ledger.ts'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import { tempFolder } from '../folder/temp-folder.ts'
import { call } from './call.ts'
import { smallDisk } from './small-disk.ts'

async function ledgerIn(folder: string): Promise<Ledger> {
  const ledger = await openLedger(join(folder, 'ledger.db'))
  onTestFinished(() => ledger.close())
  return ledger
}

const recordAll = (ledger: Ledger, rows: readonly Partial<CallRow>[]) =>
  Promise.all(rows.map((row) => ledger.record(call(row))))

const firstPage = { page: 1, pageSize: 20 }

describe('the ledger', () => {
  test('gives a row back as it was recorded, and the file is for its owner only', async () => {
    const folder = tempFolder()
    const ledger = await ledgerIn(folder)
    const row = call({ requestId: 'x', content: 'é\n"', isStream: false, other: '{"frt":3}' })
    let heard = 0
    ledger.onRecorded(() => heard++)
    await ledger.record(row)
    expect(ledger.list({}, firstPage)).toEqual({ total: 1, items: [{ ...row, id: 1 }] })
    expect(heard).toBe(1)
    for (const end of ['', '-wal', '-shm']) {
      expect(statSync(join(folder, `ledger.db${end}`)).mode & 0o777).toBe(0o600)
    }
  })

  test('keeps the rows that come at once apart, however many they are, and in their order', async () => {
    const ledger = await ledgerIn(tempFolder())
    for (const count of [1, 2, 30, 12, 13]) {
      const last = ledger.list({}, firstPage).items[0]?.id ?? 0
      const rows = Array.from({ length: count }, (_, index) =>
        call({
          requestId: `r${index}`,
          model: `m${index % 3}`,
          quota: index,
          content: `é${index}`,
        }),
      )
      await recordAll(ledger, rows)
      const { items } = ledger.list({}, { page: 1, pageSize: count })
      expect(items.toReversed()).toEqual(
        rows.map((row, index) => ({ ...row, id: last + 1 + index })),
      )
    }
    expect(ledger.totals('token', 2).calls).toBe(58)
  })

  test('adds calls up by what they are of, though they change from row to row', async () => {
    const ledger = await ledgerIn(tempFolder())
    const kinds: Partial<CallRow>[] = [{ model: 'a' }, { model: 'b' }, { model: 'a', tokenId: 9 }]
    await recordAll(ledger, [...kinds, ...kinds, ...kinds.slice(0, 1)])
    const hours = ledger.hourly({ start: 0, end: 2_000_000_000 })
    expect(hours.map(({ modelName, count }) => `${modelName} ${count}`).sort()).toEqual([
      'a 5',
      'b 2',
    ])
    expect([ledger.totals('token', 2).calls, ledger.totals('token', 9).calls]).toEqual([5, 2])
  })

  test('what a listener fails of is no failure to write', async () => {
    const ledger = await ledgerIn(tempFolder())
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    ledger.onRecorded(() => {
      throw new Error('nobody listens')
    })
    expect(ledger.transact(({ book }) => book(call({ type: 1, quota: 5 })))).toBeUndefined()
    await ledger.record(call())
    expect(ledger.list({}, firstPage).total).toBe(2)
    expect(ledger.credited(1)).toBe(5)
    await expect.poll(() => warnings).toEqual(['nobody listens', 'nobody listens'])
  })

  test('counts use per token, user and channel at once, also over a start and after old rows went', async () => {
    const folder = tempFolder()
    const ledger = await ledgerIn(folder)
    const recorded = ledger.record(call({ quota: 10, createdAt: 100, isEstimated: true }))
    const known = { unpriced: 0, estimated: 1 }
    expect(ledger.totals('token', 2)).toEqual({ quota: 10, calls: 1, lastUsed: 100, ...known })
    await recorded
    await recordAll(ledger, [
      { type: 5, quota: 0, createdAt: 300, channelId: 0, isUnpriced: true },
      { type: 6, quota: -4, createdAt: 400 },
      { type: 1, quota: 999, createdAt: 500 },
    ])
    const check = (open: Ledger) => {
      const both = { quota: 10, calls: 2, lastUsed: 300, unpriced: 1, estimated: 1 }
      expect(open.totals('token', 2)).toEqual(both)
      expect(open.totals('user', 1)).toEqual(both)
      expect(open.totals('channel', 3)).toEqual({ quota: 10, calls: 1, lastUsed: 100, ...known })
      // Credited units are not used units.
      expect(open.credited(1)).toBe(995)
      expect(open.totals('channel', 0)).toMatchObject({ quota: 0, calls: 0, lastUsed: 0 })
    }
    check(ledger)
    expect(await ledger.removeBefore(1000)).toBe(4)
    expect(ledger.list({}, firstPage).total).toBe(0)
    ledger.close()
    const again = await ledgerIn(folder)
    check(again)
    const unsure = { isEstimated: true, isUnpriced: true }
    await again.record(call({ quota: 1, createdAt: 600, ...unsure }))
    again.close()
    const third = await ledgerIn(folder)
    expect(third.totals('token', 2)).toEqual({
      ...{ quota: 11, calls: 3, lastUsed: 600, unpriced: 2, estimated: 2 },
    })
    expect(third.hourly({ start: 0, end: 9999 })).toMatchObject([{ count: 2, quota: 11 }])
    // One that began long ago is booked late.
    await third.record(call({ createdAt: 50 }))
    third.close()
    expect((await ledgerIn(folder)).totals('token', 2)).toMatchObject({ calls: 4, lastUsed: 600 })
  })

  test('still counts the use of rows that were removed just before a crash', async () => {
    const folder = tempFolder()
    const ledger = await ledgerIn(folder)
    await recordAll(ledger, [{ quota: 10, createdAt: 100 }])
    expect(await ledger.removeBefore(1000)).toBe(1)
    // What a process that was killed has left behind.
    const copy = tempFolder()
    for (const end of ['', '-wal'])
      copyFileSync(join(folder, `ledger.db${end}`), join(copy, `ledger.db${end}`))
    expect((await ledgerIn(copy)).totals('token', 2)).toMatchObject({ quota: 10, calls: 1 })
  })

  test('finds rows by every filter, newest first, by pages', async () => {
    const ledger = await ledgerIn(tempFolder())
    const other: Partial<CallRow> = {
      ...{ requestId: '20261121101534a1b2c3d4e5f6', userId: 9, username: 'guest', type: 5 },
      ...{ tokenName: 'phone', channelId: 8, model: 'gpt_x', group: 'vip' },
      createdAt: Date.UTC(2026, 10, 21, 10, 15, 40) / 1000,
    }
    const old = Array.from({ length: 30 }, (_, index) => ({ requestId: `r${index}` }))
    await recordAll(ledger, [...old, other, { model: 'gptax' }])
    const count = (filter: Parameters<Ledger['list']>[0]) => ledger.list(filter, firstPage).total
    for (const name of ['userId', 'username', 'type', 'tokenName', 'channelId', 'group'] as const) {
      expect([name, count({ [name]: other[name] })]).toEqual([name, 1])
    }
    expect(count({ requestId: other.requestId })).toBe(1)
    expect(count({ requestId: 'r7' })).toBe(1)
    expect(count({ modelName: 'gpt_x' })).toBe(1)
    expect(count({ modelName: 'gpt_%' })).toBe(1)
    expect(count({ modelName: 'gpt%' })).toBe(2)
    expect(count({ start: 1_700_000_001 })).toBe(1)
    expect(count({ end: 1_700_000_000 })).toBe(31)
    expect(count({ username: "'; DROP TABLE calls; --" })).toBe(0)
    expect(ledger.list({}, firstPage).items[0]?.requestId).toBe(other.requestId)
    const second = ledger.list({ userId: 1 }, { page: 2, pageSize: 20 })
    expect(second.total).toBe(31)
    expect(second.items).toHaveLength(11)
    expect(second.items.at(-1)?.requestId).toBe('r0')
  })

  test('sums the same whether it reads hours or rows', async () => {
    const ledger = await ledgerIn(tempFolder())
    const at = 1_700_000_000
    await recordAll(
      ledger,
      Array.from({ length: 200 }, (_, index) => ({
        ...{ createdAt: at + index * 97, quota: index, model: `model-${index % 3}` },
        type: index % 10 === 0 ? (5 as const) : (2 as const),
      })),
    )
    await ledger.record(call({ type: 1, quota: 1_000_000, createdAt: at }))
    for (const [start, end] of [
      [at, at + 20_000],
      [at + 777, at + 12_345],
      [at + 10, at + 20],
      [at - (at % 3600), at - (at % 3600) + 3 * 3600 - 1],
      [undefined, undefined],
    ]) {
      const filter = { start, end, modelName: 'model-1' }
      // The channel is the same in all rows, and no hour knows it: this one reads rows.
      expect(ledger.stat(filter)).toEqual(ledger.stat({ ...filter, channelId: 3 }))
    }
    expect(ledger.stat({})).toMatchObject({ calls: 200, errors: 20, quota: 19_900, rpm: 0 })
    await recordAll(ledger, [{ createdAt: Math.floor(Date.now() / 1000) }])
    expect(ledger.stat({ start: 0, end: 1 })).toMatchObject({ calls: 0, rpm: 1, tpm: 12 })
  })

  test('counts a call in the first second of an hour once, whenever its range begins', async () => {
    const ledger = await ledgerIn(tempFolder())
    const hour = 1_700_000_000 - (1_700_000_000 % 3600)
    await recordAll(ledger, [
      { createdAt: hour, quota: 10 },
      { createdAt: hour + 3600, quota: 4 },
    ])
    const end = hour + 2 * 3600
    for (const start of [hour - 1, hour]) {
      expect(ledger.stat({ start, end })).toMatchObject({ calls: 2, quota: 14 })
    }
    // A range that ends in that very second has it, and one that ends before has not.
    expect(ledger.stat({ start: hour - 60, end: hour + 3600 })).toMatchObject({ calls: 2 })
    expect(ledger.stat({ start: hour - 60, end: hour + 3599 })).toMatchObject({ calls: 1 })
    const listed = (end: number) => ledger.list({ end, tokenId: 2 }, firstPage).total
    expect([listed(hour + 3599), listed(hour + 3600), listed(hour)]).toEqual([1, 2, 1])
  })

  test('gives use by hour, user and model', async () => {
    const ledger = await ledgerIn(tempFolder())
    await recordAll(ledger, [
      { createdAt: 7200 },
      { createdAt: 7300 },
      { createdAt: 7300, type: 5 },
      { createdAt: 10_800, model: 'b', userId: 4, username: 'guest' },
    ])
    const row = { modelName: 'model-a', createdAt: 7200, userId: 1, username: 'owner' }
    // A failed call is no use, but what it cost and read is.
    expect(ledger.hourly({ start: 7250, end: 10_000 })).toEqual([
      { ...row, tokenUsed: 36, count: 2, quota: 30 },
    ])
    expect(ledger.hourly({ start: 0, end: 99_999, username: 'guest' })).toHaveLength(1)
    expect(ledger.hourly({ start: 0, end: 99_999, userId: 1 })).toHaveLength(1)
  })

  test('takes a row with numbers that are none without losing it or its neighbours', async () => {
    const ledger = await ledgerIn(tempFolder())
    const odd = {
      requestId: 'odd',
      quota: Number.NaN,
      promptTokens: 1.5,
      content: undefined as unknown as string,
    }
    await Promise.all([
      ledger.record(call({ requestId: 'good' })),
      ledger.record({ ...call(), ...odd }),
    ])
    expect(ledger.problem).toBeNull()
    expect(ledger.list({ requestId: 'odd' }, firstPage).items[0]).toMatchObject({
      ...{ quota: 0, promptTokens: 1, content: '' },
    })
    expect(ledger.totals('token', 2).quota).toBe(10)
  })

  test('keeps no key that a vendor quotes in the reason of a failed attempt', async () => {
    const ledger = await ledgerIn(tempFolder())
    const key = 'sk-quoted-by-a-vendor'
    onTestFinished(secrets.follow({ version: () => 1, list: () => [key] }))
    await ledger.record(call({ other: JSON.stringify({ attempts: [{ reason: `No ${key}` }] }) }))
    expect(ledger.list({}, firstPage).items[0]?.other).not.toContain(key)
  })

  test.each([
    [
      'is no database',
      'this is not SQLite at all, it is a text of some length'.repeat(20),
      'not a database',
    ],
    ['is cut', null, 'cut off'],
  ])('that %s does not start and is left as it was', async (_what, text, said) => {
    const folder = tempFolder()
    const path = join(folder, 'ledger.db')
    if (text === null) {
      const ledger = await openLedger(path)
      await recordAll(ledger, Array(200).fill({}))
      ledger.close()
      writeFileSync(path, readFileSync(path).subarray(0, 2048 * 3))
    } else writeFileSync(path, text)
    const before = readFileSync(path)
    const error = await openLedger(path).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toContain(path)
    expect((error as Error).message).toContain(said)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('from a newer version does not start', async () => {
    const path = join(tempFolder(), 'ledger.db')
    const database = new (sqliteDriver().Database)(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    await expect(openLedger(path)).rejects.toThrow(/newer Switchyard/)
  })
})

describe('a row that was acknowledged', () => {
  test('is there after the process was killed, and so is what it adds up to', async () => {
    const folder = tempFolder()
    const path = join(folder, 'ledger.db')
    const script = fileURLToPath(new URL('record-calls.ts', import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    let first: number | undefined
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        first ??= performance.now()
        // The sums are saved after a second for the first time, so that both saved and unsaved ones are there.
        const isLate = performance.now() - first > 2500
        if (isLate && said.length > 40_000) child.kill('SIGKILL')
      })
      child.once('close', () => resolve())
    })
    const acknowledged = said.split('\n').slice(0, -1)
    expect(acknowledged.length).toBeGreaterThan(1000)

    const ledger = await ledgerIn(folder)
    const database = new (sqliteDriver().Database)(path)
    const rows = database.prepare('SELECT request_id AS id FROM calls').all()
    database.close()
    const written = new Set(rows.map(({ id }) => String(id)))
    expect(acknowledged.filter((id) => !written.has(id))).toEqual([])
    expect(ledger.totals('token', 2)).toMatchObject({ calls: rows.length, quota: rows.length * 10 })
    expect(ledger.stat({}).calls).toBe(rows.length)
    expect(ledger.list({}, firstPage).total).toBe(rows.length)
  })

  test('waits in memory while the disk is full, and is written when there is room', async (context) => {
    const folder = smallDisk(512 * 1024)
    if (!folder) return context.skip('mounting is not allowed here')
    const ledger = await ledgerIn(folder)
    await ledger.record(call({ requestId: 'first' }))
    const filler = join(folder, 'filler')
    try {
      writeFileSync(filler, Buffer.alloc(1024 * 1024))
    } catch {
      // Full now.
    }
    for (let batch = 0; batch < 40; batch++) await recordAll(ledger, Array(20).fill({}))
    expect(ledger.problem).toMatch(/cannot be written.*wait in memory/)
    expect(ledger.totals('token', 2).calls).toBe(801)
    rmSync(filler)
    await expect.poll(() => ledger.problem).toBeNull()
    expect(ledger.list({}, firstPage).total).toBe(801)
    expect(ledger.list({ requestId: 'first' }, firstPage).total).toBe(1)
  })
})
