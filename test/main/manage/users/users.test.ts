import { describe, expect, test } from 'vitest'
import { OWNER, startManagement } from '../management.ts'
import { PASSWORD, signInAs } from './people.ts'

const names = (items: { username: string }[]) => items.map(({ username }) => username)

/** Addresses of receivers hold keys in their paths. */
const receivers = {
  notify_type: 'webhook',
  webhook_url: 'https://hooks.example/services/T0/hush-webhook',
  webhook_secret: 'hush-secret',
  bark_url: 'https://bark.example/hush-bark/',
  gotify_url: 'https://hush-gotify.example',
  gotify_token: 'hush-token',
  notification_email: 'hush@example.org',
  quota_warning_threshold: 500,
}

test('an administrator reads nowhere where the owner, or anyone else, is sent notices', async () => {
  const management = await startManagement()
  const { gateway, owner } = management
  const setting = JSON.stringify(receivers)
  gateway.parts.users.update(1, { setting })
  const { id } = gateway.parts.users.create({ username: 'carol', setting })
  const admin = await signInAs(management, { username: 'bob', role: 10, setting })
  for (const path of ['/api/user', '/api/user/search?keyword=a', `/api/user/${id}`, '/api/log']) {
    const text = JSON.stringify((await admin.get(path)).body)
    expect([path, text.includes('hush')]).toEqual([path, false])
    expect([path, JSON.stringify((await owner.get(path)).body).includes('hush')]).toEqual([
      path,
      false,
    ])
  }
  const { data } = (await admin.get(`/api/user/${id}`)).body
  expect(JSON.parse(data.setting)).toEqual({
    notify_type: 'webhook',
    quota_warning_threshold: 500,
  })
  // One's own addresses are shown, as the form for them needs.
  const own = JSON.parse((await admin.get('/api/user/self')).body.data.setting)
  expect(own).toMatchObject({ webhook_url: receivers.webhook_url, bark_url: receivers.bark_url })
})

describe('the list of users', () => {
  test('shows what administrators may know, and no secret', async () => {
    const { owner, gateway } = await startManagement()
    const { users } = gateway.parts
    users.create({
      ...{ username: 'bob', passwordHash: 'scrypt$hash', accessToken: 'secret-access-token' },
      ...{ remark: 'from the office', quota: 700, setting: '{"webhook_secret":"hush"}' },
    })
    const { data } = (await owner.get('/api/user/')).body
    expect(data).toMatchObject({ page: 1, page_size: 10, total: 2 })
    expect(names(data.items)).toEqual(['bob', 'ada'])
    expect(data.items[0]).toEqual({
      ...{ id: 2, username: 'bob', display_name: 'bob', role: 1, status: 1, group: 'default' },
      ...{ password: '', original_password: '', email: '', quota: 700, used_quota: 0 },
      ...{ github_id: '', discord_id: '', oidc_id: '', wechat_id: '', telegram_id: '' },
      ...{ linux_do_id: '', request_count: 0, unpriced_calls: 0 },
      ...{ estimated_calls: 0, aff_code: '', aff_count: 0, aff_quota: 0 },
      ...{ aff_history_quota: 0, inviter_id: 0, setting: '{}', remark: 'from the office' },
      ...{ stripe_customer: '', two_factor_enabled: false, DeletedAt: null },
      created_time: users.byId(2)?.createdTime,
    })
    expect('remark' in data.items[1]).toBe(false)
    expect(JSON.stringify(data)).not.toMatch(/scrypt|secret-access|hush/)
  })

  test('comes in pages', async () => {
    const { owner, gateway } = await startManagement()
    for (let count = 1; count <= 14; count++) {
      gateway.parts.users.create({ username: `user${count}` })
    }
    const second = (await owner.get('/api/user/?p=2')).body.data
    expect([second.page, second.total, second.items.length]).toEqual([2, 15, 5])
    const all = (await owner.get('/api/user/?page_size=1000')).body.data
    expect([all.page_size, all.items.length]).toEqual([100, 15])
    expect((await owner.get('/api/user/?p=9')).body.data.items).toEqual([])
  })

  test('is searched by id, by part of a name, by group, role and status', async () => {
    const { owner, gateway } = await startManagement()
    const { users } = gateway.parts
    users.create({ username: '100%_sure', displayName: 'Bob' })
    users.create({ username: 'carol', email: 'carol@example.org', group: 'vip', role: 10 })
    users.create({ username: 'dan', status: 2 })
    const found = async (query: string) =>
      names((await owner.get(`/api/user/search?${query}`)).body.data.items)
    expect(await found('keyword=3')).toEqual(['carol'])
    expect(await found('keyword=BOB')).toEqual(['100%_sure'])
    expect(await found('keyword=example.org')).toEqual(['carol'])
    // No wildcards: these are only what they are.
    expect(await found('keyword=%25')).toEqual(['100%_sure'])
    expect(await found('keyword=_')).toEqual(['100%_sure'])
    expect(await found('keyword=a%25a')).toEqual([])
    expect(await found('group=vip')).toEqual(['carol'])
    expect(await found('role=10')).toEqual(['carol'])
    expect(await found('status=2')).toEqual(['dan'])
    expect(await found('keyword=a&status=1&page_size=1')).toEqual(['carol'])
    expect(await found('keyword=&group=&role=&status=')).toHaveLength(4)
    expect((await owner.get('/api/user/search?role=boss')).body.field).toBe('role')
  })
})

