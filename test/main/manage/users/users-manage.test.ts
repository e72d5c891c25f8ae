import { describe, expect, test } from 'vitest'
import { MAX_QUOTA } from '../../../../main/base/quota.ts'
import { quotaText } from '../../../../main/base/quota-text.ts'
import { eventRow } from '../../../../main/manage/calls/event-row.ts'
import { type Management, startManagement, type Visitor } from '../management.ts'
import { signInAs } from './people.ts'

const manage = (who: Visitor, id: number, action: string, more: object = {}) =>
  who.send('POST', '/api/user/manage', { id, action, ...more })

/** An owner, two administrators and a user. */
async function startWithPeople() {
  const management = await startManagement()
  const admin = await signInAs(management, { username: 'admin', role: 10 })
  const other = management.gateway.parts.users.create({ username: 'other', role: 10 })
  const bob = await signInAs(management, { username: 'bob', quota: 1000 })
  return { ...management, admin, other, bob }
}

const events = ({ gateway }: Pick<Management, 'gateway'>) =>
  gateway.parts.ledger.list({ type: 3 }, { page: 1, pageSize: 20 }).items

describe('roles', () => {
  test('an administrator does nothing with those of the same role, nor with the owner', async () => {
    const { admin, other } = await startWithPeople()
    for (const id of [1, other.id, admin.id]) {
      const answers = [
        await admin.get(`/api/user/${id}`),
        await admin.send('PUT', '/api/user/', { id, display_name: 'x' }),
        await admin.send('DELETE', `/api/user/${id}`),
        ...(await Promise.all(
          ['disable', 'enable', 'delete', 'promote', 'demote'].map((action) =>
            manage(admin, id, action),
          ),
        )),
        await manage(admin, id, 'add_quota', { mode: 'add', value: 1 }),
      ]
      for (const { status, body } of answers) {
        expect([id, status, body.code]).toEqual([id, 403, 'forbidden'])
      }
    }
  })

  test('only the owner makes administrators', async () => {
    const { admin, owner, bob, gateway } = await startWithPeople()
    const user = { username: 'new', password: 'a good password', role: 10 }
    expect((await admin.send('POST', '/api/user/', user)).status).toBe(403)
    expect((await manage(admin, bob.id, 'promote')).status).toBe(403)
    expect((await manage(admin, bob.id, 'demote')).status).toBe(403)
    const put = await admin.send('PUT', '/api/user/', { id: bob.id, role: 10 })
    expect([put.status, put.body.field]).toEqual([403, 'role'])

    const { body } = await manage(owner, bob.id, 'promote')
    expect(body.data).toMatchObject({ role: 10, status: 1, id: 0, username: '' })
    // At once, in the session that is open.
    expect((await bob.get('/api/user/')).status).toBe(200)
    expect((await manage(owner, bob.id, 'promote')).status).toBe(409)
    expect((await manage(owner, bob.id, 'demote')).body.data.role).toBe(1)
    expect((await bob.get('/api/user/')).status).toBe(403)
    expect((await manage(owner, bob.id, 'demote')).status).toBe(409)
    await owner.send('PUT', '/api/user/', { id: bob.id, role: 10 })
    expect(gateway.parts.users.byId(bob.id)?.role).toBe(10)
  })

  test('the last enabled owner stays the owner', async () => {
    const { owner, gateway } = await startWithPeople()
    for (const action of ['disable', 'delete', 'promote', 'demote']) {
      const { status, body } = await manage(owner, 1, action)
      expect([action, status, body.code]).toEqual([action, 409, 'conflict'])
    }
    expect((await owner.send('PUT', '/api/user/', { id: 1, role: 1 })).status).toBe(409)
    const record = (await owner.get('/api/user/1')).body.data
    expect((await owner.send('PUT', '/api/user/', record)).status).toBe(200)
    // A second one, who is disabled, would not do.
    gateway.parts.users.create({ username: 'second', role: 100, status: 2 })
    expect((await manage(owner, 1, 'disable')).status).toBe(409)
  })

  test.each([
    [{ action: 'explode' }, 400, 'action'],
    [{ id: 99, action: 'disable' }, 404, 'id'],
    [{ id: 'x', action: 'disable' }, 400, 'id'],
    [{ action: 'add_quota' }, 400, 'mode'],
    [{ action: 'add_quota', mode: 'add' }, 400, 'value'],
    [{ action: 'add_quota', mode: 'add', value: 0 }, 400, 'value'],
    [{ action: 'add_quota', mode: 'subtract', value: -1 }, 400, 'value'],
    [{ action: 'add_quota', mode: 'override', value: -1 }, 400, 'value'],
    [{ action: 'add_quota', mode: 'add', value: 1.5 }, 400, 'value'],
    [{ action: 'add_quota', mode: 'add', value: MAX_QUOTA + 1 }, 400, 'value'],
    [{ action: 'add_quota', mode: 'multiply', value: 1 }, 400, 'mode'],
  ])('refuses %j', async (sent, expected, field) => {
    const { owner, gateway } = await startManagement()
    const { id } = gateway.parts.users.create({ username: 'bob' })
    const { status, body } = await owner.send('POST', '/api/user/manage', { id, ...sent })
    expect([status, body.field]).toEqual([expected, field])
  })
})

