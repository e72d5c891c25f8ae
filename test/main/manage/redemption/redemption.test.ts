import { expect, test } from 'vitest'
import { type Management, OWNER, startManagement } from '../management.ts'

const now = () => Math.floor(Date.now() / 1000)

const make = async ({ owner }: Management, fields: Record<string, unknown> = {}) => {
  const input = { name: 'spring', count: 1, quota: 1000, expired_time: 0, ...fields }
  return (await owner.send('POST', '/api/redemption/', input)).body.data as string[]
}

/** An expiry in the past, which nobody can set from outside. */
const expire = ({ gateway }: Management, id: number) =>
  gateway.parts.ledger.transact(({ run }) =>
    run('UPDATE redemption_codes SET expired_time = ? WHERE id = ?', now() - 10, id),
  )

test('a batch of codes is listed newest first, with all fields of a code', async () => {
  const management = await startManagement()
  const codes = await make(management, { count: 12, expired_time: now() + 1000 })
  expect(new Set(codes).size).toBe(12)
  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/)
  const { data } = (await management.owner.get('/api/redemption/?p=2&page_size=5')).body
  expect(data).toMatchObject({ page: 2, page_size: 5, total: 12 })
  expect(data.items.map(({ id }: { id: number }) => id)).toEqual([7, 6, 5, 4, 3])
  expect(data.items[0]).toEqual({
    id: 7,
    user_id: 1,
    key: codes[6],
    status: 1,
    name: 'spring',
    quota: 1000,
    created_time: expect.any(Number),
    redeemed_time: 0,
    expired_time: expect.any(Number),
    used_user_id: 0,
    used_username: '',
    is_expired: false,
    count: 0,
    DeletedAt: null,
  })
  expect((await management.owner.get('/api/redemption/7')).body.data).toEqual(data.items[0])
})

test('a code that was used in time has not expired when its time is over', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  await make(management)
  await make(management)
  gateway.parts.ledger.transact(({ run }) =>
    run('UPDATE redemption_codes SET status = 3 WHERE id = ?', 1),
  )
  for (const id of [1, 2]) expire(management, id)
  const isExpired = async (id: number) =>
    (await owner.get(`/api/redemption/${id}`)).body.data.is_expired
  expect([await isExpired(1), await isExpired(2)]).toEqual([false, true])
})

test('a code without a quota is worth 100 units', async () => {
  const management = await startManagement()
  await make(management, { quota: 0 })
  await make(management, { quota: undefined })
  const { items } = (await management.owner.get('/api/redemption/')).body.data
  expect(items.map(({ quota }: { quota: number }) => quota)).toEqual([100, 100])
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'n'.repeat(21) }, 'name'],
  [{ count: 0 }, 'count'],
  [{ count: -1 }, 'count'],
  [{ count: 101 }, 'count'],
  [{ count: undefined }, 'count'],
  [{ quota: -1 }, 'quota'],
  [{ quota: 1e15 }, 'quota'],
  [{ quota: 1.5 }, 'quota'],
  [{ expired_time: 1000 }, 'expired_time'],
  [{ expired_time: -1 }, 'expired_time'],
  [{ expired_time: 999_999_999_999_999 }, 'expired_time'],
  [{ colour: 'red' }, 'colour'],
])('making codes with %j is refused at %s, and none are made', async (fields, field) => {
  const { owner } = await startManagement()
  const input = { name: 'x', count: 3, quota: 5, ...fields }
  const { status, body } = await owner.send('POST', '/api/redemption/', input)
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'invalid_params', field })
  expect((await owner.get('/api/redemption/')).body.data.total).toBe(0)
})

test('a batch that cannot be finished leaves no code behind', async () => {
  const { owner, gateway } = await startManagement()
  gateway.parts.ledger.transact(({ run }) =>
    run(`CREATE TRIGGER third BEFORE INSERT ON redemption_codes
           WHEN (SELECT count(*) FROM redemption_codes) = 2 BEGIN SELECT raise(ABORT, 'full'); END`),
  )
  const { status } = await owner.send('POST', '/api/redemption/', { name: 'x', count: 5, quota: 5 })
  expect(status).toBe(500)
  expect((await owner.get('/api/redemption/')).body.data.total).toBe(0)
})

