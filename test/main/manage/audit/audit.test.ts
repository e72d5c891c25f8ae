import { describe, expect, test } from 'vitest'
import { idsOf, logRow, now, startWithRows, timelinePath } from '../calls/log-rows.ts'
import { startManagement, type Visitor } from '../management.ts'
import { signInAs } from '../users/people.ts'

const event = (requestId: string, fields: Parameters<typeof logRow>[1]) =>
  logRow(requestId, { model: '', tokenName: '', channelName: '', quota: 0, ...fields })

const rows = [
  logRow('call'),
  logRow('failed', { type: 5, status: 503, createdAt: now + 1 }),
  event('wrong', { type: 4, createdAt: now + 2, content: 'A wrong password.', ip: '10.0.0.9' }),
  event('credit', { type: 1, createdAt: now + 3, content: 'A code of 100%.', quota: 500_000 }),
  event('change', {
    ...{ type: 3, createdAt: now + 4, content: '"bob" was disabled.', userId: 2, username: 'bob' },
    other: { admin_info: { admin_id: 1, admin_username: 'ada' } },
  }),
  event('back', { type: 6, createdAt: now + 5, content: 'Taken back.', quota: -500_000 }),
]

const read = async (visitor: Visitor, query: Record<string, string> = {}) =>
  (await visitor.get(`/api/log/audit?${new URLSearchParams(query)}`)).body.data

describe('the audit log', () => {
  test('lists what is no call, the newest first, and says who did it', async () => {
    const { owner } = await startWithRows(...rows)
    const { items, total } = await read(owner)
    expect(idsOf(items).slice(0, 4)).toEqual(['back', 'change', 'credit', 'wrong'])
    expect(idsOf(items)).not.toContain('call')
    expect(idsOf(items)).not.toContain('failed')
    expect(total).toBe(items.length)
    expect(items).toMatchObject([
      { kind: 'claw-back', quota: -500_000 },
      { kind: 'admin', username: 'bob', by: 'ada' },
      { kind: 'top-up', quota: 500_000, by: '' },
      { kind: 'account', content: 'A wrong password.', ip: '10.0.0.9' },
    ])
  })

  test('gives each sentence by code and values too, which an old entry has not', async () => {
    const { owner } = await startWithRows(...rows)
    await owner.send('PUT', '/api/prices', { model: 'echo', input: 1, output: 2 })
    const { items } = await read(owner, { text: 'Set the price' })
    expect(items[0].reason).toEqual({ code: 'audit_price_set', model: 'echo' })
    expect((await read(owner, { text: '100%' })).items[0].reason).toBeUndefined()
  })

  test('is filtered by kind and by words, and comes in pages', async () => {
    const { owner } = await startWithRows(...rows)
    expect(idsOf((await read(owner, { kind: 'admin', text: 'BOB' })).items)).toEqual(['change'])
    expect(idsOf((await read(owner, { kind: 'top-up' })).items)).toEqual(['credit'])
    expect(idsOf((await read(owner, { text: '100%' })).items)).toEqual(['credit'])
    expect(idsOf((await read(owner, { text: '10.0.0.9' })).items)).toEqual(['wrong'])
    expect((await read(owner, { text: 'no such words' })).total).toBe(0)
    const second = await read(owner, { p: '2', page_size: '1' })
    expect(second).toMatchObject({ page: 2, page_size: 1, items: [{ request_id: 'change' }] })
    const refused = await owner.get('/api/log/audit?kind=nonsense')
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: 'invalid_params', field: 'kind' })
  })

  test('shows a user the own entries alone, without who of the administrators acted', async () => {
    const management = await startWithRows(...rows)
    const bob = await signInAs(management, { username: 'bob' })
    const id = (await bob.get('/api/user/self')).body.data.id
    await management.gateway.parts.ledger.record(
      event('own', {
        ...{ type: 3, userId: id, username: 'bob', content: 'Changed.' },
        other: { admin_info: { admin_id: 1, admin_username: 'ada' } },
      }),
    )
    const { items } = await read(bob)
    expect(idsOf(items)).toContain('own')
    expect(idsOf(items)).not.toContain('wrong')
    const own = items.find(({ request_id }: { request_id: string }) => request_id === 'own')
    expect(own).toMatchObject({ by: '', ip: '' })
  })
})

