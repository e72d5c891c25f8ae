import { describe, expect, onTestFinished, test } from 'vitest'
import { startPair } from '../../../support/gateway/pair.ts'
import { best, broken, modelsAsked, route, rowOf, staged, target } from './route-stage.ts'
import { goodAnswer, refusal, type Stage, startStage } from './routing-stage.ts'

describe('a call by the name of a route', () => {
  test.each(['chat', 'responses', 'messages', 'generate-content'] as const)(
    '%s: is answered under that name, and booked as the target’s model',
    async (format) => {
      for (const upstream of ['chat', 'messages', 'generate-content'] as const) {
        const stage = await staged(upstream)
        route(stage)
        const answer = await stage.call(format, best)
        expect(answer.status).toBe(200)
        const body = answer.json<{ model?: string; modelVersion?: string }>()
        const { model = body.modelVersion } = body
        expect([undefined, 'best']).toContain(model)
        if (upstream !== format) expect(model).toBe('best')
        expect(modelsAsked(stage)).toEqual(['model-a'])
        const row = rowOf(stage, answer)
        expect(row).toMatchObject({ model: 'model-a', channelName: 'a', promptTokens: 10 })
        expect(row.facts.asked_model).toBe('best')
        expect(stage.routeOf(answer)).toMatchObject({
          named: { name: 'best' },
          candidates: [
            { name: 'a', model: 'model-a', place: 1 },
            { name: 'b', model: 'model-b', place: 2 },
          ],
          attempts: [{ model: 'model-a', status: 200 }],
        })
      }
    },
  )

  test.each([true, false])(
    'a target that fails gives way to the next (stream: %s)',
    async (stream) => {
      const stage = await staged()
      route(stage)
      stage.script('a', broken)
      const answer = await stage.call('messages', { ...best, stream })
      expect(answer.status).toBe(200)
      expect(modelsAsked(stage)).toEqual(['model-a', 'model-b'])
      expect(rowOf(stage, answer)).toMatchObject({ model: 'model-b', channelName: 'b' })
      expect(stage.routeOf(answer).attempts).toMatchObject([
        { model: 'model-a', status: 500, after: 'next' },
        { model: 'model-b', status: 200 },
      ])
    },
  )

  test('goes on to the next target when the first has no try left', async () => {
    const stage = await staged('chat', { RetryTimes: 0 })
    stage.add('a2', { models: ['model-a'], priority: -1 })
    route(stage)
    stage.script('a', broken)
    expect((await stage.call('chat', best)).status).toBe(200)
    expect(stage.asked).toEqual(['a', 'b'])
  })

  test('tries all channels of a target before the next', async () => {
    const stage = await staged('chat', { RetryTimes: 3 })
    stage.add('a2', { models: ['model-a'], priority: -1 })
    route(stage)
    for (const name of ['a', 'a2']) stage.script(name, broken)
    expect((await stage.call('chat', best)).status).toBe(200)
    expect(stage.asked).toEqual(['a', 'a2', 'b'])
  })

  test('counts the tries of each target anew', async () => {
    const stage = await staged('chat', { RetryTimes: 1 })
    for (const name of ['a2', 'a3', 'b2'])
      stage.add(name, { models: [`model-${name[0]}`], priority: -Number(name[1]) })
    route(stage, { targets: ['model-a', 'model-b', 'model-c'].map((model) => target(model)) })
    for (const name of ['a', 'a2', 'a3', 'b']) stage.script(name, broken)
    expect((await stage.call('chat', best)).status).toBe(200)
    expect(stage.asked).toEqual(['a', 'a2', 'b', 'b2'])
  })

  test('a refusal that no other target would change stays', async () => {
    const stage = await staged()
    route(stage)
    stage.script('a', refusal(400, 'No.', { type: 'invalid_request_error' }))
    expect((await stage.call('chat', best)).status).toBe(400)
    expect(stage.asked).toEqual(['a'])
  })

  test('when all fail the client hears of one, and the row has the target’s model', async () => {
    const stage = await staged()
    route(stage)
    for (const name of ['a', 'b']) stage.always(name, broken)
    const answer = await stage.call('chat', best)
    expect(answer.status).toBe(500)
    expect(rowOf(stage, answer).model).toMatch(/^model-[ab]$/)
  })

  test('what is cooling down comes after every target that is well', async () => {
    const stage = await staged('chat', { ChannelFailureCount: 1, RetryTimes: 0 })
    route(stage)
    stage.script('a', broken)
    await stage.call('chat', best)
    stage.asked.length = 0
    await stage.call('chat', best)
    expect(stage.asked).toEqual(['b'])
    stage.script('b', broken)
    expect((await stage.call('chat', best)).status).toBe(200)
    expect(stage.asked.at(-1)).toBe('a')
  })

  test('by the alias of a token it is answered and logged under that alias', async () => {
    const stage = await staged('messages')
    route(stage)
    const { full } = stage.pair.gateway.addToken({ modelAliases: { mine: 'best' } })
    const answer = await stage.pair.send('/v1/chat/completions', {
      body: { model: 'mine', messages: [{ role: 'user', content: 'Hi' }] },
      headers: { authorization: `Bearer ${full}` },
    })
    expect(answer.json()).toMatchObject({ model: 'mine' })
    expect(rowOf(stage, answer).facts.asked_model).toBe('mine')
  })

  test('its models are counted by the target’s', async () => {
    const stage = await staged('chat')
    route(stage)
    const answer = await stage.pair.send('/v1/messages/count_tokens', {
      body: { model: 'best', messages: [{ role: 'user', content: 'Hi' }] },
      headers: { 'anthropic-version': '2023-06-01' },
    })
    expect(answer.json()).toEqual({ input_tokens: expect.any(Number) })
  })

  test('leads to one channel, or to those with a tag', async () => {
    const stage = await startStage()
    for (const name of ['a', 'b', 'c']) stage.add(name, { tag: name === 'c' ? 'spare' : null })
    const b = stage.pair.gateway.parts.channels.all().find(({ name }) => name === 'b')
    route(stage, {
      targets: [target('model-a', { channelId: b?.id ?? 0 }), target('model-a', { tag: 'spare' })],
    })
    stage.script('b', broken)
    expect((await stage.call('chat', best)).status).toBe(200)
    expect(stage.asked).toEqual(['b', 'c'])
  })

  test('hides a model of its name, and may lead to it', async () => {
    const stage = await staged()
    route(stage, { name: 'model-a', targets: [target('model-b'), target('model-a')] })
    stage.script('b', broken)
    expect((await stage.call('chat', { model: 'model-a' })).status).toBe(200)
    expect(stage.asked).toEqual(['b', 'a'])
  })

  test('a disabled route is none', async () => {
    const stage = await staged()
    const { id } = route(stage)
    stage.pair.gateway.parts.routes.update(id, { status: 2 })
    expect((await stage.call('chat', best)).status).toBe(404)
  })

  test('a target without a channel is passed over, and named', async () => {
    const stage = await staged()
    route(stage, { targets: [target('gone'), target('model-b')] })
    const answer = await stage.call('chat', best)
    expect(modelsAsked(stage)).toEqual(['model-b'])
    expect(stage.routeOf(answer).named).toEqual({ name: 'best', unserved: ['gone'] })
  })

  test('a route that leads nowhere says so and why', async () => {
    const stage = await staged()
    route(stage, { targets: [target('gone')] })
    const answer = await stage.call('chat', best)
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({
      error: {
        message: expect.stringMatching(/^No target of the route "best" can be called\. .*"gone"/),
      },
    })
  })

  test('with a channel in the key only targets at that channel are asked', async () => {
    const stage = await staged()
    route(stage)
    const b = stage.pair.gateway.parts.channels.all().find(({ name }) => name === 'b')
    const authorization = `Bearer ${stage.pair.gateway.key}-${b?.id}`
    expect((await stage.call('chat', { ...best, headers: { authorization } })).status).toBe(200)
    expect(modelsAsked(stage)).toEqual(['model-b'])
  })

  test('files that were fetched for it are let go when it is over', async () => {
    const pair = await startPair({
      empty: true,
      gateway: { mayFetchFrom: (address) => address === '127.0.0.1' },
      handler: ({ url }) =>
        url === '/paper.pdf'
          ? { body: '%PDF-1.7 a paper', headers: { 'content-type': 'application/pdf' } }
          : { body: goodAnswer.chat },
    })
    onTestFinished(() => pair.close())
    const { gateway, upstream } = pair
    gateway.set({ 'fetch_setting.allowed_ports': [], 'fetch_setting.fetch_files': true })
    gateway.addChannel({ baseUrl: upstream.url, models: ['model-a'] })
    gateway.parts.routes.create({ name: 'best', targets: [target('model-a')] })
    const before = gateway.parts.bodies.held
    const source = { type: 'url', url: `${upstream.url}/paper.pdf` }
    const answer = await pair.send('/v1/messages', {
      headers: { 'anthropic-version': '2023-06-01' },
      body: {
        model: 'best',
        max_tokens: 10,
        messages: [{ role: 'user', content: [{ type: 'document', source }] }],
      },
    })
    expect(answer.status).toBe(200)
    expect(upstream.requests.map(({ url }) => url)).toContain('/paper.pdf')
    expect(gateway.parts.bodies.held).toBe(before)
  })
})