describe('a new user', () => {
  test('signs in, and has the units for new users and the role that was given', async () => {
    const { owner, visitor, gateway } = await startManagement()
    gateway.parts.settings.update({ QuotaForNewUser: 1234 })
    const sent = { username: 'bob', password: PASSWORD, display_name: 'Bob', role: 10 }
    const { status, body } = await owner.send('POST', '/api/user/', { ...sent, remark: 'new' })
    expect([status, body.data]).toEqual([200, undefined])
    const bob = visitor()
    expect((await bob.send('POST', '/api/user/login', sent)).status).toBe(400)
    const login = { username: 'bob', password: PASSWORD }
    expect((await bob.send('POST', '/api/user/login', login)).body.data.role).toBe(10)
    expect((await bob.get('/api/user/self')).body.data).toMatchObject({
      ...{ display_name: 'Bob', quota: 1234, group: 'default' },
    })
  })

  test('is refused with a field that is wrong, which is named', async () => {
    const { owner, gateway } = await startManagement()
    gateway.parts.users.create({ username: 'eve', email: 'eve@example.org' })
    const bob = { username: 'bob', password: PASSWORD }
    const refusals = [
      [{ ...bob, username: '' }, 400, 'username'],
      [{ ...bob, username: 'x'.repeat(21) }, 400, 'username'],
      [{ ...bob, username: 'a\nb' }, 400, 'username'],
      [{ ...bob, username: 'ada' }, 409, 'username'],
      [{ username: 'bob' }, 400, 'password'],
      [{ ...bob, password: '1234567' }, 400, 'password'],
      [{ ...bob, display_name: 'x'.repeat(21) }, 400, 'display_name'],
      [{ ...bob, remark: 'x'.repeat(256) }, 400, 'remark'],
      [{ ...bob, email: 'no address' }, 400, 'email'],
      [{ ...bob, email: 'eve@example.org' }, 409, 'email'],
      [{ ...bob, quota: -1 }, 400, 'quota'],
      [{ ...bob, role: 5 }, 400, 'role'],
      [{ ...bob, role: 100 }, 403, undefined],
      [{ ...bob, admin: true }, 400, 'admin'],
    ] as const
    for (const [sent, expected, field] of refusals) {
      const { status, body } = await owner.send('POST', '/api/user/', sent)
      expect([sent, status, body.field]).toEqual([sent, expected, field])
    }
    expect(gateway.parts.users.byUsername('bob')).toBeUndefined()
  })
})

