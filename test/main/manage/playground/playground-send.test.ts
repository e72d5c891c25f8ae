import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hashPassword } from '../../../../main/base/password.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startManagement } from '../management.ts'

const model = 'gpt-4o'

interface Stage extends Management {
  upstream: ScriptedUpstream
  stream(path: string, body: unknown): Promise<Response>
}

async function withVendor(channels = ['First']): Promise<Stage> {
  const [management, upstream] = await Promise.all([startManagement(), startUpstream()])
  onTestFinished(() => upstream.close())
  const { owner, gateway } = management
  for (const name of channels) {
    const channel = { type: 1, name, key: `key-${name}`, base_url: upstream.url, models: model }
    await owner.send('POST', '/api/channel/', {
      mode: 'single',
      channel: { ...channel, group: 'default' },
    })
  }
  return {
    ...management,
    upstream,
    stream: (path, body) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: owner.cookie },
        body: JSON.stringify(body),
      }),
  }
}

const messages = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Hello' },
]

const piece = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const reply = [piece({ content: 'Hi' }), piece({}, 'stop'), 'data: [DONE]\n\n']

describe('a conversation is sent as a client of the wire format would', () => {
  test.each([
    ['chat', 'POST /v1/chat/completions', 'chat.completion.chunk'],
    ['responses', 'POST /v1/responses', 'response.output_text.delta'],
    ['messages', 'POST /v1/messages', 'content_block_delta'],
    ['generate-content', 'POST /v1beta/models/gpt-4o:streamGenerateContent', '"candidates"'],
  ])('%s', async (format, path, sign) => {
    const { upstream, stream, gateway } = await withVendor()
    upstream.script({ chunks: reply })
    const answer = await stream('/pg/send', { format, model, body: { messages } })
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    expect(text).toContain(sign)
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(upstream.last().json()).toMatchObject({ messages })
    const id = answer.headers.get('x-switchyard-call') ?? ''
    const { items } = gateway.parts.ledger.list({ requestId: id }, { page: 1, pageSize: 10 })
    expect(items).toMatchObject([{ tokenName: 'playground', status: 200 }])
    expect(JSON.parse(items[0]?.other ?? '{}').request_path).toBe(path.replace('POST ', ''))
  })
})

test('goes to the channel that was chosen, and to no other', async () => {
  const { upstream, stream } = await withVendor(['First', 'Second'])
  for (const [channel, key] of [
    [1, 'key-First'],
    [2, 'key-Second'],
  ] as const) {
    upstream.script({ chunks: reply })
    await (await stream('/pg/send', { model, channel, body: { messages } })).text()
    expect(upstream.last().headers.authorization).toBe(`Bearer ${key}`)
  }
  const unknown = await stream('/pg/send', { model, channel: 99, body: { messages } })
  expect(unknown.status).toBe(404)
  expect(await unknown.text()).toContain('There is no channel 99.')
})

test('a field that names another model than the one chosen is refused before anything is sent', async () => {
  const { upstream, stream } = await withVendor()
  const extra = { model: 'models/other' }
  const asked = { format: 'generate-content', model, body: { messages }, extra }
  const answer = await stream('/pg/send', asked)
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('must be the model of the path'),
  ])
  expect(upstream.requests).toEqual([])
})

test('fields that the page has no control for go along as they are', async () => {
  const { upstream, stream } = await withVendor()
  upstream.script({ chunks: reply })
  await stream('/pg/send', {
    model,
    body: { messages, temperature: 1 },
    extra: { temperature: 0.5, logit_bias: { 50256: -100 } },
  })
  expect(upstream.last().json()).toMatchObject({
    temperature: 0.5,
    logit_bias: { 50256: -100 },
    stream: true,
  })
})

test('the vendor’s refusal comes back in the wire format that was asked', async () => {
  const { upstream, stream } = await withVendor()
  upstream.script({ status: 400, body: { error: { message: 'No such thing.' } } })
  const answer = await stream('/pg/send', { format: 'messages', model, body: { messages } })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ type: 'error', error: { message: /No such thing/ } })
})

