import { describe, expect, onTestFinished, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type {
  RouteConditions,
  RouteFields,
  RouteTarget,
} from '../../../../main/store/records/routes.ts'
import { startPair, type Whole } from '../../../support/gateway/pair.ts'
import { goodAnswer, refusal, type Stage, speaking, startStage } from './routing-stage.ts'

const broken = refusal(500, 'Broken.')

const target = (model: string, more: Partial<RouteTarget> = {}): RouteTarget => ({
  model,
  channelId: null,
  tag: null,
  weight: 0,
  ...more,
})

const route = (stage: Stage, fields: Partial<RouteFields> = {}) =>
  stage.pair.gateway.parts.routes.create({
    name: 'best',
    targets: [target('model-a'), target('model-b')],
    ...fields,
  })

/** A channel for each of three models, all of one format. */
async function staged(format: WireFormat = 'chat', settings = {}): Promise<Stage> {
  const stage = await startStage(settings)
  for (const name of ['a', 'b', 'c'])
    stage.add(name, { ...speaking(format), models: [`model-${name}`] })
  return stage
}

const rowOf = ({ pair }: Stage, answer: Whole) => {
  const [row] = pair.rowsOf(answer)
  if (!row) throw new Error('The call left no row.')
  return { ...row, facts: JSON.parse(row.other) }
}

const best = { model: 'best' }
const modelsAsked = ({ pair }: Stage) =>
  pair.upstream.requests.map((one) => {
    const inUrl = /models\/([^:]+):/.exec(one.url)?.[1]
    return inUrl ?? (one.json() as { model?: string }).model
  })

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

describe('a rule', () => {
  const png = 'iVBORw0KGgo='
  const long = 'word '.repeat(3000)
  const withRule = (stage: Stage, when: RouteConditions) =>
    route(stage, {
      targets: [target('model-a')],
      rules: [{ name: 'special', when, targets: [target('model-b')] }],
    })
  const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
  const tool = { name: 'f', parameters: { type: 'object' } }
  const claudeCode = { 'x-claude-code-session-id': '0b0c7f3e-1111' }

  const cases: [string, RouteConditions, WireFormat, object, object?, Record<string, string>?][] = [
    ['a long prompt', { minInputTokens: 1000 }, 'chat', user(long), user('Hi')],
    ['a short prompt', { maxInputTokens: 1000 }, 'chat', user('Hi'), user(long)],
    [
      'a picture',
      { images: true },
      'chat',
      user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }]),
    ],
    [
      'a picture',
      { images: true },
      'messages',
      user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }]),
    ],
    [
      'a picture in a tool’s result',
      { images: true },
      'messages',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't1',
                content: [
                  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
                ],
              },
            ],
          },
        ],
      },
    ],
    [
      'a picture',
      { images: true },
      'responses',
      {
        input: [
          {
            role: 'user',
            content: [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }],
          },
        ],
      },
    ],
    [
      'a picture',
      { images: true },
      'generate-content',
      {
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: png } }] }],
      },
    ],
    [
      'no picture',
      { images: false },
      'chat',
      user('Hi'),
      user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }]),
    ],
    ['tools', { tools: true }, 'chat', { tools: [{ type: 'function', function: tool }] }],
    [
      'tools',
      { tools: true },
      'messages',
      { tools: [{ name: 'f', input_schema: { type: 'object' } }] },
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    ],
    ['tools', { tools: true }, 'responses', { tools: [{ type: 'function', ...tool }] }],
    ['tools', { tools: true }, 'generate-content', { tools: [{ functionDeclarations: [tool] }] }],
    [
      'web search',
      { webSearch: true },
      'messages',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      { tools: [{ name: 'f', input_schema: { type: 'object' } }] },
    ],
    ['web search', { webSearch: true }, 'chat', { web_search_options: {} }],
    ['web search', { webSearch: true }, 'responses', { tools: [{ type: 'web_search' }] }],
    ['web search', { webSearch: true }, 'generate-content', { tools: [{ googleSearch: {} }] }],
    [
      'reasoning',
      { reasoning: true },
      'chat',
      { reasoning_effort: 'high' },
      { reasoning_effort: 'none' },
    ],
    [
      'reasoning',
      { reasoning: true },
      'messages',
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } },
      { thinking: { type: 'disabled' } },
    ],
    ['reasoning', { reasoning: true }, 'responses', { reasoning: { effort: 'low' } }],
    [
      'reasoning',
      { reasoning: true },
      'generate-content',
      { generationConfig: { thinkingConfig: { thinkingBudget: 512 } } },
      { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
    ],
    ['a client by its agent', { clients: ['Claude-Code'] }, 'messages', {}, {}, claudeCode],
    [
      'a client by a part of its name',
      { clients: ['other', 'aider'] },
      'chat',
      {},
      {},
      { 'user-agent': 'Aider/0.86' },
    ],
    [
      'a side task',
      { background: true },
      'responses',
      {},
      {},
      { 'user-agent': 'codex_cli', 'session-id': 's', 'x-openai-memgen-request': 'true' },
    ],
  ]
  test.each(cases)('of %s (%o, %s) chooses', async (_, when, format, more, other = {}, headers) => {
    const stage = await staged(format)
    withRule(stage, when)
    const special = await stage.call(format, { ...best, more, ...(headers && { headers }) })
    expect(special.status).toBe(200)
    expect(modelsAsked(stage)).toEqual(['model-b'])
    expect(stage.routeOf(special).named).toEqual({ name: 'best', rule: 'special' })
    const plain = await stage.call(format, { ...best, more: other })
    expect(modelsAsked(stage)[1]).toBe('model-a')
    expect(stage.routeOf(plain).named).toEqual({ name: 'best' })
  })

  test('of a token chooses for that token alone', async () => {
    const stage = await staged()
    const { parts, key } = stage.pair.gateway
    const own = parts.tokens.all().find((token) => token.key === key.replace('sk-', ''))
    withRule(stage, { tokenIds: [own?.id ?? 0] })
    const other = parts.tokens.create({ userId: own?.userId ?? 0, unlimitedQuota: true })
    await stage.call('chat', best)
    const authorization = `Bearer sk-${other.key}`
    await stage.call('chat', { ...best, headers: { authorization } })
    expect(modelsAsked(stage)).toEqual(['model-b', 'model-a'])
  })

  test('needs all of its conditions, and the first that has them chooses', async () => {
    const stage = await staged()
    route(stage, {
      targets: [target('model-a')],
      rules: [
        { name: 'both', when: { tools: true, reasoning: true }, targets: [target('model-c')] },
        { name: 'one', when: { tools: true }, targets: [target('model-b')] },
      ],
    })
    const tools = [{ type: 'function', function: tool }]
    await stage.call('chat', { ...best, more: { tools } })
    await stage.call('chat', { ...best, more: { tools, reasoning_effort: 'low' } })
    expect(modelsAsked(stage)).toEqual(['model-b', 'model-c'])
  })

  test('a body that cannot be read has nothing in it', async () => {
    const stage = await staged()
    withRule(stage, { images: true })
    const messages = [{ role: 'user', content: { picture: 7 } }]
    await stage.pair.send('/v1/chat/completions', { body: { model: 'best', messages } })
    expect(modelsAsked(stage)).toEqual(['model-a'])
  })
})

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
