import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashPassword } from '../../../../main/base/password.ts'
import { echoChannel, OWNER, startManagement, startUnset, verifyOwner } from '../management.ts'
import { exported, imported, startFilled, stateOf } from './filled-gateway.ts'

test('an import can be undone after a restart, a test, a balance read and a sign-in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-undo-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const management = await startManagement({ dataFolder: folder })
  await verifyOwner(management.owner)
  await management.owner.send('POST', '/api/channel', echoChannel({ name: 'Mine' }))
  const before = stateOf(management)
  const text =
    'switchyard://import?name=New&base_url=https%3A%2F%2Fr.example.com&key=sk-new-0123456789&models=m'
  const { undo_id } = await imported(management, text)
  const { channels } = management.gateway.parts
  const [mine] = channels.all()
  await management.owner.get(`/api/channel/test/${mine?.id}`)
  channels.update(mine?.id ?? 0, { balance: 5, balanceUpdatedTime: 1_790_000_000 })
  expect(channels.all()[0]?.testTime).toBeGreaterThan(0)
  await management.gateway.close()

  const { gateway, visitor } = await startUnset({ dataFolder: folder })
  const owner = visitor()
  await owner.send('POST', '/api/user/login', OWNER)
  const last = await owner.get('/api/transfer/last')
  expect(last.body.data).toMatchObject({
    ...{ undo_id, from: 'switchyard-link', added: 1, changed: 0, blocked: null },
  })
  const undone = await owner.send('POST', '/api/transfer/undo', { undo_id })
  expect(undone.body.message).toBe('')
  const [left, ...others] = gateway.parts.channels.all()
  expect(others).toEqual([])
  // Facts learnt of my own channel meanwhile stay.
  expect(left).toMatchObject({ name: 'Mine', balance: 5 })
  expect(left?.testTime).toBeGreaterThan(0)
  expect(stateOf({ ...management, gateway }).settings).toEqual(before.settings)
  expect((await owner.get('/api/transfer/last')).body.data).toBeNull()
})

test('an undo is refused once something else was changed', async () => {
  const management = await startFilled()
  const { owner } = management
  const file = JSON.parse(await exported(management, ['settings']))
  file.data.settings.RetryTimes = 5
  const { undo_id } = await imported(management, JSON.stringify(file))
  await owner.send('PUT', '/api/option', { key: 'SystemName', value: 'Other' })
  const { status, body } = await owner.send('POST', '/api/transfer/undo', { undo_id })
  expect(status).toBe(409)
  expect(body.message).toContain('settings were changed since the import')
  const { body: last } = await owner.get('/api/transfer/last')
  expect(last.data).toMatchObject({ undo_id, blocked: 'settings' })
})

test('a way back that another version of the program left is not offered, and not taken', async () => {
  const management = await startFilled()
  const { owner, gateway } = management
  const file = JSON.parse(await exported(management, ['settings']))
  file.data.settings.RetryTimes = 5
  const { undo_id } = await imported(management, JSON.stringify(file))
  const path = join(gateway.parts.dataFolder, 'last-import.json')
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  expect((await owner.get('/api/transfer/last')).body.data).toMatchObject({ undo_id })
  for (const version of [kept.version - 1, kept.version + 1]) {
    writeFileSync(path, JSON.stringify({ ...kept, version }))
    expect((await owner.get('/api/transfer/last')).body.data).toBeNull()
    expect((await owner.send('POST', '/api/transfer/undo', { undo_id })).status).toBe(404)
  }
  expect(gateway.parts.settings.current.RetryTimes).toBe(5)
})

test('an undo is refused once a user who came with the import has redeemed a code', async () => {
  const management = await startFilled()
  const { owner, gateway, visitor } = management
  const file = JSON.parse(await exported(management, ['users']))
  const eve = { username: 'eve', password_hash: await hashPassword('a long password') }
  const data = { users: [eve] }
  const { undo_id } = await imported(management, JSON.stringify({ ...file, data }))
  const [code] = gateway.parts.ledger.read('SELECT code FROM redemption_codes')
  const eves = visitor()
  await eves.send('POST', '/api/user/login', { username: 'eve', password: 'a long password' })
  expect((await owner.get('/api/transfer/last')).body.data.blocked).toBeNull()
  expect((await eves.send('POST', '/api/user/topup', { key: code?.code })).status).toBe(200)
  expect((await owner.get('/api/transfer/last')).body.data.blocked).toBe('users')
  const { status } = await owner.send('POST', '/api/transfer/undo', { undo_id })
  expect(status).toBe(409)
  expect((await eves.get('/api/user/self')).body.data.quota).toBe(500)
})

test('open consoles hear of an import, and of its undoing', async () => {
  const management = await startFilled()
  const { owner, gateway } = management
  const file = JSON.parse(await exported(management, ['settings']))
  file.data.settings.RetryTimes = 5
  const emit = vi.spyOn(gateway.parts.events, 'emit')
  const { undo_id } = await imported(management, JSON.stringify(file))
  expect(emit.mock.calls).toContainEqual(['server'])
  emit.mockClear()
  expect((await owner.send('POST', '/api/transfer/undo', { undo_id })).status).toBe(200)
  expect(emit.mock.calls).toContainEqual(['server'])
})