describe('a change of a user', () => {
  test('changes what is named, and takes a record back as it was read', async () => {
    const { owner, gateway } = await startManagement()
    const { id } = gateway.parts.users.create({ username: 'bob', quota: -20, remark: 'old' })
    const record = (await owner.get(`/api/user/${id}`)).body.data
    const { status, body } = await owner.send('PUT', '/api/user/', record)
    expect([status, body.data]).toEqual([200, undefined])
    expect((await owner.get(`/api/user/${id}`)).body.data).toEqual(record)
    await owner.send('PUT', '/api/user', { id, display_name: 'Bob', group: 'vip', remark: '' })
    const { remark: _none, ...rest } = record
    expect((await owner.get(`/api/user/${id}`)).body.data).toEqual({
      ...rest,
      ...{ display_name: 'Bob', group: 'vip' },
    })
  })

  test('of the password signs that user out everywhere, and opens with the new one', async () => {
    const management = await startManagement()
    const bob = await signInAs(management, { username: 'bob' })
    const { owner, visitor } = management
    await owner.send('PUT', '/api/user/', { id: bob.id, password: '' })
    expect((await bob.get('/api/user/self')).status).toBe(200)
    await owner.send('PUT', '/api/user/', { id: bob.id, password: 'another password' })
    expect((await bob.get('/api/user/self')).status).toBe(401)
    const login = { username: 'bob', password: 'another password' }
    expect((await visitor().send('POST', '/api/user/login', login)).status).toBe(200)
  })

  test('cannot set the own password, which would need no knowledge of the present one', async () => {
    const { owner, signIn } = await startManagement()
    const sent = { id: 1, password: 'another password' }
    const { status, body } = await owner.send('PUT', '/api/user/', sent)
    expect([status, body.field]).toEqual([400, 'password'])
    await signIn()
  })

  test('is refused whole when one field is', async () => {
    const { owner, gateway } = await startManagement()
    const { id } = gateway.parts.users.create({ username: 'bob', quota: 10 })
    for (const [field, value, expected] of [
      ['username', 'ada', 409],
      ['role', 100, 403],
      ['password', 'short', 400],
      ['quota', -5, 400],
      ['group', '', 400],
      ['nonsense', 1, 400],
    ] as const) {
      const sent = { id, display_name: 'changed', quota: 77, [field]: value }
      expect([field, (await owner.send('PUT', '/api/user/', sent)).status]).toEqual([
        field,
        expected,
      ])
    }
    expect(gateway.parts.users.byId(id)).toMatchObject({ displayName: 'bob', quota: 10 })
    expect((await owner.send('PUT', '/api/user/', { id: 99 })).status).toBe(404)
    expect((await owner.send('PUT', '/api/user/', {})).body.field).toBe('id')
  })
})

describe('a deleted user', () => {
  test('is out at once with sessions, tokens and access token; the name stays reserved', async () => {
    const management = await startManagement()
    const { owner, gateway, visitor } = management
    const bob = await signInAs(management, { username: 'bob' })
    const authorization = (await bob.send('POST', '/api/user/token')).body.data
    const { key } = (await bob.send('POST', '/api/token/', { name: 'mine' })).body.data
    const models = () =>
      fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect((await models()).status).toBe(200)

    const { status, body } = await owner.send('DELETE', `/api/user/${bob.id}`)
    expect([status, body.success]).toEqual([200, true])
    expect((await bob.get('/api/user/self')).status).toBe(401)
    expect((await models()).status).toBe(401)
    expect((await visitor().get('/api/user/self', { authorization })).status).toBe(401)
    const login = { username: 'bob', password: PASSWORD }
    expect((await visitor().send('POST', '/api/user/login', login)).status).toBe(401)
    expect((await owner.get(`/api/user/${bob.id}`)).status).toBe(404)
    expect((await owner.send('DELETE', `/api/user/${bob.id}`)).status).toBe(404)
    expect(names((await owner.get('/api/user/')).body.data.items)).toEqual(['ada'])
    const again = await owner.send('POST', '/api/user/', login)
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
  })

  test('may be oneself, but not the owner', async () => {
    const management = await startManagement()
    const bob = await signInAs(management, { username: 'bob' })
    expect((await bob.send('DELETE', '/api/user/self')).status).toBe(200)
    expect((await bob.get('/api/user/self')).status).toBe(401)
    for (const path of ['/api/user/self', '/api/user/1']) {
      const { status, body } = await management.owner.send('DELETE', path)
      expect([status, body.code]).toEqual([409, 'conflict'])
    }
    expect((await management.signIn()).cookie).not.toBe('')
    expect(management.gateway.parts.users.byUsername(OWNER.username)).toBeDefined()
  })
})