test('a search takes % and _ as they are', async () => {
  const management = await startManagement()
  for (const name of ['50% off', '500 off', 'a_b', 'axb']) await make(management, { name })
  const find = async (query: string) =>
    (await management.owner.get(`/api/redemption/search?${query}`)).body.data.items.map(
      ({ name }: { name: string }) => name,
    )
  expect(await find('keyword=50%25')).toEqual(['50% off'])
  expect(await find('keyword=a_')).toEqual(['a_b'])
  expect(await find('keyword=off')).toEqual([])
  expect(await find('keyword=2')).toEqual(['500 off'])
  expect(await find('keyword=')).toHaveLength(4)
})

test('a search by status tells disabled, used and expired codes from good ones', async () => {
  const management = await startManagement()
  const { owner } = management
  const codes = await make(management, { count: 4 })
  await owner.send('PUT', '/api/redemption/?status_only=1', { id: 2, status: 2 })
  await owner.send('POST', '/api/user/topup', { key: codes[2] })
  expire(management, 4)
  const find = async (status: string) =>
    (await owner.get(`/api/redemption/search?status=${status}`)).body.data.items.map(
      ({ id }: { id: number }) => id,
    )
  expect(await find('1')).toEqual([1])
  expect(await find('2')).toEqual([2])
  expect(await find('3')).toEqual([3])
  expect(await find('expired')).toEqual([4])
  expect((await owner.get('/api/redemption/4')).body.data.is_expired).toBe(true)
  expect((await owner.get('/api/redemption/search?status=new')).body.field).toBe('status')
})

test('a change keeps what it does not name', async () => {
  const management = await startManagement()
  const { owner } = management
  await make(management, { expired_time: now() + 500 })
  const before = (await owner.get('/api/redemption/1')).body.data
  const { body } = await owner.send('PUT', '/api/redemption/', { id: 1, name: 'summer' })
  expect(body.data).toEqual({ ...before, name: 'summer' })
  expect((await owner.send('PUT', '/api/redemption/', body.data)).body.data).toEqual(body.data)
  expect((await owner.get('/api/redemption/1')).body.data).toEqual(body.data)
})

test('status_only changes the status and nothing else', async () => {
  const management = await startManagement()
  const { owner } = management
  await make(management)
  const input = { id: 1, status: 2, name: 'ignored', quota: 7 }
  const { body } = await owner.send('PUT', '/api/redemption/?status_only=true', input)
  expect(body.data).toMatchObject({ status: 2, name: 'spring', quota: 1000 })
  for (const status of [undefined, 3, 7]) {
    const refused = await owner.send('PUT', '/api/redemption/?status_only=1', { id: 1, status })
    expect(refused.status).toBe(400)
    expect(refused.body.field).toBe('status')
  }
})

test.each([
  [{ quota: 0 }, 'quota'],
  [{ quota: -5 }, 'quota'],
  [{ name: '' }, 'name'],
  [{ expired_time: 1000 }, 'expired_time'],
  [{ id: 'x' }, 'id'],
])('a change to %j is refused at %s', async (fields, field) => {
  const management = await startManagement()
  await make(management)
  const { status, body } = await management.owner.send('PUT', '/api/redemption/', {
    id: 1,
    ...fields,
  })
  expect(status).toBe(400)
  expect(body.field).toBe(field)
})

test('a used code can be renamed, and neither made good again nor given another worth', async () => {
  const management = await startManagement()
  const { owner } = management
  const [key] = await make(management)
  await owner.send('POST', '/api/user/topup', { key })
  const used = (await owner.get('/api/redemption/1')).body.data
  expect(used).toMatchObject({ status: 3, used_user_id: 1, redeemed_time: expect.any(Number) })
  expect(used.used_username).toBe(OWNER.username)
  const renamed = await owner.send('PUT', '/api/redemption/', { ...used, name: 'gone' })
  expect(renamed.body.data).toEqual({ ...used, name: 'gone' })
  for (const [path, fields, field] of [
    ['/api/redemption/', { quota: 5 }, 'quota'],
    ['/api/redemption/', { expired_time: now() + 50 }, 'expired_time'],
    ['/api/redemption/?status_only=1', { status: 1 }, 'status'],
    ['/api/redemption/?status_only=1', { status: 2 }, 'status'],
  ] as const) {
    const { status, body } = await owner.send('PUT', path, { id: 1, ...fields })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'conflict', field })
  }
  expect((await owner.send('POST', '/api/user/topup', { key })).status).toBe(409)
})

