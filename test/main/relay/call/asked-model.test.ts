import { expect, onTestFinished, test } from 'vitest'
import type { ChannelFields } from '../../../../main/store/records/channels.ts'
import type { TokenFields } from '../../../../main/store/records/tokens.ts'
import { startTestGateway } from '../../../support/gateway/start-test-gateway.ts'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'

const aliases = { main: 'cheap', other: 'middle', third: 'expensive' }
const completion = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

/** A channel with three models, and a token that has a name of its own for each. */
async function stageOf(channel: Partial<ChannelFields> = {}, token: Partial<TokenFields> = {}) {
  const upstream = await startUpstream(() => ({ body: completion }))
  const gateway = await startTestGateway()
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  gateway.addChannel({
    ...{ baseUrl: upstream.url, models: Object.values(aliases) },
    ...channel,
  })
  const { full } = gateway.addToken({ modelAliases: aliases, ...token })
  const post = async (fields: object | string, path = '/v1/chat/completions') => {
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${full}`, 'content-type': 'application/json' },
      body: typeof fields === 'string' ? fields : JSON.stringify(fields),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const messages = [{ role: 'user', content: 'hi' }]
  const call = (fields: object) => post({ model: 'main', messages, ...fields })
  return { gateway, upstream, post, call, messages }
}

const named = [
  {
    models: ['other', 'cheap'],
    fallbacks: [{ model: 'other', tools: [{ type: 'advisor', model: 'third' }] }],
    tools: [
      { type: 'advisor', model: 'third' },
      { type: 'function', function: { name: 'f' } },
    ],
    providerOptions: { gateway: { models: ['third'] } },
  },
  { fallbacks: [{ main: ['other'] }, 'third'] },
]

test('fallbacks and tools may name models by the token’s aliases: the vendor gets its own names', async () => {
  const { call, upstream, gateway, messages } = await stageOf({
    modelMapping: { middle: 'vendor/middle' },
  })
  const [lists, litellm] = named
  expect(await call(lists ?? {})).toMatchObject({ status: 200 })
  expect(upstream.last().json()).toEqual({
    model: 'cheap',
    messages,
    models: ['vendor/middle', 'cheap'],
    fallbacks: [{ model: 'vendor/middle', tools: [{ type: 'advisor', model: 'expensive' }] }],
    tools: [
      { type: 'advisor', model: 'expensive' },
      { type: 'function', function: { name: 'f' } },
    ],
    providerOptions: { gateway: { models: ['expensive'] } },
  })
  await call(litellm ?? {})
  expect(upstream.last().json()).toMatchObject({
    fallbacks: [{ cheap: ['vendor/middle'] }, 'expensive'],
  })
  await call({ fallbacks: [{ main: ['other'], cheap: ['third'] }] })
  expect(upstream.last().json()).toMatchObject({
    fallbacks: [{ cheap: ['vendor/middle', 'expensive'] }],
  })
  const [row] = await gateway.rowsWhen(3)
  expect(JSON.parse(row?.other ?? '')).toMatchObject({
    asked_model: 'main',
    asked_beside: { other: 'middle', third: 'expensive' },
  })
})

test.each(named)(
  'a token’s limits are of the real models, whatever names a call asks by: %j',
  async (fields) => {
    const { call } = await stageOf(
      {},
      { modelLimitsEnabled: true, modelLimits: ['cheap', 'middle'] },
    )
    const { status, text } = await call(fields)
    expect([status, JSON.parse(text).error.message]).toEqual([
      403,
      expect.stringContaining('"expensive" (asked for as "third")'),
    ])
  },
)

const said = '"messages":[{"role":"user","content":"hi"}]'
const escaped = {
  'its own model': `{"mod\\u0065l":"main",${said}}`,
  'a tool’s': `{"model":"main",${said},"tools":[{"type":"advisor","\\u006dodel":"main"}]}`,
  'a tool’s, in capitals': `{"model":"main",${said},"tools":[{"type":"advisor","m\\u006Fdel":"main"}]}`,
  'a fallback’s': `{"model":"main",${said},"fallbacks":[{"\\u006do\\u0064el":"main"}]}`,
}

test.each(Object.entries(escaped))(
  'an alias is found where escapes spell the key of its model: %s',
  async (_, body) => {
    const { post, upstream } = await stageOf()
    expect(await post(body)).toMatchObject({ status: 200 })
    expect(JSON.stringify(upstream.last().json())).not.toContain('"main"')
    expect(upstream.last().json()).toMatchObject({ model: 'cheap' })
  },
)

test.each<[string, string, number, string]>([
  ['its own model', `{"mod\\u0065l":"third",${said}}`, 403, 'model'],
  [
    'a tool’s',
    `{"model":"main",${said},"tools":[{"type":"advisor","mod\\u0065l":"third"}]}`,
    403,
    'tools[0].model',
  ],
  ['its own model, twice', `{"model":"main","mod\\u0065l":"third",${said}}`, 400, 'model'],
  [
    'a tool’s, twice',
    `{"model":"main",${said},"tools":[{"model":"main","mod\\u0065l":"third"}]}`,
    400,
    'tools',
  ],
  [
    'a fallback’s, twice',
    `{"model":"main",${said},"fallbacks":[{"mod\\u0065l":"third","model":"main"}]}`,
    400,
    'fallbacks',
  ],
])('escapes lead past no token’s list of models: %s', async (_, body, status, param) => {
  const limits = { modelLimitsEnabled: true, modelLimits: ['cheap', 'middle'] }
  const { post, upstream } = await stageOf({}, limits)
  const answer = await post(body)
  expect([answer.status, JSON.parse(answer.text).error.param]).toEqual([status, param])
  expect(upstream.requests).toEqual([])
})

test('a token that has expired is told so, whatever is wrong with the tools of its call', async () => {
  const { post } = await stageOf({}, { expiredTime: 1 })
  const tools = '[{"type":"advisor","model":"main","mod\\u0065l":"third"}]'
  expect(await post(`{"model":"main",${said},"tools":${tools}}`)).toMatchObject({ status: 401 })
})

test('numbers that a double cannot hold stay as they are beside a tool’s alias', async () => {
  const { post, upstream } = await stageOf()
  const limit = '"maximum":9007199254740993'
  const tools = `[{"type":"advisor","model":"main"},{"type":"function","function":{"name":"f","parameters":{${limit}}}}]`
  await post(`{"model":"main",${said},"tools":${tools}}`)
  expect(upstream.last().body.toString()).toContain(limit)
  expect(upstream.last().json()).toMatchObject({ tools: [{ model: 'cheap' }, {}] })
})

test('a body without an alias goes as its client wrote it', async () => {
  const { post, upstream } = await stageOf()
  const body = { model: 'cheap', tools: [{ type: 'advisor', model: 'middle' }], models: ['middle'] }
  await post({ ...body, messages: [{ role: 'user', content: 'hi' }] })
  expect(upstream.last().json()).toMatchObject(body)
})

type Refusal = [why: string, channel: Partial<ChannelFields>, fields: object, says: RegExp]
const main = '"cheap" \\(asked for as "main"\\)'
const refusals: Refusal[] = [
  ['a channel that is disabled', { status: 2 }, {}, RegExp(`No enabled channel serves.*${main}`)],
  ['a channel of another group', { groups: ['lab'] }, {}, /: add a group to one on the Channels/],
  ['no channel', { models: ['else'] }, {}, RegExp(`${main} does not exist here`)],
  [
    'a fallback that the channel lacks',
    { models: ['cheap'] },
    { models: ['other'] },
    /does not list the model "middle" \(asked for as "other"\)/,
  ],
]

test.each(refusals)(
  'who asks by an alias reads it in the refusal for %s',
  async (_, channel, fields, says) => {
    const { call } = await stageOf(channel)
    expect(JSON.parse((await call(fields)).text).error.message).toMatch(says)
  },
)

test('who asks by an alias reads it where no channel has such a call, none has a price, or all were told to wait', async () => {
  const { post, call, upstream, gateway } = await stageOf(
    { settings: { endpoint_types: ['openai'] } },
    { unlimitedQuota: false, grantedQuota: 1000 },
  )
  const said = async (answer: Promise<{ text: string }>) =>
    JSON.parse((await answer).text).error.message
  const embeddings = post({ model: 'main', input: 'a' }, '/v1/embeddings')
  expect(await said(embeddings)).toMatch(RegExp(`${main} cannot be called at`))
  gateway.parts.users.update(gateway.parts.users.all()[0]?.id ?? 0, { quota: 1000 })
  gateway.set({ SelfUseModeEnabled: false })
  expect(await said(call({ models: ['other'] }))).toMatch(/asked for as "main"\) has no price/)
  gateway.set({ SelfUseModeEnabled: true, RetryWaitSeconds: 0 })
  upstream.script({ status: 429, headers: { 'retry-after': '60' }, body: { error: {} } })
  await call({})
  expect(await said(call({}))).toMatch(RegExp(`serve ${main} have asked to wait`))
})

test('a Gemini body that repeats the alias names the real model to Google', async () => {
  const { post, upstream } = await stageOf({ type: 24 })
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  await post({ model: 'models/main', contents }, '/v1beta/models/main:generateContent')
  expect(upstream.last()).toMatchObject({ url: '/v1beta/models/cheap:generateContent' })
  expect(upstream.last().json()).toMatchObject({ model: 'models/cheap', contents })
  const counted = { generateContentRequest: { model: 'models/main', contents } }
  await post(counted, '/v1beta/models/main:countTokens')
  expect(upstream.last().json()).toEqual({
    generateContentRequest: { model: 'models/cheap', contents },
  })
})

test('lists that are nested too deep are refused, and their body is let go', async () => {
  const { gateway, post } = await stageOf()
  const depth = 4900
  const deep = `${'[{"model":"main","models":'.repeat(depth)}[]${'}]'.repeat(depth)}`
  const { status, text } = await post(
    `{"model":"main","messages":[{"role":"user","content":"hi"}],"models":${deep}}`,
  )
  expect([status, text]).toEqual([400, expect.stringContaining('nested too deep')])
  await expect.poll(() => gateway.parts.bodies.held).toBe(0)
})
