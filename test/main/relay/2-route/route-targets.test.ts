import { expect, test } from 'vitest'
import { best, broken, modelsAsked, route, staged, target } from './route-stage.ts'
import { refusal } from './routing-stage.ts'

const affine = { SessionAffinityEnabled: true }
const headers = { 'x-session-id': 's1' }
const limited = (seconds: number) =>
  refusal(429, 'Slow down.', { headers: { 'retry-after': String(seconds) } })

test('a call of the session that names another target’s model does not move the route there', async () => {
  const stage = await staged('chat', affine)
  route(stage)
  await stage.call('chat', { ...best, headers })
  await stage.call('chat', { model: 'model-b', headers })
  await stage.call('chat', { ...best, headers })
  expect(stage.asked).toEqual(['a', 'b', 'a'])
})

test('nor does what another rule of the route answered', async () => {
  const stage = await staged('chat', affine)
  route(stage, {
    rules: [{ name: 'tools', when: { tools: true }, targets: [target('model-b')] }],
  })
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
  await stage.call('chat', { ...best, headers, more: { tools } })
  await stage.call('chat', { ...best, headers })
  expect(modelsAsked(stage)).toEqual(['model-b', 'model-a'])
})

test('a target is tried as often as the options say, however many targets were before it', async () => {
  const stage = await staged('chat', { RetryTimes: 2 })
  for (const name of ['c2', 'c3'])
    stage.add(name, { models: ['model-c'], priority: -Number(name[1]) })
  route(stage, { targets: ['model-a', 'model-b', 'model-c'].map((model) => target(model)) })
  for (const name of ['a', 'b', 'c', 'c2']) stage.script(name, broken)
  expect((await stage.call('chat', best)).status).toBe(200)
  expect(stage.asked).toEqual(['a', 'b', 'c', 'c2', 'c3'])
})

test('a channel is not asked twice for one model, though two targets lead to it', async () => {
  const stage = await staged()
  stage.add('a2', { models: ['model-a'], priority: -1 })
  const { parts } = stage.pair.gateway
  const a = parts.channels.all().find(({ name }) => name === 'a')
  route(stage, { targets: [target('model-a', { channelId: a?.id ?? 0 }), target('model-a')] })
  stage.always('a', broken)
  expect((await stage.call('chat', best)).status).toBe(200)
  expect(stage.asked).toEqual(['a', 'a2'])
})

test('what rests is asked by when its rest ends, at whichever target', async () => {
  const stage = await staged('chat', { RetryTimes: 0, RetryWaitSeconds: 30 })
  route(stage)
  stage.script('a', limited(20))
  stage.script('b', limited(1))
  await stage.call('chat', best)
  stage.asked.length = 0
  expect((await stage.call('chat', best)).status).toBe(200)
  expect(stage.asked).toEqual(['b'])
})

test('the log numbers the candidates as they are asked, what cools down last', async () => {
  const stage = await staged('chat', { ChannelFailureCount: 1 })
  stage.add('a2', { models: ['model-a'] })
  route(stage)
  for (const name of ['a', 'a2']) stage.script(name, broken)
  await stage.call('chat', best)
  const { candidates } = stage.routeOf(await stage.call('chat', best))
  expect(candidates.find(({ name }) => name === 'b')).toMatchObject({ place: 1 })
  expect(candidates.filter(({ why }) => why === 'open').map(({ place }) => place)).toEqual([2, 3])
})

test('the log tells how many candidates of all targets there were beyond those that it lists', async () => {
  const stage = await staged()
  for (let count = 1; count < 25; count++) stage.add(`a${count}`, { models: ['model-a'] })
  for (const name of ['b2', 'b3']) stage.add(name, { models: ['model-b'] })
  route(stage)
  const { candidates, more } = stage.routeOf(await stage.call('chat', best))
  expect(candidates.map(({ model }) => model)).toEqual(Array(20).fill('model-a'))
  expect(more).toBe(25 + 3 - 20)
})

test('and lists those of a later target as far as there is room', async () => {
  const stage = await staged()
  for (let count = 1; count < 18; count++) stage.add(`a${count}`, { models: ['model-a'] })
  for (const name of ['b2', 'b3', 'b4']) stage.add(name, { models: ['model-b'] })
  route(stage)
  const { candidates, more } = stage.routeOf(await stage.call('chat', best))
  expect(candidates.filter(({ model }) => model === 'model-b')).toHaveLength(2)
  expect(more).toBe(18 + 4 - 20)
})

