import { expect, test } from 'vitest'
import { echoChannel, startManagement } from '../management.ts'

test('administrators see all groups, users those that they may choose', async () => {
  const { owner, gateway, visitor } = await startManagement()
  gateway.parts.settings.update({
    GroupRatio: { default: 1, vip: 0.5, friends: 2, hidden: 9 },
    GroupGroupRatio: { friends: { vip: 0.1 } },
    UserUsableGroups: { default: 'All', vip: 'Few', gone: 'Removed' },
    AutoGroups: ['vip'],
  })
  const accessToken = 'access-token-of-bob-who-is-a-user'.slice(0, 32)
  gateway.parts.users.create({ username: 'bob', role: 1, group: 'friends', accessToken })
  const bob = { authorization: `Bearer ${accessToken}` }

  expect((await owner.get('/api/group')).body.data).toEqual(['default', 'friends', 'hidden', 'vip'])
  expect((await visitor().get('/api/group', bob)).status).toBe(403)
  expect((await visitor().get('/api/group')).status).toBe(401)

  const auto = { ratio: 'auto', desc: expect.any(String) }
  const all = { ratio: 1, desc: 'All' }
  expect((await owner.get('/api/user/self/groups')).body.data).toEqual({
    default: all,
    vip: { ratio: 0.5, desc: 'Few' },
    auto,
  })
  const ofBob = {
    default: all,
    vip: { ratio: 0.1, desc: 'Few' },
    friends: { ratio: 2, desc: 'Your own group' },
    auto,
  }
  expect((await visitor().get('/api/user/self/groups', bob)).body.data).toEqual(ofBob)
  expect((await visitor().get('/api/user/groups', bob)).body.data).toEqual(ofBob)
  expect((await visitor().get('/api/user/self/groups')).status).toBe(401)
  const ofNobody = (await visitor().get('/api/user/groups')).body.data
  expect(Object.keys(ofNobody)).toEqual(['default', 'vip', 'auto'])
})

test('the playground may be used in a group that is the user’s to choose, and no other', async () => {
  const { owner, gateway } = await startManagement()
  gateway.parts.settings.update({
    GroupRatio: { default: 1, vip: 1, hidden: 1 },
    UserUsableGroups: { vip: 'Few' },
  })
  await owner.send('POST', '/api/channel', echoChannel({ group: 'vip,hidden' }))
  const call = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] }
  const send = (group: string) => owner.send('POST', '/pg/chat/completions', { ...call, group })
  expect((await send('vip')).status).toBe(200)
  const refused = await send('hidden')
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ error: { code: 'group_not_allowed' } })
})

test('the known models are listed by the number of their channel type', async () => {
  const { owner, visitor } = await startManagement()
  await owner.send('POST', '/api/channel', echoChannel({ models: 'echo,my-own' }))
  const { status, body } = await owner.get('/api/models')
  expect(status).toBe(200)
  expect(body.data['14']).toContain('claude-opus-4-5')
  expect(body.data['1']).toContain('gpt-5')
  expect(body.data['900']).toEqual(expect.arrayContaining(['echo', 'my-own']))
  expect((await visitor().get('/api/models')).status).toBe(401)
})