test('Calls holds no such entries, while the log of other clients holds them as before', async () => {
  const { owner } = await startWithRows(...rows)
  const calls = (await owner.get(timelinePath({}))).body.data
  expect(idsOf(calls.rows)).toEqual(['failed', 'call'])
  expect((await owner.get('/api/log/one/credit')).status).toBe(404)
  const news = `/api/log/timeline/news?since=${encodeURIComponent(calls.newest)}`
  expect((await owner.get(news)).body.data.count).toBe(0)
  const log = (await owner.get('/api/log/?page_size=100')).body.data
  expect(idsOf(log.items)).toEqual(expect.arrayContaining(rows.map(({ requestId }) => requestId)))
  const credits = (await owner.get('/api/log/?type=1')).body.data
  expect(idsOf(credits.items)).toEqual(['credit'])
})

describe('the audit log tells', () => {
  const sentences = async (visitor: Visitor): Promise<[string, string][]> =>
    (await read(visitor)).items.map(
      ({ kind, content }: { kind: string; content: string }): [string, string] => [kind, content],
    )

  test('when an administrator changes how someone signs in, or the group that sets their prices', async () => {
    const management = await startManagement()
    const { owner } = management
    const bob = await signInAs(management, { username: 'bob' })
    const change = (fields: object) => owner.send('PUT', '/api/user', { id: bob.id, ...fields })
    await change({ username: 'robert', email: 'bob@example.org', group: 'vip' })
    await change({ username: 'robert', email: '', group: 'vip', display_name: 'Bob' })
    const wanted = [
      ['admin', '"bob" was renamed "robert".'],
      ['admin', 'The e-mail address of "bob" was changed from – to bob@example.org.'],
      ['admin', '"bob" was moved from the group "default" to "vip".'],
      ['admin', 'The e-mail address of "robert" was changed from bob@example.org to –.'],
    ].reverse()
    expect(await sentences(owner)).toEqual(wanted)
    // Who it was done to sees it too.
    expect(await sentences(bob)).toEqual(wanted)
  })

  test('when users rename themselves, or make an access token', async () => {
    const management = await startManagement()
    const bob = await signInAs(management, { username: 'bob' })
    await bob.send('PUT', '/api/user/self', { username: 'robert' })
    await bob.send('POST', '/api/user/token', {})
    await bob.send('PUT', '/api/user/self', { username: 'robert', language: 'zh' })
    expect(await sentences(management.owner)).toEqual([
      ['account', '"robert" made a new access token.'],
      ['account', '"bob" was renamed "robert".'],
    ])
  })

  test('when redemption codes are disabled, enabled or deleted', async () => {
    const { owner } = await startManagement()
    const made = { name: 'spring', count: 3, quota: 1000 }
    await owner.send('POST', '/api/redemption', made)
    const setStatus = (status: number) =>
      owner.send('PUT', '/api/redemption?status_only=1', { id: 1, status })
    await setStatus(2)
    await setStatus(2)
    await setStatus(1)
    await owner.send('DELETE', '/api/redemption/2')
    await owner.send('DELETE', '/api/redemption/invalid')
    await setStatus(2)
    await owner.send('DELETE', '/api/redemption/invalid')
    const events = (await sentences(owner)).map(([, content]) => content)
    expect(events.slice(0, 5)).toEqual([
      'Deleted 1 code that could not be redeemed any more.',
      'Disabled the code 1 ("spring").',
      'Deleted the code 2 ("spring").',
      'Enabled the code 1 ("spring").',
      'Disabled the code 1 ("spring").',
    ])
  })
})
