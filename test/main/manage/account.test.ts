import { expect, test } from 'vitest'
import { OWNER, startManagement } from './management.ts'

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
  expect((await owner.get('/api/user/models?group=vip')).body.data).toEqual(['vip'])
})