test('deleted codes are gone, what a used one credited is not', async () => {
  const management = await startManagement()
  const { owner } = management
  const codes = await make(management, { count: 5 })
  const before = (await owner.get('/api/user/self')).body.data.quota
  await owner.send('POST', '/api/user/topup', { key: codes[0] })
  await owner.send('PUT', '/api/redemption/?status_only=1', { id: 2, status: 2 })
  expire(management, 3)
  expect((await owner.send('DELETE', '/api/redemption/invalid')).body.data).toBe(3)
  expect((await owner.send('DELETE', '/api/redemption/4')).status).toBe(200)
  expect((await owner.send('DELETE', '/api/redemption/4')).status).toBe(404)
  expect((await owner.get('/api/redemption/1')).status).toBe(404)
  expect((await owner.send('PUT', '/api/redemption/', { id: 1, name: 'x' })).status).toBe(404)
  const { items } = (await owner.get('/api/redemption/')).body.data
  expect(items.map(({ id }: { id: number }) => id)).toEqual([5])
  for (const key of codes.slice(0, 4)) {
    expect((await owner.send('POST', '/api/user/topup', { key })).body.code).toBe('not_found')
  }
  expect((await owner.get('/api/user/self')).body.data.quota).toBe(before + 1000)
})

test('an export holds the codes of the search, and no cell that a spreadsheet would run', async () => {
  const management = await startManagement()
  await make(management, { name: '=1+1, "two"' })
  await make(management, { name: 'spring', expired_time: 4_000_000_000 })
  const { data } = (await management.owner.get('/api/redemption/export')).body
  const lines = data.split('\r\n')
  expect(lines[0]).toBe('id,name,code,status,quota,created,expires,redeemed,used_by')
  expect(lines[1]).toMatch(
    /^2,spring,[0-9a-f]{32},enabled,1000,\d{4}-\d\d-\d\dT[\d:]+Z,2096-10-02T07:06:40Z,,$/,
  )
  expect(lines[2]).toMatch(/^1,"'=1\+1, ""two""",[0-9a-f]{32},enabled,/)
  expect(lines[3]).toBe('')
  const some = (await management.owner.get('/api/redemption/export?keyword=spring')).body.data
  expect(some.trim().split('\r\n')).toHaveLength(2)
})

test('one code whose expiry is no date does not keep the others out of an export', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  await make(management, { count: 2 })
  gateway.parts.ledger.transact(({ run }) =>
    run('UPDATE redemption_codes SET expired_time = 999999999999999 WHERE id = 1'),
  )
  const { status, body } = await owner.get('/api/redemption/export')
  expect(status).toBe(200)
  expect(body.data.trim().split('\r\n')).toHaveLength(3)
})

test('only administrators see and make codes', async () => {
  const management = await startManagement()
  const { gateway, visitor } = management
  await make(management)
  gateway.parts.users.create({ username: 'bob', accessToken: 'bobs-access-token' })
  const bob = { authorization: 'Bearer bobs-access-token' }
  for (const [method, path] of [
    ['GET', '/api/redemption/'],
    ['GET', '/api/redemption/1'],
    ['GET', '/api/redemption/search'],
    ['GET', '/api/redemption/export'],
    ['POST', '/api/redemption/'],
    ['PUT', '/api/redemption/'],
    ['DELETE', '/api/redemption/1'],
    ['DELETE', '/api/redemption/invalid'],
  ] as const) {
    const body = method === 'POST' || method === 'PUT' ? {} : undefined
    expect((await visitor().send(method, path, body)).status).toBe(401)
    expect((await visitor().send(method, path, body, bob)).status).toBe(403)
  }
})

test('deep pages and searches of a hundred thousand codes give the right ones', async () => {
  const { owner, gateway } = await startManagement()
  gateway.parts.ledger.transact(({ run }) =>
    run(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
      INSERT INTO redemption_codes (user_id, code, status, name, quota, created_time)
      SELECT 1, printf('%032x', n), 1, 'batch ' || (n % 100), 500, 1700000000 FROM numbers`),
  )
  const ids = async (path: string): Promise<number[]> => {
    const { data } = (await owner.get(`/api/redemption${path}`)).body
    return data.items.map(({ id }: { id: number }) => id)
  }
  const deep = await ids('/?p=900&page_size=100')
  expect([deep.length, deep[0], deep.at(-1)]).toEqual([100, 10_100, 10_001])
  const found = await ids('/search?keyword=batch%209&status=1&p=2&page_size=100')
  expect(found).toHaveLength(100)
  expect(found.every((id) => /^9/.test(String(id % 100)))).toBe(true)
})
