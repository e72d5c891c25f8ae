import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'

const webhook = {
  notify_type: 'webhook',
  quota_warning_threshold: 5000,
  webhook_url: 'https://example.org/hook',
  webhook_secret: 'hush-hush',
}

const gotify = {
  ...{ notify_type: 'gotify', quota_warning_threshold: 5000, gotify_priority: 10 },
  ...{ gotify_url: 'https://gotify.example.org', gotify_token: 'hush-hush' },
}

test.each([
  ['webhook_secret', webhook],
  ['gotify_token', gotify],
] as const)(
  'preferences are kept, and %s is neither read back nor plain in the file',
  async (secret, sent) => {
    const { owner, gateway } = await startManagement()
    const { status, body } = await owner.send('PUT', '/api/user/setting', sent)
    expect([status, body.data]).toEqual([200, undefined])
    const shown = JSON.parse((await owner.get('/api/user/self')).body.data.setting)
    const open = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== secret))
    expect(shown).toEqual(open)
    const file = readFileSync(join(gateway.parts.dataFolder, 'state.json'), 'utf8')
    expect(file).not.toContain('hush-hush')

    const kept = () => JSON.parse(gateway.parts.users.byId(1)?.setting ?? '')
    await owner.send('PUT', '/api/user/setting', { ...open, [secret]: '' })
    expect(kept()[secret]).toBe('hush-hush')
    const other = { notify_type: 'email', quota_warning_threshold: 5000, [secret]: null }
    await owner.send('PUT', '/api/user/setting', other)
    expect(secret in kept()).toBe(false)
  },
)

test('without a level of one’s own the gateway’s default warns', async () => {
  const management = await startManagement()
  management.gateway.parts.settings.update({ QuotaRemindThreshold: 100 })
  const bob = await signInAs(management, { username: 'bob', quota: 500 })
  const isWarned = async () => (await bob.get('/api/user/self')).body.data.quota_warning
  const set = (level: number | null) =>
    bob.send('PUT', '/api/user/setting', { notify_type: 'email', quota_warning_threshold: level })
  expect((await set(1000)).status).toBe(200)
  expect(await isWarned()).toBe(true)
  expect((await set(null)).status).toBe(200)
  expect(await isWarned()).toBe(false)
})

test('the sidebar’s choice is kept beside them', async () => {
  const { owner } = await startManagement()
  await owner.send('PUT', '/api/user/setting', webhook)
  const modules = '{"chat":{"enabled":false}}'
  expect((await owner.send('PUT', '/api/user/self', { sidebar_modules: modules })).status).toBe(200)
  await owner.send('PUT', '/api/user/setting', { ...webhook, record_ip_log: true })
  const { data } = (await owner.get('/api/user/self')).body
  expect(data.sidebar_modules).toBe(modules)
  expect(JSON.parse(data.setting)).toMatchObject({ record_ip_log: true, sidebar_modules: modules })
  const broken = await owner.send('PUT', '/api/user/self', { sidebar_modules: '{"chat":' })
  expect([broken.status, broken.body.field]).toEqual([400, 'sidebar_modules'])
})

test('the own record can be sent back as it was read', async () => {
  const management = await startManagement()
  const bob = await signInAs(management, { username: 'bob' })
  const { data } = (await bob.get('/api/user/self')).body
  const sent = { ...data, display_name: 'Bobby', password: '', role: 100, quota: 1e6, group: 'vip' }
  expect((await bob.send('PUT', '/api/user/self', sent)).status).toBe(200)
  expect((await bob.get('/api/user/self')).body.data).toEqual({ ...data, display_name: 'Bobby' })
})

test('wrong preferences are refused at their field', async () => {
  const management = await startManagement()
  const bob = await signInAs(management, { username: 'bob' })
  const base = { notify_type: 'email', quota_warning_threshold: 1 }
  const wrong: [object, string][] = [
    [{ ...base, notify_type: 'pigeon' }, 'notify_type'],
    [{ notify_type: 'email' }, 'quota_warning_threshold'],
    [{ ...base, quota_warning_threshold: 0 }, 'quota_warning_threshold'],
    [{ ...base, notify_type: 'webhook' }, 'webhook_url'],
    [{ ...base, notify_type: 'bark' }, 'bark_url'],
    [{ ...base, notify_type: 'gotify', gotify_url: 'https://example.org' }, 'gotify_token'],
    [{ ...base, gotify_priority: 11 }, 'gotify_priority'],
    [{ ...base, notification_email: 'nobody' }, 'notification_email'],
    [{ ...base, webhook_url: 'ftp://example.org' }, 'webhook_url'],
    [{ ...base, webhook_url: 'https://me:secret@example.org' }, 'webhook_url'],
    [{ ...base, webhook_url: 'http://127.0.0.1:4747/api' }, 'webhook_url'],
    [{ ...base, webhook_url: 'http://[::ffff:10.0.0.1]/' }, 'webhook_url'],
    [{ ...base, bark_url: 'http://localhost/' }, 'bark_url'],
    [{ ...base, gotify_url: 'http://169.254.169.254/' }, 'gotify_url'],
    [{ ...base, colour: 'red' }, 'colour'],
  ]
  for (const [sent, field] of wrong) {
    const { status, body } = await bob.send('PUT', '/api/user/setting', sent)
    expect([sent, status, body.field]).toEqual([sent, 400, field])
  }
  expect((await bob.send('PUT', '/api/user/setting', base)).status).toBe(200)
})

test('the owner’s own network is the owner’s to name, metadata services are nobody’s', async () => {
  const { owner } = await startManagement()
  const to = (url: string) =>
    owner.send('PUT', '/api/user/setting', { ...webhook, webhook_url: url })
  expect((await to('http://192.168.1.20:8080/message')).status).toBe(200)
  expect((await to('http://169.254.169.254/')).status).toBe(400)
})

test('who has little left is told, by the own threshold or the gateway’s', async () => {
  const management = await startManagement()
  const { gateway, owner } = management
  const bob = await signInAs(management, { username: 'bob', quota: 2000 })
  const isWarned = async (who = bob as Pick<typeof bob, 'get'>) =>
    (await who.get('/api/user/self')).body.data.quota_warning
  expect(await isWarned()).toBe(false)
  gateway.parts.settings.update({ QuotaRemindThreshold: 2001 })
  expect(await isWarned()).toBe(true)
  await bob.send('PUT', '/api/user/setting', {
    ...{ notify_type: 'email', quota_warning_threshold: 100 },
  })
  expect(await isWarned()).toBe(false)
  gateway.parts.users.update(1, { quota: 0 })
  // In self-use mode the owner's own balance refuses nothing.
  expect(await isWarned(owner)).toBe(false)
  gateway.parts.settings.update({ SelfUseModeEnabled: false })
  expect(await isWarned(owner)).toBe(true)
})