describe('weights of neighbours', () => {
  const shared = [target('model-a', { weight: 3 }), target('model-b', { weight: 1 })]

  test('share the calls, and the rest follow', async () => {
    const stage = await staged('chat', { SessionAffinityEnabled: false })
    route(stage, { targets: [...shared, target('model-c')] })
    for (let call = 0; call < 80; call++) await stage.call('chat', best)
    const ofA = stage.asked.filter((name) => name === 'a').length
    expect(stage.asked).not.toContain('c')
    // 60 are expected; more than four deviations away would be no chance.
    expect(ofA).toBeGreaterThan(42)
    expect(ofA).toBeLessThan(78)
    for (const name of ['a', 'b']) stage.always(name, broken)
    stage.asked.length = 0
    expect((await stage.call('chat', best)).status).toBe(200)
    expect(stage.asked.at(-1)).toBe('c')
    expect(new Set(stage.asked)).toEqual(new Set(['a', 'b', 'c']))
  })

  test('a conversation stays with its model', async () => {
    const stage = await staged('chat', { SessionAffinityEnabled: true })
    route(stage, { targets: shared })
    const headers = { 'x-session-id': 's1' }
    for (let call = 0; call < 25; call++) await stage.call('chat', { ...best, headers })
    expect(new Set(stage.asked).size).toBe(1)
  })
})

