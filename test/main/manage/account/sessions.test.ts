import { expect, test } from 'vitest'
import { OWNER, startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'
import { enableSecondFactor, holdClock } from './authenticator.ts'

test('one sees where one is signed in, and nothing that opens a session', async () => {
  const { owner, visitor } = await startManagement()
  const phone = visitor()
  const sent = { 'user-agent': `Phone/1.0 ${'x'.repeat(500)}` }
  await phone.send('POST', '/api/user/login', OWNER, sent)
  const { data } = (await phone.get('/api/user/sessions')).body
  expect(data).toHaveLength(2)
  const now = Date.now() / 1000
  for (const one of data) {
    expect(Object.keys(one).sort()).toEqual(
      ['created_time', 'current', 'expires_at', 'id', 'ip', 'user_agent'].sort(),
    )
    expect(one.ip).toBe('127.0.0.1')
    expect(Math.abs(one.created_time - now)).toBeLessThan(60)
    expect((one.expires_at - now) / 86_400).toBeCloseTo(30, 1)
    expect(one.id).toMatch(/^[0-9a-f]{16}$/)
    expect(decodeURIComponent(phone.cookie + owner.cookie)).not.toContain(one.id)
  }
  const current = data.filter(({ current: isCurrent }: { current: boolean }) => isCurrent)
  expect(current).toHaveLength(1)
  expect(current[0].user_agent).toBe(sent['user-agent'].slice(0, 300))
})

test('ending one ends that one, and only of one’s own', async () => {
  const management = await startManagement()
  const { owner, signIn } = management
  const [phone, laptop] = [await signIn(), await signIn()]
  const bob = await signInAs(management, { username: 'bob' })
  const idOf = async (one: typeof phone) =>
    (await one.get('/api/user/sessions')).body.data.find(
      ({ current }: { current: boolean }) => current,
    ).id
  const id = await idOf(phone)
  expect((await bob.send('DELETE', `/api/user/sessions/${id}`)).status).toBe(404)
  expect((await owner.send('DELETE', `/api/user/sessions/${id}`)).status).toBe(200)
  expect((await phone.get('/api/user/self')).status).toBe(401)
  expect((await laptop.get('/api/user/self')).status).toBe(200)
  expect((await owner.send('DELETE', `/api/user/sessions/${id}`)).status).toBe(404)
  expect((await owner.send('DELETE', `/api/user/sessions/${id.slice(0, 4)}`)).status).toBe(404)
  // The own one, too: that is signing out.
  await laptop.send('DELETE', `/api/user/sessions/${await idOf(laptop)}`)
  expect((await laptop.get('/api/user/self')).status).toBe(401)
})

test('ending all others says how many, and counts logins half done', async () => {
  holdClock()
  const management = await startManagement()
  const { owner, signIn, visitor } = management
  const bob = await signInAs(management, { username: 'bob' })
  await signIn()
  await signIn()
  expect((await owner.send('DELETE', '/api/user/sessions')).body.data).toBe(2)
  expect((await owner.get('/api/user/sessions')).body.data).toHaveLength(1)
  expect((await bob.get('/api/user/self')).status).toBe(200)

  const app = await enableSecondFactor(owner)
  const half = visitor()
  await half.send('POST', '/api/user/login', OWNER)
  // A login that waits for its code is nobody's session yet.
  expect((await owner.get('/api/user/sessions')).body.data).toHaveLength(1)
  expect((await owner.send('DELETE', '/api/user/sessions')).body.data).toBe(1)
  expect((await half.send('POST', '/api/user/login/2fa', { code: app.fresh() })).status).toBe(401)
})

test('an access token has no session of its own', async () => {
  const { owner, visitor } = await startManagement()
  const authorization = (await owner.send('POST', '/api/user/token')).body.data
  const script = visitor()
  const { data } = (await script.get('/api/user/sessions', { authorization })).body
  expect(data.map(({ current }: { current: boolean }) => current)).toEqual([false])
})
