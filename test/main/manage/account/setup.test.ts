import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { invokeOperation } from '../../../../main/manage/operation/invoke.ts'
import type { OperationContext } from '../../../../main/manage/operation/operation.ts'
import { startUnset, type UnsetManagement } from '../management.ts'

const right = { username: 'ada', password: 'correct horse', confirmPassword: 'correct horse' }

/** The desktop's window, before or after there is an owner. */
const desktop = ({ gateway }: UnsetManagement): OperationContext => ({
  parts: gateway.parts,
  user: gateway.parts.users.byId(1) ?? null,
  credential: 'desktop',
  session: null,
  verification: null,
  via: 'ipc',
  ip: '127.0.0.1',
  loopback: true,
  requestId: 'request',
  signal: new AbortController().signal,
})

test('the first run makes the owner and signs the browser in', async () => {
  const { visitor, gateway } = await startUnset()
  const browser = visitor()
  expect((await browser.get('/api/setup')).body.data).toEqual({
    status: false,
    root_init: false,
    database_type: 'sqlite',
  })
  const { status, body } = await browser.send('POST', '/api/setup', right)
  expect(status).toBe(200)
  expect(body).toMatchObject({ success: true })
  expect((await browser.get('/api/user/self')).body.data).toMatchObject({
    username: 'ada',
    role: 100,
    display_name: 'ada',
    quota: 100_000_000,
  })
  expect((await browser.get('/api/setup')).body.data.status).toBe(true)
  expect(gateway.parts.settings.current.SelfUseModeEnabled).toBe(true)
})

test('the password is kept only as a scrypt hash', async () => {
  const { visitor, gateway } = await startUnset()
  await visitor().send('POST', '/api/setup', right)
  const file = readFileSync(join(gateway.parts.dataFolder, 'state.json'), 'utf8')
  expect(file).not.toContain(right.password)
  expect(gateway.parts.users.byId(1)?.passwordHash).toMatch(/^scrypt\$\d+\$8\$1\$/)
})

test('of 50 first runs at the same moment exactly one makes the owner', async () => {
  const { visitor, gateway } = await startUnset()
  const browsers = Array.from({ length: 50 }, visitor)
  const results = await Promise.all(
    browsers.map((one, index) =>
      one.send('POST', '/api/setup', { ...right, username: `ada${index}` }),
    ),
  )
  const winner = results.findIndex(({ status }) => status === 200)
  const expected = results.map((_, index) => (index === winner ? 200 : 409))
  expect(results.map(({ status }) => status)).toEqual(expected)
  const owner = { id: 1, username: `ada${winner}`, role: 100 }
  expect(gateway.parts.users.all()).toMatchObject([owner])
  const seen = await Promise.all(browsers.map((one) => one.get('/api/user/self')))
  expect(seen.map(({ status }) => status)).toEqual(
    results.map((_, index) => (index === winner ? 200 : 401)),
  )
})

test('a second first run is a conflict, even when its body is wrong', async () => {
  const { visitor } = await startUnset()
  await visitor().send('POST', '/api/setup', right)
  const { status, body } = await visitor().send('POST', '/api/setup', '{broken')
  expect(status).toBe(409)
  expect(body.code).toBe('conflict')
})

test.each([
  [{ ...right, username: '' }, 'username'],
  [{ ...right, username: 'thirteen-char' }, 'username'],
  [{ ...right, username: 'thirteen-char', password: 'a' }, 'username'],
  [{ ...right, confirmPassword: 'other', password: 'short' }, 'confirmPassword'],
  [{ ...right, password: 'short', confirmPassword: 'short' }, 'password'],
  [{ ...right, password: 'x'.repeat(73), confirmPassword: 'x'.repeat(73) }, 'password'],
  [{ username: 'ada' }, 'password'],
])('%j is refused at the field %s and leaves nothing behind', async (input, field) => {
  const { visitor, gateway } = await startUnset()
  const { status, body } = await visitor().send('POST', '/api/setup', input)
  expect(status).toBe(400)
  expect(body.field).toBe(field)
  expect(gateway.parts.users.all()).toHaveLength(0)
  expect(gateway.parts.state.data.setup).toBeNull()
})

test('a caller behind a proxy, who may be anywhere, cannot take the gateway over', async () => {
  const { visitor, gateway } = await startUnset()
  const { status } = await visitor().send('POST', '/api/setup', right, {
    'x-forwarded-for': '203.0.113.9',
  })
  expect(status).toBe(403)
  expect(gateway.parts.users.all()).toHaveLength(0)
})

test('the desktop may skip the password; HTTP then stays closed until there is one', async () => {
  const management = await startUnset()
  await invokeOperation('setup.run', {}, desktop(management))
  const { visitor, gateway } = management
  expect(gateway.parts.users.byId(1)).toMatchObject({ username: 'owner', passwordHash: null })

  const browser = visitor()
  expect((await browser.get('/api/setup')).status).toBe(200)
  expect((await browser.get('/api/status')).status).toBe(200)
  for (const path of ['/api/user/self', '/api/channel/', '/api/events']) {
    const { status, body } = await browser.get(path)
    expect(status).toBe(403)
    expect(body.message).toMatch(/no password/)
  }
  const login = { username: 'owner', password: '' }
  expect((await browser.send('POST', '/api/user/login', login)).status).toBe(403)

  await invokeOperation('user.update-self', { password: right.password }, desktop(management))
  const entered = { username: 'owner', password: right.password }
  expect((await browser.send('POST', '/api/user/login', entered)).status).toBe(200)
  expect((await browser.get('/api/user/self')).body.data.has_password).toBe(true)
})

test('the window asks for nothing but the first run before there is an owner', async () => {
  const management = await startUnset()
  const context = { ...desktop(management), credential: null }
  await expect(invokeOperation('channel.list', {}, context)).rejects.toMatchObject({
    code: 'unauthenticated',
  })
  await expect(invokeOperation('no.such', {}, context)).rejects.toMatchObject({ code: 'not_found' })
  await expect(invokeOperation('toString', {}, context)).rejects.toMatchObject({
    code: 'not_found',
  })
})