describe('a disabled user', () => {
  test('is out at once everywhere, and signs in anew once enabled', async () => {
    const { admin, bob, gateway } = await startWithPeople()
    const { key } = (await bob.send('POST', '/api/token/', { name: 'mine' })).body.data
    const models = () =>
      fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect((await manage(admin, bob.id, 'disable')).body.data).toMatchObject({ status: 2, role: 1 })
    expect((await bob.get('/api/user/self')).status).toBe(401)
    expect((await models()).status).toBe(403)
    expect((await manage(admin, bob.id, 'enable')).body.data.status).toBe(1)
    // The session of before does not come back; the token does.
    expect((await bob.get('/api/user/self')).status).toBe(401)
    expect((await models()).status).toBe(200)
    expect(events({ gateway }).map(({ content }) => content)).toEqual([
      '"bob" was enabled.',
      '"bob" was disabled.',
    ])
  })
})

describe('what a user has left', () => {
  test('is what an administrator sets, whatever was used and credited before', async () => {
    const { admin, bob, gateway } = await startWithPeople()
    const { ledger, users } = gateway.parts
    const user = users.byId(bob.id)
    if (!user) throw new Error('bob is gone')
    const facts = { requestId: 'r', ip: '' }
    const event = { message: 'booked', reason: { code: 'audit_ratios_reset' } } as const
    await ledger.record(eventRow(1, user, event, { ...facts, quota: 500 }))
    await ledger.record({ ...eventRow(4, user, event, { ...facts, quota: 300 }), type: 2 })
    const left = async () => (await bob.get('/api/user/self')).body.data.quota
    expect(await left()).toBe(1200)
    await admin.send('PUT', '/api/user/', { id: bob.id, quota: 50 })
    expect(await left()).toBe(50)
    await manage(admin, bob.id, 'add_quota', { mode: 'add', value: 25 })
    expect(await left()).toBe(75)
    await manage(admin, bob.id, 'add_quota', { mode: 'subtract', value: 15 })
    expect(await left()).toBe(60)
    await manage(admin, bob.id, 'add_quota', { mode: 'override', value: 9 })
    expect(await left()).toBe(9)
    // Each is written down with both values; a change that is none is not.
    await manage(admin, bob.id, 'add_quota', { mode: 'override', value: 9 })
    await admin.send('PUT', '/api/user/', { id: bob.id, quota: 9 })
    const rows = events({ gateway })
    const text = (from: number, to: number) =>
      `The balance of "bob" was changed from ${quotaText(from)} to ${quotaText(to)}.`
    expect(rows.map(({ content }) => content)).toEqual([
      ...[text(60, 9), text(75, 60), text(50, 75), text(1200, 50)],
    ])
    expect(rows[0]).toMatchObject({ userId: bob.id, username: 'bob', ip: '127.0.0.1', quota: 0 })
    expect(JSON.parse(rows[0]?.other ?? '')).toEqual({
      admin_info: { admin_id: admin.id, admin_username: 'admin' },
      reason: expect.objectContaining({ code: 'audit_balance' }),
    })
  })

  test('stops at what can be held and at nothing, and debts stay', async () => {
    const { owner, bob, gateway } = await startWithPeople()
    const left = async () => (await owner.get(`/api/user/${bob.id}`)).body.data.quota
    await manage(owner, bob.id, 'add_quota', { mode: 'add', value: MAX_QUOTA })
    expect(await left()).toBe(MAX_QUOTA)
    await manage(owner, bob.id, 'add_quota', { mode: 'override', value: 10 })
    await manage(owner, bob.id, 'add_quota', { mode: 'subtract', value: 11 })
    expect(await left()).toBe(0)
    gateway.parts.users.update(bob.id, { quota: -5 })
    await manage(owner, bob.id, 'add_quota', { mode: 'subtract', value: 11 })
    expect(await left()).toBe(-5)
    await manage(owner, bob.id, 'add_quota', { mode: 'add', value: 2 })
    expect(await left()).toBe(-3)
  })

  test('of 20 additions at once none is lost', async () => {
    const { owner, bob } = await startWithPeople()
    await Promise.all(
      Array.from({ length: 20 }, () =>
        manage(owner, bob.id, 'add_quota', { mode: 'add', value: 7 }),
      ),
    )
    expect((await owner.get(`/api/user/${bob.id}`)).body.data.quota).toBe(1140)
  })
})
