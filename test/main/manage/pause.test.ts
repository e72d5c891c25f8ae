import { expect, test } from 'vitest'
import { echoChannel, startManagement } from './management.ts'
import { signInAs } from './users/people.ts'

test('the owner pauses and resumes, and the console sees it', async () => {
  const { owner, gateway } = await startManagement()
  let told = 0
  gateway.parts.events.on('server', () => told++)
  const since = async () => (await owner.get('/api/server')).body.data.paused_since
  expect(await since()).toBeNull()

  expect((await owner.send('POST', '/api/server/pause', {})).status).toBe(200)
  const begun = await since()
  expect(Math.abs(begun - Date.now() / 1000)).toBeLessThan(5)
  await expect.poll(() => told).toBe(1)
  const health = (await owner.get('/api/diagnostics/health')).body.data
  expect(health.status).toBe('warning')
  expect(health.warnings).toContainEqual({
    code: 'paused',
    message: expect.stringContaining('new calls are refused'),
    reason: { code: 'health_paused' },
    since: begun,
  })

  expect((await owner.send('POST', '/api/server/resume', {})).status).toBe(200)
  expect(await since()).toBeNull()
  expect((await owner.get('/api/diagnostics/health')).body.data.status).toBe('ok')
})

test('pausing twice keeps the time of the first, and says nothing anew', async () => {
  const { owner, gateway } = await startManagement()
  await owner.send('POST', '/api/server/pause', {})
  gateway.parts.settings.update({ PausedSince: 1_000 })
  await owner.send('POST', '/api/server/pause', {})
  expect((await owner.get('/api/server')).body.data.paused_since).toBe(1_000)
})

test('a pause outlasts the process, as the state file has it', async () => {
  const { owner, gateway } = await startManagement()
  await owner.send('POST', '/api/server/pause', {})
  const { PausedSince } = gateway.parts.state.data.settings
  expect(PausedSince).toBeGreaterThan(0)
})

test('nobody but the owner pauses, and a pause lets the owner test a channel', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const bob = await signInAs(management, { username: 'bob', role: 10 })
  expect((await bob.send('POST', '/api/server/pause', {})).status).toBe(403)
  expect(gateway.parts.settings.current.PausedSince).toBe(0)

  await owner.send('POST', '/api/channel/', { mode: 'single', channel: echoChannel() })
  await owner.send('POST', '/api/server/pause', {})
  const tested = await owner.get('/api/channel/test/1')
  expect([tested.status, tested.body.success]).toEqual([200, true])
})
