import { readFileSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { createConsoleCalls } from '../../../../main/desktop/console-calls.ts'
import { sqliteDriver } from '../../../../main/store/ledger/sqlite-driver.ts'
import { echoChannel, startManagement, startUnset } from '../management.ts'
import { fillingDisk } from './filling-disk.ts'

interface Warning {
  code: string
  message: string
  since: number | null
}

test('a gateway that fares well says so, with its figures', async () => {
  const { owner, gateway } = await startManagement()
  const { status, body } = await owner.get('/api/diagnostics/health')
  expect(status).toBe(200)
  const { disk, ...rest } = body.data
  // The disk of the machine that runs this may be full.
  const warnings = body.data.warnings.filter(({ code }: Warning) => code !== 'disk_low')
  expect(warnings).toEqual([])
  expect(disk.free).toBeGreaterThan(0)
  expect(rest).toMatchObject({
    node: process.versions.node,
    calls: { active: 0, waiting: 0, limit: gateway.parts.settings.current.MaxConcurrentCalls },
    ledger: { problem: null, rows_waiting: 0 },
    state: { problem: null },
    upstream: { sockets: expect.any(Number) },
  })
  expect(rest.connections).toBeGreaterThan(0)
  expect(rest.memory.rss).toBeGreaterThan(rest.memory.heap_used)
  expect(rest.ledger.size).toBeGreaterThan(0)
  expect(rest.state.size).toBeGreaterThan(0)
  expect(rest.event_loop.max_ms).toBeGreaterThanOrEqual(rest.event_loop.mean_ms)
  const path = join(gateway.parts.dataFolder, 'logs', 'switchyard.log')
  expect(rest.log.path).toBe(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toContain('"msg":"the gateway listens"')
})

test('a locked ledger is a failure with a sentence, and over when it is over: open consoles hear of both', async () => {
  const { owner, gateway } = await startManagement()
  const { parts } = gateway
  // Of what the start changed, the consoles may still have to hear.
  await new Promise<unknown>((resolve) => {
    parts.events.on('server', resolve)
    parts.events.emit('server')
  })
  let told = 0
  parts.events.on('server', () => told++)
  const other = new (sqliteDriver().Database)(join(parts.dataFolder, 'ledger.db'))
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const health = async () => (await owner.get('/api/diagnostics/health')).body.data
  await parts.ledger.record({
    ...{ requestId: 'r', createdAt: 1, type: 2, userId: 1, username: 'ada', tokenId: 0 },
    ...{ tokenName: '', channelId: 0, channelName: '', model: 'm', group: '', ip: '' },
    ...{ content: '', quota: 1, promptTokens: 1, completionTokens: 1, useTime: 1, status: 200 },
    ...{ isStream: false, other: '{}', cachedTokens: 0, isUnpriced: false, isEstimated: false },
  })
  await expect.poll(async () => (await health()).status, { interval: 200 }).toBe('failing')
  await expect.poll(() => told).toBe(1)
  const { warnings, ledger } = await health()
  expect(warnings[0]).toMatchObject({
    code: 'ledger_failing',
    message: expect.stringMatching(/locked.*1 row waits in/),
  })
  expect(Math.abs(warnings[0].since - Date.now() / 1000)).toBeLessThan(15)
  expect(ledger).toMatchObject({ rows_waiting: 1, problem: expect.stringContaining('locked') })
  expect(await owner.get('/api/status/test')).toMatchObject({
    status: 503,
    body: { success: false, message: expect.stringContaining('locked') },
  })
  expect(
    (await owner.send('POST', '/api/redemption/', { name: 'x', quota: 1, count: 1 })).body,
  ).toMatchObject({
    code: 'storage_failed',
    message: expect.stringMatching(/Nothing was saved.*locked/),
  })
  expect((await owner.get('/api/log/')).status).toBe(200)
  other.exec('ROLLBACK')
  await expect
    .poll(async () => (await owner.get('/api/status/test')).status, {
      interval: 200,
    })
    .toBe(200)
  await expect.poll(() => told).toBe(2)
  const log = readFileSync(join(parts.dataFolder, 'logs', 'switchyard.log'), 'utf8')
  expect(log.match(/the ledger cannot be written/g)).toHaveLength(1)
  expect(log.match(/the ledger is written again/g)).toHaveLength(1)
})

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

test.each<[host: string, words: string, isOpen: boolean]>([
  ['0.0.0.0', 'warns that the network can read along', true],
  ['localhost', 'is this machine’s alone', false],
  ...(hasIPv6
    ? [['::1', 'is this machine’s alone too', false] satisfies [string, string, boolean]]
    : []),
])('a gateway that listens on %s %s', async (host, _words, isOpen) => {
  const { gateway } = await startUnset({ host })
  const window = createConsoleCalls(gateway.parts)
  await window.call('setup.run', {})
  const found = expect.objectContaining({ reason: { code: 'health_open_to_network', host } })
  const warnings = isOpen ? expect.arrayContaining([found]) : expect.not.arrayContaining([found])
  expect(await window.call('diagnostics.health', {})).toMatchObject({
    ok: true,
    data: { warnings },
  })
})

test('settings that cannot be saved change nothing and are a failure until one is saved', async () => {
  const disk = fillingDisk()
  const { owner } = await startManagement({ openStateFile: disk.openStateFile })
  const rename = (value: string) => owner.send('PUT', '/api/option/', { key: 'SystemName', value })
  disk.isFull = true
  expect((await rename('Full')).body).toMatchObject({ code: 'storage_failed' })
  const { data } = (await owner.get('/api/diagnostics/health')).body
  expect(data).toMatchObject({
    status: 'failing',
    state: { problem: expect.stringMatching(/Nothing was saved.*ENOSPC/) },
  })
  expect((await owner.get('/api/status')).body.data.system_name).not.toBe('Full')
  expect((await owner.get('/api/status/test')).status).toBe(503)
  disk.isFull = false
  expect((await rename('Room')).body.success).toBe(true)
  expect((await owner.get('/api/status/test')).status).toBe(200)
})

test('channels that rest, are disabled or have lost their key are told of', async () => {
  const { owner, gateway } = await startManagement()
  const { parts } = gateway
  for (const name of ['cools', 'probed', 'disabled', 'unreadable'])
    await owner.send('POST', '/api/channel/', { mode: 'single', channel: echoChannel({ name }) })
  const id = (name: string) => parts.channels.all().find((one) => one.name === name)?.id ?? 0
  parts.health
    .watch(id('cools'), '', 'echo')
    .failed({ blame: 'channel', reason: 'overloaded', retryAfter: 30, isAtOnce: true })
  parts.health
    .watch(id('probed'), '', 'echo')
    .failed({ blame: 'channel', reason: 'overloaded', retryAfter: 0.01, isAtOnce: true })
  await expect
    .poll(() => parts.health.ofChannel({ id: id('probed') }, [], null).state)
    .toBe('half-open')
  parts.channels.update(id('disabled'), {
    status: 3,
    otherInfo: '{"status_reason":"no credit","status_time":1700000000}',
  })
  parts.state.update((draft) => {
    const stored = draft.channels.find((one) => one.name === 'unreadable')
    if (stored) stored.key = 'v1:bm90IG91cnM='
  })
  const { data } = (await owner.get('/api/diagnostics/health')).body
  const codes = new Map(data.warnings.map((one: Warning) => [one.code, one]))
  expect(data.status).toBe('warning')
  expect(codes.get('channels_cooling')).toMatchObject({
    message: expect.stringContaining('"cools"'),
  })
  expect(codes.get('channels_probing')).toMatchObject({
    message: expect.stringContaining('"probed"'),
  })
  expect(codes.get('channels_disabled')).toMatchObject({
    message: expect.stringContaining('"disabled"'),
    since: 1_700_000_000,
  })
  expect(codes.get('keys_unreadable')).toMatchObject({
    message: expect.stringContaining('"unreadable"'),
  })
})

test('a warning names two of many channels, each cut to what a line holds, and counts the others', async () => {
  const { owner, gateway } = await startManagement()
  const { parts } = gateway
  const names = ['Work', 'long-'.repeat(16), 'Third', 'Fourth', 'Fifth']
  for (const name of names) {
    await owner.send('POST', '/api/channel/', { mode: 'single', channel: echoChannel({ name }) })
  }
  for (const { id } of parts.channels.all()) parts.channels.update(id, { status: 3 })
  const { data } = (await owner.get('/api/diagnostics/health')).body
  const warning = data.warnings.find((one: Warning) => one.code === 'channels_disabled')
  const count = parts.channels.all().length
  expect(warning.message).toMatch(
    new RegExp(`^${count} channels disabled by the gateway: .* and ${count - 2} more\\.$`),
  )
  expect(warning.message).toContain(`"${'long-'.repeat(16).slice(0, 39)}…"`)
  expect(warning.reason.names).toMatchObject({ code: 'names_and_more', more: count - 2 })
})

test('a bundle says what went wrong and holds no secret', async () => {
  const { owner, gateway } = await startManagement()
  const channel = echoChannel({
    type: 1,
    key: 'sk-vendor-distinctive',
    base_url: 'http://127.0.0.1:1',
  })
  await owner.send('POST', '/api/channel/', { mode: 'single', channel })
  await owner.send('PUT', '/api/option/', { key: 'StripeApiSecret', value: 'sk_live_distinctive' })
  await owner.send('PUT', '/api/option/', { key: 'SystemName', value: 'Named' })
  gateway.parts.log.error({ err: new Error('key sk-vendor-distinctive refused') }, 'it failed')
  const called = await owner.send('POST', '/pg/chat/completions', {
    ...{ model: 'echo', messages: [{ role: 'user', content: 'hi' }] },
  })
  expect(called.status).toBeGreaterThanOrEqual(400)
  const { status, body } = await owner.get('/api/diagnostics/bundle')
  expect(status).toBe(200)
  const text = JSON.stringify(body.data)
  expect(text).not.toContain('distinctive')
  expect(body.data.options).toMatchObject({ SystemName: 'Named', StripeApiSecret: '(set)' })
  expect(body.data.channels).toMatchObject([{ origin: 'http://127.0.0.1:1', keys: 1 }])
  expect(body.data.failed_calls).toMatchObject([{ model: 'echo', message: expect.any(String) }])
  expect(body.data.log.join('\n')).toMatch(/key \*\*\* refused/)
  expect(body.data.log.join('\n')).toContain('call failed')
})

test('a bundle tells of a key that failed without the key, however short it is', async () => {
  const { owner, gateway } = await startManagement()
  const { channels, health } = gateway.parts
  const key = 'k-4Zq'
  const { id } = channels.create({ ...{ type: 1, name: 'Vendor', key }, baseUrl: 'http://a.test' })
  health
    .watch(id, key, 'gpt-a')
    .failed({ blame: 'key', reason: 'refused', retryAfter: null, isAtOnce: true })
  const { body } = await owner.get('/api/diagnostics/bundle')
  expect(body.data.channels).toMatchObject([{ circuits: [{ reason: 'refused', model: null }] }])
  expect(JSON.stringify(body.data)).not.toContain(key)
})

test('the log of a bundle has each change that was made, and none that was refused', async () => {
  const { owner } = await startManagement()
  const refused = await owner.send('POST', '/api/channel/99/health/reset', {})
  expect(refused.status).toBe(404)
  await owner.send('PUT', '/api/option/', { key: 'SystemName', value: 'Named' })
  const lines: string[] = (await owner.get('/api/diagnostics/bundle')).body.data.log
  const changes = lines.filter((line) => line.includes('"changed"'))
  expect(changes.join('\n')).toContain('option.update')
  expect(changes.join('\n')).not.toContain('channel.reset-health')
})

test('the log goes to no file where that is off', async () => {
  const { owner } = await startManagement({
    env: { SWITCHYARD_LOG_FILE: 'off' },
    log: createLog('silent'),
  })
  expect((await owner.get('/api/diagnostics/health')).body.data.log).toEqual({ path: null })
})