test('a target of a later group of “auto” is found', async () => {
  const stage = await staged()
  stage.set({
    GroupRatio: { default: 1, spare: 1 },
    UserUsableGroups: { default: 'Own', spare: 'Spare' },
    AutoGroups: ['default', 'spare'],
  })
  const other = stage.add('other', { models: ['model-a'], groups: ['spare'] })
  route(stage, { targets: [target('model-a', { channelId: other.id })] })
  const { parts } = stage.pair.gateway
  const owner = parts.users.byUsername('owner')
  const token = parts.tokens.create({
    ...{ userId: owner?.id ?? 0, unlimitedQuota: true, group: 'auto' },
  })
  const authorization = `Bearer sk-${token.key}`
  expect((await stage.call('chat', { ...best, headers: { authorization } })).status).toBe(200)
  expect(stage.asked).toEqual(['other'])
})

test('a target without a price is passed over where spending is limited', async () => {
  const stage = await staged()
  stage.set({ ModelRatio: { 'model-b': 0.001 }, SelfUseModeEnabled: false })
  route(stage)
  const { parts } = stage.pair.gateway
  const owner = parts.users.byUsername('owner')
  parts.users.update(owner?.id ?? 0, { quota: 5_000_000 })
  const token = parts.tokens.create({ userId: owner?.id ?? 0, grantedQuota: 500_000 })
  const authorization = `Bearer sk-${token.key}`
  const answer = await stage.call('chat', { ...best, headers: { authorization } })
  expect(answer.status).toBe(200)
  expect(stage.routeOf(answer).named).toEqual({ name: 'best', unserved: ['model-a'] })
  expect(modelsAsked(stage)).toEqual(['model-b'])
})

test('a route that leads only to models without a price is not listed where spending is limited', async () => {
  const stage = await staged()
  stage.set({ ModelRatio: { 'model-b': 0.001 }, SelfUseModeEnabled: false })
  route(stage, { name: 'unpriced', targets: [target('model-a')] })
  route(stage)
  const { parts } = stage.pair.gateway
  const token = parts.tokens.create({ userId: parts.users.byUsername('owner')?.id ?? 0 })
  const list = await stage.pair.send('/v1/models', {
    method: 'GET',
    headers: { authorization: `Bearer sk-${token.key}` },
  })
  const { data } = list.json<{ data: { id: string }[] }>()
  expect(data.map(({ id }) => id)).toEqual(['best', 'model-b'])
})

test('the row of a call whose route leads nowhere names the route', async () => {
  const stage = await staged()
  route(stage, { targets: [target('gone')] })
  const answer = await stage.call('chat', best)
  expect(stage.routeOf(answer).named).toEqual({ name: 'best', unserved: ['gone'] })
})

test('a path that no target serves is not there, as without a route', async () => {
  const stage = await staged('messages')
  route(stage)
  const compact = (model: string) =>
    stage.pair.send('/v1/responses/compact', { body: { model, input: 'Hi' } })
  expect((await compact('best')).status).toBe((await compact('model-a')).status)
})

test.each([{}, { image: true }, { tools: false, mood: 'fair' }])(
  'a rule of a file edited by hand that cannot be told holds for no call (%o)',
  async (when) => {
    const stage = await staged()
    route(stage, { rules: [{ name: 'odd', when, targets: [target('model-b')] }] })
    await stage.call('chat', best)
    expect(modelsAsked(stage)).toEqual(['model-a'])
  },
)

test('a route of the name of its target tells that name once', async () => {
  const stage = await staged()
  route(stage, { name: 'gone', targets: [target('gone')] })
  const answer = await stage.call('chat', { model: 'gone' })
  expect(answer.text).not.toContain('asked for as')
})

test('where every target has to wait, the client is told of the one that is free first', async () => {
  const stage = await staged('chat', { RetryTimes: 0, RetryWaitSeconds: 0 })
  route(stage)
  stage.script('a', limited(20))
  stage.script('b', limited(600))
  await stage.call('chat', best)
  stage.asked.length = 0
  const refused = await stage.call('chat', best)
  expect([refused.status, stage.asked]).toEqual([429, []])
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(20)
})