test.each([{ 'x-session-id': 's1' }, null])(
  'a conversation goes on at the target that answered last (%o)',
  async (headers) => {
    const stage = await staged('responses', { SessionAffinityEnabled: true })
    route(stage)
    stage.script('a', broken)
    const options = headers ? { headers } : { more: { previous_response_id: 'resp_1' } }
    await stage.call('responses', { ...best, ...(headers && { headers }) })
    for (let call = 0; call < 3; call++) await stage.call('responses', { ...best, ...options })
    expect(stage.asked).toEqual(['a', 'b', 'b', 'b', 'b'])
  },
)

describe('who may call a route', () => {
  const limitedTo = (stage: Stage, fields: object) => {
    const { parts } = stage.pair.gateway
    const owner = parts.users.byUsername('owner')
    const token = parts.tokens.create({ userId: owner?.id ?? 0, unlimitedQuota: true, ...fields })
    return { authorization: `Bearer sk-${token.key}` }
  }

  test('a token that may use its name, whatever models that leads to', async () => {
    const stage = await staged()
    route(stage)
    const headers = limitedTo(stage, { modelLimitsEnabled: true, modelLimits: ['best'] })
    expect((await stage.call('chat', { ...best, headers })).status).toBe(200)
    expect((await stage.call('chat', { model: 'model-a', headers })).status).toBe(403)
  })

  test('not one that may use its targets only', async () => {
    const stage = await staged()
    route(stage)
    const headers = limitedTo(stage, { modelLimitsEnabled: true, modelLimits: ['model-a'] })
    expect((await stage.call('chat', { ...best, headers })).status).toBe(403)
  })

  test('a token whose quota covers the dearest target', async () => {
    const stage = await staged()
    stage.set({ ModelRatio: { 'model-a': 0.01, 'model-b': 1000 } })
    route(stage)
    const headers = limitedTo(stage, { unlimitedQuota: false, grantedQuota: 50_000 })
    expect((await stage.call('chat', { model: 'model-a', headers })).status).toBe(200)
    const refused = await stage.call('chat', { ...best, headers })
    expect(refused.status).toBe(403)
    expect(stage.asked).toEqual(['a'])
  })

  test('it is listed among the models, with its first target’s facts, where it leads somewhere', async () => {
    const stage = await staged()
    route(stage)
    route(stage, { name: 'nowhere', targets: [target('gone')] })
    route(stage, { name: 'off', status: 2 })
    const ids = async () => {
      const { data } = (await stage.pair.send('/v1/models', { method: 'GET' })).json<{
        data: { id: string }[]
      }>()
      return data.map(({ id }) => id)
    }
    expect(await ids()).toEqual(['best', 'model-a', 'model-b', 'model-c'])
  })
})
