import { expect, test } from 'vitest'
import { startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'

test('an administrator manages channels, but not the options', async () => {
  const admin = await signInAs(await startManagement(), { username: 'admin', role: 10 })
  expect((await admin.get('/api/channel/')).status).toBe(200)
  expect((await admin.get('/api/option/')).status).toBe(403)
})

test('a user who is disabled is out at once', async () => {
  const management = await startManagement()
  const user = await signInAs(management, { username: 'bob' })
  management.gateway.parts.users.update(2, { status: 2 })
  const { status, body } = await user.get('/api/user/self')
  expect(status).toBe(403)
  expect(body.code).toBe('user_disabled')
})

test('a user sees and changes only their own tokens', async () => {
  const management = await startManagement()
  const user = await signInAs(management, { username: 'bob' })
  const token = management.gateway.parts.tokens.create({ userId: 1, name: 'owner’s' })
  expect((await user.get('/api/token/')).body.data.items).toEqual([])
  for (const [method, path, body] of [
    ['GET', `/api/token/${token.id}`],
    ['DELETE', `/api/token/${token.id}`],
    ['POST', `/api/token/${token.id}/key`],
    ['PUT', '/api/token/', { id: token.id, name: 'mine' }],
  ] as const) {
    expect((await user.send(method, path, body)).status).toBe(404)
  }
  expect(management.gateway.parts.tokens.byId(token.id)?.name).toBe('owner’s')
})

test('an access token stands for its user, with and without "Bearer"', async () => {
  const { owner, visitor } = await startManagement()
  const { body } = await owner.send('POST', '/api/user/token')
  expect(body.data).toMatch(/^[A-Za-z0-9]{32}$/)
  for (const authorization of [body.data, `Bearer ${body.data}`]) {
    const self = await visitor().get('/api/user/self', { authorization })
    expect(self.body.data.username).toBe('ada')
    // Never given back, not even to its owner.
    expect(JSON.stringify(self.body)).not.toContain(body.data)
  }
})

test('a new access token ends the one before', async () => {
  const { owner, visitor } = await startManagement()
  const first = (await owner.get('/api/user/token')).body.data
  const second = (await owner.get('/api/user/token')).body.data
  expect(second).not.toBe(first)
  const before = await visitor().get('/api/user/self', { authorization: first })
  expect(before.status).toBe(401)
  expect(before.body.code).toBe('invalid_access_token')
})

test('a wrong access token does not close what is open to all', async () => {
  const { visitor } = await startManagement()
  const { status } = await visitor().get('/api/status', { authorization: 'Bearer sk-something' })
  expect(status).toBe(200)
})

test('New-Api-User may be left out, and must not name someone else', async () => {
  const { owner } = await startManagement()
  expect((await owner.get('/api/user/self', { 'new-api-user': '1' })).status).toBe(200)
  for (const named of ['2', 'ada', '']) {
    const { status, body } = await owner.get('/api/user/self', { 'new-api-user': named })
    expect(status).toBe(401)
    expect(body.code).toBe('unauthenticated')
  }
})

test('a console that searches takes nothing from what an access token may, and each limit is an operation’s own', async () => {
  const { owner, visitor } = await startManagement()
  const authorization = (await owner.get('/api/user/token')).body.data
  const search = (asker: typeof owner, headers = {}) => asker.get('/api/token/search', headers)
  for (let count = 0; count < 11; count++) expect((await search(owner)).status).toBe(200)
  for (let count = 0; count < 10; count++)
    expect((await search(visitor(), { authorization })).status).toBe(200)
  expect((await search(visitor(), { authorization })).status).toBe(429)
  expect((await search(owner)).status).toBe(200)
  for (let count = 0; count < 20; count++) await owner.send('POST', '/api/user/token')
  expect((await owner.send('POST', '/api/user/token')).status).toBe(429)
  expect((await owner.get('/api/user/token')).status).toBe(200)
})