describe('before sending', () => {
  test('tokens, a range of cost, and the request as it would be sent', async () => {
    const { owner, upstream } = await withVendor()
    const { body } = await owner.send('POST', '/pg/preview', {
      format: 'messages',
      model,
      body: { messages, max_tokens: 1000, seed: 7 },
      show_request: true,
    })
    const { data } = body
    expect(data.input_tokens).toBeGreaterThan(5)
    // gpt-4o: 10 dollars a million tokens out, and 500 000 units a dollar.
    expect(data.cost.most - data.cost.least).toBeCloseTo(5000, 0)
    expect(data).toMatchObject({ refusal: null, losses: [{ path: 'seed', kind: 'dropped' }] })
    expect(data.request.path).toBe('/v1/messages')
    expect(JSON.parse(data.request.body)).toMatchObject({
      system: [{ type: 'text', text: 'Be short.' }],
      max_tokens: 1000,
    })
    expect(upstream.requests).toHaveLength(0)
  })

  test('a balance that doesn’t reach says so in the gateway’s words', async () => {
    const { gateway, visitor } = await withVendor()
    const password = 'battery staple'
    const passwordHash = await hashPassword(password)
    const { users, settings } = gateway.parts
    settings.update({ SelfUseModeEnabled: false })
    users.create({ username: 'eve', role: 1, group: 'default', passwordHash, quota: 100 })
    const eve = visitor()
    await eve.send('POST', '/api/user/login', { username: 'eve', password })
    const { body } = await eve.send('POST', '/pg/preview', {
      model,
      body: { messages, max_tokens: 1000 },
    })
    expect(body.data.left).toBe(100)
    expect(body.data.refusal).toContain('The user "eve" has $0.0002 left')
    const reason = { code: 'user_left_below', user: 'eve', left: '$0.0002' }
    expect(body.data.refusal_reason).toMatchObject(reason)
    const { body: pinned } = await eve.send('POST', '/pg/preview', {
      ...{ model, channel: 1, body: { messages } },
    })
    expect(pinned).toMatchObject({ success: false, field: 'channel' })
  })

  test('a file counts by its size, in every format, and its bytes need not be sent', async () => {
    const { owner } = await withVendor()
    const standIn = 'AAAA'
    const content = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${standIn}` } },
      {
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${standIn}` },
      },
    ]
    const asked = { model, body: { messages: [{ role: 'user', content }] } }
    const preview = async (fields: object) =>
      (await owner.send('POST', '/pg/preview', { ...asked, ...fields })).body.data
    const files = [
      { kind: 'image', type: 'image/png', size: 3_000_000 },
      { kind: 'document', type: 'application/pdf', size: 20_000_000 },
      { kind: 'text', type: 'text/plain', size: 30_000 },
    ]
    for (const format of ['chat', 'responses', 'messages', 'generate-content']) {
      const without = await preview({ format })
      const withFiles = await preview({ format, files })
      // 400 pages of 2500 tokens, 10 000 tokens of text; a picture is one however large.
      const beyond = withFiles.input_tokens - without.input_tokens
      expect(beyond, format).toBeGreaterThan(1_000_000)
      expect(beyond, format).toBeLessThan(1_012_000)
      expect(withFiles.cost.least, format).toBeGreaterThan(without.cost.least)
    }
  })

  test('the parameters are those that the model takes, and to ask for them captures nothing', async () => {
    const { owner, gateway } = await withVendor()
    const begin = vi.spyOn(gateway.parts.captures, 'begin')
    const known = (await owner.get(`/pg/parameters?model=${model}`)).body.data
    expect(known).toMatchObject({ format: 'chat', temperature: 2, max_tokens: 16_384, efforts: [] })
    gateway.parts.channels.create({ type: 1, name: 'Third', models: ['o3'], groups: ['default'] })
    const reasoning = (await owner.get('/pg/parameters?model=o3')).body.data
    expect(reasoning).toMatchObject({ temperature: null, efforts: ['low', 'medium', 'high'] })
    expect(reasoning).toMatchObject({ verbosity: false, budget: null, forced_tool: true })
    const groups = ['default']
    gateway.parts.channels.create({ type: 1, name: 'Fourth', models: ['gpt-5.1'], groups })
    gateway.parts.channels.create({ type: 14, name: 'Fifth', models: ['claude-haiku-4-5'], groups })
    const verbose = '/pg/parameters?model=gpt-5.1&format='
    expect((await owner.get(`${verbose}chat`)).body.data.verbosity).toBe(true)
    expect((await owner.get(`${verbose}messages`)).body.data.verbosity).toBe(false)
    const { data } = (await owner.get('/pg/parameters?model=claude-haiku-4-5')).body
    expect(data.budget).toMatchObject({ least: 1024 })
    const settings = { model_rules: { '*': { sampling: false } } }
    const models = ['claude-sonnet-4-0']
    gateway.parts.channels.create({ type: 14, name: 'Sixth', models, groups, settings })
    const ruled = (await owner.get('/pg/parameters?model=claude-sonnet-4-0')).body.data
    expect(ruled).toMatchObject({ temperature: null, top_p: false, top_k: false })
    expect(begin).not.toHaveBeenCalled()
  })
})

