import { expect, test } from 'vitest'
import { OWNER, startManagement } from '../management.ts'
import { holdClock } from './authenticator.ts'

test('a new password ends every other session, and only the new one opens', async () => {
  const { signIn, visitor } = await startManagement()
  const [here, elsewhere] = [await signIn(), await signIn()]
  const change = { password: 'another horse', original_password: OWNER.password }
  expect((await here.send('PUT', '/api/user/self', change)).status).toBe(200)
  expect((await here.get('/api/user/self')).status).toBe(200)
  expect((await elsewhere.get('/api/user/self')).status).toBe(401)
  expect((await visitor().send('POST', '/api/user/login', OWNER)).status).toBe(401)
  const { status } = await visitor().send('POST', '/api/user/login', {
    ...OWNER,
    password: 'another horse',
  })
  expect(status).toBe(200)
})

test.each([
  [{ password: 'another horse' }, 'original_password'],
  [{ password: 'another horse', original_password: 'wrong' }, 'original_password'],
  [{ password: 'short', original_password: OWNER.password }, 'password'],
  [{ password: 'ü'.repeat(37), original_password: OWNER.password }, 'password'],
])('%j does not change the password and names %s', async (input, field) => {
  const { signIn } = await startManagement()
  const owner = await signIn()
  const { status, body } = await owner.send('PUT', '/api/user/self', input)
  expect(status).toBe(400)
  expect(body.field).toBe(field)
  await signIn()
})

test('the fifth wrong present password closes the way for five minutes, and ends no session', async () => {
  const clock = holdClock()
  const { owner } = await startManagement()
  const change = (original: string) =>
    owner.send('PUT', '/api/user/self', {
      ...{ password: 'another horse', original_password: original },
    })
  for (let count = 1; count <= 4; count++) expect((await change('wrong')).status).toBe(400)
  const why = { code: 'password_wrong' }
  const last = (await change('wrong')).body
  expect(last.reason).toEqual({ code: 'wrong_and_locked', why, seconds: 300 })
  expect(last.message).toBe('The password is wrong. Too many wrong ones: try again in 5 minutes.')
  const { status, body } = await change(OWNER.password)
  expect([status, body.code]).toEqual([423, 'locked'])
  // By whatever way the password is asked for.
  const verify = { method: 'password', code: OWNER.password }
  expect((await owner.send('POST', '/api/verify', verify)).status).toBe(423)
  expect((await owner.get('/api/user/self')).status).toBe(200)
  clock.advance(300)
  expect((await change(OWNER.password)).status).toBe(200)
})

test('the right password ends the count of the wrong ones before it', async () => {
  holdClock()
  const { owner } = await startManagement()
  const verify = async (code: string) =>
    (await owner.send('POST', '/api/verify', { method: 'password', code })).status
  for (let count = 1; count <= 4; count++) expect(await verify('wrong')).toBe(400)
  expect(await verify(OWNER.password)).toBe(200)
  expect(await verify('wrong')).toBe(400)
  expect(await verify(OWNER.password)).toBe(200)
})

test('name and language change without a password', async () => {
  const { owner } = await startManagement()
  await owner.send('PUT', '/api/user/self', { display_name: ' Ada L. ', language: 'zh' })
  expect((await owner.get('/api/user/self')).body.data).toMatchObject({
    display_name: 'Ada L.',
    language: 'zh',
    username: 'ada',
  })
})

test('the models one may use are those of enabled channels in one’s group', async () => {
  const { owner, gateway } = await startManagement()
  const channel = { type: 900, name: 'Echo', groups: ['default'] }
  gateway.parts.channels.create({ ...channel, models: ['b', 'a'] })
  gateway.parts.channels.create({ ...channel, models: ['a', 'c'] })
  gateway.parts.channels.create({ ...channel, models: ['off'], status: 2 })
  gateway.parts.channels.create({ ...channel, models: ['vip'], groups: ['vip'] })
  expect((await owner.get('/api/user/models')).body.data).toEqual(['a', 'b', 'c'])
  expect((await owner.get('/pg/models')).body.data).toEqual(['a', 'b', 'c'])
  expect((await owner.get('/api/user/models?group=vip')).status).toBe(403)
  gateway.parts.settings.update({
    GroupRatio: { default: 1, vip: 1 },
    UserUsableGroups: { default: '', vip: '' },
  })
  expect((await owner.get('/api/user/models?group=vip')).body.data).toEqual(['vip'])
})
