import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { scheduleBackups } from '../../../../main/manage/transfer/backup/schedule-backups.ts'
import { writeArchive } from '../../../../main/store/backup/archive.ts'
import { createBackup } from '../../../../main/store/backup/backups.ts'
import { restoreBackup } from '../../../../main/store/backup/restore.ts'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import { openConfFile } from '../../../../main/store/state/conf-file.ts'
import { connect, undo } from '../connect/connect-stage.ts'
import { toolHome } from '../connect/tool-home.ts'
import { echoChannel, type Management, OWNER, startManagement, startUnset } from '../management.ts'

const gatewayOf = (folder: string) => ({ dataFolder: join(folder, 'data') })

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The command, from its sources. */
const restore = (file: string, dataFolder: string) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const flags = ['--import', 'tsx', 'main/headless.ts', '--restore', file]
    execFile('node', [...flags, '--data-dir', dataFolder], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })

test('a backup made while calls run is restored with its keys; the old files stay aside', async () => {
  const folder = newFolder()
  const { owner, gateway } = await startManagement(gatewayOf(folder))
  const { dataFolder } = gateway.parts
  const named = async () => (await owner.get('/api/backup')).body.data.restore
  // Without the folder it would fill the usual one.
  expect(await named()).toBe(`npm run gateway -- --data-dir ${dataFolder} --restore FILE`)
  await owner.send('POST', '/api/channel', echoChannel({ key: 'kept-secret' }))
  const { body: created } = await owner.send('POST', '/api/token', {
    ...{ name: 'one', unlimited_quota: true, expired_time: -1 },
  })
  const call = () =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${created.data.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'hi' }] }),
    }).then((response) => response.text())
  await call()
  const [{ body: made }] = await Promise.all([
    owner.send('POST', '/api/backup', {}),
    ...Array.from({ length: 20 }, call),
  ])
  expect(made).toMatchObject({ success: true, data: { scheduled: false } })
  const { body: listed } = await owner.get('/api/backup')
  expect(listed.data).toMatchObject({ key: 'file', backups: [{ name: made.data.name }] })
  expect(await named()).toContain(`--data-dir ${dataFolder} --restore ${made.data.path}`)

  // Nothing else is left of what it was made of.
  expect(readdirSync(join(dataFolder, 'backups'))).toEqual([made.data.name])
  const { path } = made.data
  const running = await restore(path, dataFolder)
  expect(running).toMatchObject({ code: 1, output: expect.stringContaining('is in use by') })

  await owner.send('POST', '/api/channel', echoChannel({ name: 'Later' }))
  await gateway.close()
  const done = await restore(path, dataFolder)
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining('brought its key along') })
  expect(readdirSync(dataFolder).some((name) => name.startsWith('before-restore-'))).toBe(true)

  const { gateway: again } = await startUnset(gatewayOf(folder))
  const { channels, ledger } = again.parts
  const [channel] = channels.all()
  expect(channels.all()).toHaveLength(1)
  expect(JSON.stringify(channel)).toContain('kept-secret')
  expect(Number(ledger.read('SELECT count(*) AS count FROM calls')[0]?.count)).toBeGreaterThan(0)
  const answer = await fetch(`${again.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${created.data.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(answer.status).toBe(200)
})

/** A new start over the data folder. */
async function startAgain(folder: string, home: string): Promise<Management> {
  const { gateway, visitor } = await startUnset({ ...gatewayOf(folder), env: envOf(home) })
  const owner = visitor()
  await owner.send('POST', '/api/user/login', OWNER)
  return { gateway, visitor, owner, signIn: async () => owner }
}

const envOf = (home: string) => ({ HOME: home, PATH: '' })

test('a tool that was connected before or after the backup is disconnected byte for byte after a restore', async () => {
  const folder = newFolder()
  const home = toolHome()
  const first = await startManagement({ ...gatewayOf(folder), env: envOf(home.path) })
  await first.owner.send('POST', '/api/channel', echoChannel())
  const before = home.snapshot()
  await connect(first, 'claude-code')
  const { body } = await first.owner.send('POST', '/api/backup', {})
  await connect(first, 'codex')
  await first.gateway.close()
  const { dataFolder } = first.gateway.parts
  await restoreBackup(body.data.path, dataFolder, openConfFile)

  const again = await startAgain(folder, home.path)
  for (const tool of ['claude-code', 'codex']) {
    const { body: undone } = await undo(again, tool)
    expect(undone.message).toBe('')
  }
  expect(home.snapshot()).toEqual(before)
})

test('a data folder that was lost comes back with the way to disconnect its tools', async () => {
  const folder = newFolder()
  const home = toolHome()
  const first = await startManagement({ ...gatewayOf(folder), env: envOf(home.path) })
  await first.owner.send('POST', '/api/channel', echoChannel())
  const before = home.snapshot()
  await connect(first, 'claude-code')
  const { body } = await first.owner.send('POST', '/api/backup', {})
  const file = join(folder, 'elsewhere.tar.gz')
  copyFileSync(body.data.path, file)
  await first.gateway.close()
  rmSync(first.gateway.parts.dataFolder, { recursive: true })
  await restoreBackup(file, first.gateway.parts.dataFolder, openConfFile)

  const again = await startAgain(folder, home.path)
  const { body: undone } = await undo(again, 'claude-code')
  expect(undone.message).toBe('')
  expect(home.snapshot()).toEqual(before)
})

test('a cut, a damaged and a foreign backup are told apart, and nothing is changed', async () => {
  const folder = newFolder()
  const { owner, gateway } = await startManagement(gatewayOf(folder))
  const { body } = await owner.send('POST', '/api/backup', {})
  await gateway.close()
  const { dataFolder } = gateway.parts
  const state = readFileSync(join(dataFolder, 'state.json'), 'utf8')
  const whole = readFileSync(body.data.path)
  const flipped = Buffer.from(whole)
  flipped.writeUInt8(flipped.readUInt8(whole.length >> 1) ^ 255, whole.length >> 1)
  const messageFor = (bytes: Buffer | string) => {
    const file = join(folder, 'broken.tar.gz')
    writeFileSync(file, bytes)
    return restoreBackup(file, dataFolder, openConfFile).then(
      String,
      (error: Error) => error.message,
    )
  }
  expect(await messageFor(whole.subarray(0, whole.length >> 1))).toContain('it is cut off')
  expect(await messageFor(flipped)).toMatch(/damaged/)
  expect(await messageFor('not a backup')).toContain('not a backup of Switchyard')
  await expect(restoreBackup(folder, dataFolder, openConfFile)).rejects.toThrow(/ is a folder\./)
  expect(readFileSync(join(dataFolder, 'state.json'), 'utf8')).toBe(state)
  expect(readdirSync(dataFolder).filter((name) => /restor/.test(name))).toEqual([])
})

const newer = 'it was made by a newer Switchyard; install that one first'
test.each([
  ['ledger.db', newer, ''],
  ['state.json', newer, '{"version": 99}'],
  ['state.json', 'its state.json cannot be used: it does not hold a JSON object', '[]'],
])('a backup whose %s this one could not start with is refused: %s', async (name, why, text) => {
  const folder = newFolder()
  const { gateway } = await startManagement(gatewayOf(folder))
  const { dataFolder } = gateway.parts
  await gateway.close()
  const file = join(dataFolder, name)
  const own = readFileSync(file)
  if (name === 'ledger.db') {
    const database = new (sqliteDriver().Database)(file)
    database.exec('PRAGMA user_version = 99')
    database.close()
  } else writeFileSync(file, text)
  const about = { switchyard: '99.0.0', key: 'file', isScheduled: false } as const
  const { path } = await createBackup(dataFolder, about)
  writeFileSync(file, own)
  await expect(restoreBackup(path, dataFolder, openConfFile)).rejects.toThrow(
    `${path} cannot be restored: ${why}. Nothing was changed.`,
  )
  expect(readFileSync(file).equals(own)).toBe(true)
})

test('a restore that can’t be finished leaves all as it was', async () => {
  const folder = newFolder()
  const { gateway } = await startManagement(gatewayOf(folder))
  const { dataFolder } = gateway.parts
  await gateway.close()
  // No backup has a file of this name, and here it’s a folder.
  mkdirSync(join(dataFolder, 'logs'), { recursive: true })
  const before = readdirSync(dataFolder).sort()
  const from = newFolder()
  copyFileSync(join(dataFolder, 'state.json'), join(from, 'state.json'))
  writeFileSync(join(from, 'logs'), '')
  const path = join(folder, 'odd.tar.gz')
  await writeArchive(path, from, ['state.json', 'logs'], { switchyard: '0.1.0', key: 'file' })
  await expect(restoreBackup(path, dataFolder, openConfFile)).rejects.toThrow(/Nothing was changed/)
  expect(readdirSync(dataFolder).sort()).toEqual(before)
})

test('backups are made by the clock while the settings say so, and only the newest scheduled ones are kept', async () => {
  const { owner, gateway } = await startManagement(gatewayOf(newFolder()))
  const { parts } = gateway
  const byHand = (await owner.send('POST', '/api/backup', {})).body.data.name
  const listed = async () => {
    const { body } = await owner.get('/api/backup')
    return body.data.backups as { name: string; scheduled: boolean }[]
  }
  const scheduled = async () =>
    (await listed()).filter((one) => one.scheduled).map(({ name }) => name)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const stop = scheduleBackups(parts)
  const hour = 60 * 60_000
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 300))
  vi.advanceTimersByTime(48 * hour)
  await quiet()
  expect(await scheduled()).toEqual([])

  await owner.send('PUT', '/api/option', { key: 'BackupHours', value: 6 })
  await owner.send('PUT', '/api/option', { key: 'BackupKeep', value: 2 })
  vi.advanceTimersByTime(60_000)
  await vi.waitFor(async () => expect(await scheduled()).toHaveLength(1), { timeout: 30_000 })
  await quiet()
  const [first = ''] = await scheduled()
  vi.advanceTimersByTime(5 * hour)
  await quiet()
  expect(await scheduled()).toEqual([first])

  for (const count of [2, 2]) {
    const before = await scheduled()
    vi.advanceTimersByTime(6 * hour)
    await vi.waitFor(
      async () => {
        // A look that comes while a backup is being finished does nothing; the next one does.
        vi.advanceTimersByTime(60_000)
        const now = await scheduled()
        expect(now).toHaveLength(count)
        expect(now).not.toEqual(before)
      },
      { timeout: 30_000 },
    )
  }
  expect(await scheduled()).not.toContain(first)
  // Backups made by hand aren't removed.
  expect((await listed()).map(({ name }) => name)).toContain(byHand)
  stop()
  const last = await scheduled()
  vi.advanceTimersByTime(24 * hour)
  await quiet()
  expect(await scheduled()).toEqual(last)
})

test('a backup made by hand does not put off the scheduled one', async () => {
  const { owner, gateway } = await startManagement(gatewayOf(newFolder()))
  const backups = async () =>
    (await owner.get('/api/backup')).body.data.backups as { name: string; scheduled: boolean }[]
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const hour = 60 * 60_000
  await owner.send('PUT', '/api/option', { key: 'BackupHours', value: 6 })
  await owner.send('POST', '/api/backup', {})
  onTestFinished(scheduleBackups(gateway.parts))
  vi.advanceTimersByTime(hour)
  await vi.waitFor(
    async () =>
      expect((await backups()).map(({ scheduled }) => scheduled).sort()).toEqual([false, true]),
    { timeout: 30_000 },
  )
})

test('a backup of a clock that ran ahead neither puts off the next ones nor outlives them', async () => {
  const { owner, gateway } = await startManagement(gatewayOf(newFolder()))
  const names = async (): Promise<string[]> =>
    (await owner.get('/api/backup')).body.data.backups.map(({ name }: { name: string }) => name)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  await owner.send('PUT', '/api/option', { key: 'BackupHours', value: 6 })
  await owner.send('PUT', '/api/option', { key: 'BackupKeep', value: 1 })
  onTestFinished(scheduleBackups(gateway.parts))
  vi.advanceTimersByTime(60_000)
  await vi.waitFor(async () => expect(await names()).toHaveLength(1), { timeout: 30_000 })
  const [ahead] = await names()
  vi.setSystemTime(Date.now() - 24 * 60 * 60_000)
  await vi.waitFor(
    async () => {
      vi.advanceTimersByTime(60_000)
      const [only, ...others] = await names()
      expect(others).toEqual([])
      expect(only).not.toBe(ahead)
    },
    { timeout: 30_000 },
  )
})