describe('sent as a token', () => {
  const conversation = { model, body: { messages, max_tokens: 1000 } }

  test('a call counts for the token, and its budget refuses the next as for any client', async () => {
    const { gateway, owner, stream, upstream } = await withVendor()
    const { tokens, ledger } = gateway.parts
    const fields = { userId: 1, name: 'laptop', unlimitedQuota: true }
    const token = tokens.create({ ...fields, dayBudget: 10_000 })
    const asked = { ...conversation, token: token.id }
    const before = (await owner.send('POST', '/pg/preview', asked)).body.data
    expect(before).toMatchObject({ left: 10_000, refusal: null })
    const usage = { prompt_tokens: 20, completion_tokens: 1900, total_tokens: 1920 }
    const told = `data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\n`
    upstream.script({ chunks: [...reply.slice(0, 2), told, ...reply.slice(2)] })
    await (await stream('/pg/send', asked)).text()
    const { items } = ledger.list({ tokenId: token.id, type: 2 }, { page: 1, pageSize: 10 })
    expect(items).toMatchObject([{ tokenName: 'laptop', status: 200 }])
    // gpt-4o: 1900 tokens at 10 dollars a million, and 500 000 units a dollar.
    const after = (await owner.send('POST', '/pg/preview', asked)).body.data
    expect(after.left).toBe(10_000 - (items[0]?.quota ?? 0))
    expect(after.refusal).toContain('The token "laptop" may use $0.02 a day')
    const refused = await stream('/pg/send', asked)
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('The token \\"laptop\\" may use $0.02 a day')
    expect(upstream.requests).toHaveLength(1)
  })

  test('a budget that the files alone would use up says so before they are sent', async () => {
    const { gateway, owner } = await withVendor()
    const fields = { userId: 1, name: 'laptop', unlimitedQuota: true }
    const token = gateway.parts.tokens.create({ ...fields, dayBudget: 10_000 })
    const asked = { model, body: { messages }, token: token.id }
    const files = [{ kind: 'document', type: 'application/pdf', size: 20_000_000 }]
    const alone = (await owner.send('POST', '/pg/preview', asked)).body.data
    expect(alone.refusal).toBeNull()
    const { data } = (await owner.send('POST', '/pg/preview', { ...asked, files })).body
    expect(data.refusal).toContain('The token "laptop" may use $0.02 a day')
  })

  test('its list of models holds, and the token of somebody else is unknown', async () => {
    const { gateway, owner, stream } = await withVendor()
    const { tokens } = gateway.parts
    const limits = { modelLimitsEnabled: true, modelLimits: ['o3'], unlimitedQuota: true }
    const limited = tokens.create({ userId: 1, name: 'narrow', ...limits })
    const asked = { ...conversation, token: limited.id }
    const sentence = 'The token "narrow" may not use the model "gpt-4o". Allowed: o3.'
    expect((await owner.send('POST', '/pg/preview', asked)).body.data.refusal).toBe(sentence)
    const refused = await stream('/pg/send', asked)
    expect(refused.status).toBe(403)
    const foreign = tokens.create({ userId: 7, name: 'theirs', unlimitedQuota: true })
    const { body } = await owner.send('POST', '/pg/preview', { ...asked, token: foreign.id })
    expect(body).toMatchObject({ success: false, field: 'token' })
  })
})
