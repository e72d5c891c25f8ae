import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.close())

const chatAnswer = { model: 'm', choices: [{ message: { content: 'Hi' } }] }
const messagesAnswer = { type: 'message', model: 'm', content: [] }
const geminiAnswer = { candidates: [] }

/** Everything that a rewrite by way of parsed JSON would change. */
const odd = (model: string) =>
  Buffer.from(
    `\r\n{ "zeta" : 1.0e+2 ,\n\t"nested":{"model":"inner" },"model" :  "${model}","messages":[{"role":"user",` +
      '"content":"h\\u00e9 é 🙂 \\/ {\\"model\\":\\"chat-model\\"}","cache_control":{"type":"ephemeral"}}],' +
      '"big":12345678901234567890,"0":null,"unknown_field":[1,2.50,-0],"max_tokens":1e3,"omega":7}  \n',
  )

describe('the request body', () => {
  test.each([
    ['/v1/chat/completions', 'chat-model', chatAnswer],
    ['/v1/messages', 'messages-model', messagesAnswer],
  ])('%s: every byte reaches the vendor as the client wrote it', async (path, model, answer) => {
    pair.upstream.script({ body: answer })
    const headers = { 'anthropic-version': '2023-06-01' }
    const { status } = await pair.send(path, { body: odd(model), headers })
    expect(status).toBe(200)
    expect(pair.upstream.last().body).toEqual(odd(model))
  })

  test('a mapped model is the only thing that changes, at the end of its chain', async () => {
    pair.addChannelOf('chat', {
      models: ['asked'],
      modelMapping: { asked: 'step', step: 'vendor/"final"', 'vendor/"final"': 'vendor/"final"' },
    })
    pair.upstream.script({ body: '{ "choices":[], "model" : "vendor/\\"final\\"","n":1.0 }' })
    const answer = await pair.send('/v1/chat/completions', { body: odd('asked') })
    expect(pair.upstream.last().body).toEqual(odd('vendor/\\"final\\"'))
    expect(answer.text).toBe('{ "choices":[], "model" : "asked","n":1.0 }')
    expect(pair.rowsOf(answer)[0]).toMatchObject({ model: 'asked' })
    expect(JSON.parse(pair.rowsOf(answer)[0]?.other ?? '')).toMatchObject({
      is_model_mapped: true,
      upstream_model_name: 'vendor/"final"',
    })
  })

  test('a mapping that loops is an error that says so', async () => {
    pair.addChannelOf('chat', { models: ['round'], modelMapping: { round: 'a', a: 'round' } })
    const answer = await pair.send('/v1/chat/completions', { body: odd('round') })
    expect(answer.status).toBe(502)
    expect(answer.text).toContain('round → a → round')
  })

  test('a parameter override replaces and adds fields, and nothing else', async () => {
    pair.addChannelOf('chat', {
      models: ['overridden'],
      paramOverride: { temperature: 0.25, user: { a: 1 } },
    })
    pair.upstream.script({ body: chatAnswer })
    await pair.send('/v1/chat/completions', {
      body: '{"temperature" : 0.90,"x":1.0,"model":"overridden","messages":[{}]}',
    })
    expect(String(pair.upstream.last().body)).toBe(
      '{"temperature" : 0.25,"x":1.0,"model":"overridden","messages":[{}],"user":{"a":1}}',
    )
  })
})

describe('usage of a stream', () => {
  const stream = (options: string) =>
    `{"model":"chat-model","stream": true,${options}"messages":[{"role":"user","content":"Hi"}]}`
  const chunk = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n'
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n'
  const done = 'data: [DONE]\n\n'

  test('is asked of the vendor and kept from a client that did not ask', async () => {
    pair.upstream.script({ chunks: [chunk, usage, done], cutSeed: 4 })
    const answer = await pair.send('/v1/chat/completions', { body: stream('') })
    expect(pair.upstream.last().json()).toMatchObject({ stream_options: { include_usage: true } })
    expect(answer.text).toBe(chunk + done)
    expect(pair.rowsOf(answer)[0]).toMatchObject({ promptTokens: 3, completionTokens: 4 })
  })

  test('leaves the client’s other stream options alone', async () => {
    pair.upstream.script({ chunks: [chunk, usage, done] })
    const body = stream('"stream_options":{"include_obfuscation":false},')
    await pair.send('/v1/chat/completions', { body })
    expect(String(pair.upstream.last().body)).toBe(
      stream('"stream_options":{"include_obfuscation":false,"include_usage":true},'),
    )
  })

  test('goes to a client that asked, whose body stays as it was', async () => {
    pair.upstream.script({ chunks: [chunk, usage, done] })
    const body = stream('"stream_options":{"include_usage":true},')
    const answer = await pair.send('/v1/chat/completions', { body })
    expect(String(pair.upstream.last().body)).toBe(body)
    expect(answer.text).toBe(chunk + usage + done)
  })

  test('is not asked of a vendor that does not know the option', async () => {
    pair.addChannelOf('chat', { models: ['plain-vendor'], settings: { stream_options: false } })
    pair.upstream.script({ chunks: [chunk, done] })
    const body = stream('').replace('chat-model', 'plain-vendor')
    await pair.send('/v1/chat/completions', { body })
    expect(String(pair.upstream.last().body)).toBe(body)
  })
})

describe('the request’s headers', () => {
  const noise = {
    cookie: 'session=1',
    'x-forwarded-for': '10.0.0.1',
    'x-random': 'r',
    'openai-organization': 'org-client',
    'accept-language': 'de',
    referer: 'http://localhost/',
    'user-agent': 'some-tool/1.0',
    'x-stainless-lang': 'js',
  }
  const own = [
    'accept',
    'accept-encoding',
    'connection',
    'content-length',
    'content-type',
    'host',
    // A channel with an address of its own may lead to another gateway, or back to this one.
    'x-switchyard-hop',
  ]

  test('OpenAI: only the vendor’s key and harmless ones go on', async () => {
    pair.upstream.script({ body: chatAnswer })
    await pair.send('/v1/chat/completions', {
      body: odd('chat-model'),
      headers: { ...noise, 'x-api-key': 'client-secret', 'idempotency-key': 'once' },
    })
    const { headers, rawHeaders } = pair.upstream.last()
    expect(Object.keys(headers).sort()).toEqual([...own, 'authorization', 'idempotency-key'].sort())
    expect(headers.authorization).toBe('Bearer vendor-key')
    expect(rawHeaders.join(' ')).not.toContain('client-secret')
  })

  test('Anthropic: version and beta headers go on, word for word', async () => {
    pair.upstream.script({ body: messagesAnswer })
    await pair.send(`/v1/messages?beta=true&key=${pair.gateway.key}&x=1`, {
      body: odd('messages-model'),
      withoutKey: true,
      headers: {
        ...noise,
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'one-2025,two, three',
        'x-claude-code-session-id': 's1',
      },
    })
    const { headers, rawHeaders, url } = pair.upstream.last()
    expect(url).toBe('/v1/messages?beta=true')
    expect(Object.keys(headers).sort()).toEqual(
      [
        ...own,
        'anthropic-beta',
        'anthropic-version',
        'authorization',
        'x-api-key',
        'x-claude-code-session-id',
      ].sort(),
    )
    expect(headers['anthropic-beta']).toBe('one-2025,two, three')
    expect(rawHeaders.join(' ')).not.toContain(pair.gateway.key)
  })

  test('Gemini: the client’s key is stripped from the query', async () => {
    pair.upstream.script({ body: geminiAnswer })
    await pair.send(`/v1beta/models/gemini-model:generateContent?key=${pair.gateway.key}`, {
      body: { contents: [{}] },
      withoutKey: true,
      headers: noise,
    })
    const { headers, url } = pair.upstream.last()
    expect(url).toBe('/v1beta/models/gemini-model:generateContent')
    expect(Object.keys(headers).sort()).toEqual([...own, 'x-goog-api-key'].sort())
  })

  test('an override sets, copies and removes headers, but never hands on a client’s key', async () => {
    pair.addChannelOf('chat', {
      models: ['with-headers'],
      headerOverride: {
        'X-Key-Copy': 'k={api_key}',
        'X-From-Client': '{client_header:X-Random}',
        'X-Stolen': '{client_header:Authorization}',
        're:^x-stainless-': '',
        'User-Agent': 'fixed/1',
      },
    })
    pair.upstream.script({ body: chatAnswer })
    await pair.send('/v1/chat/completions', { body: odd('with-headers'), headers: noise })
    const { headers } = pair.upstream.last()
    expect(headers).toMatchObject({
      'x-key-copy': 'k=vendor-key',
      'x-from-client': 'r',
      'x-stainless-lang': 'js',
      'user-agent': 'fixed/1',
      authorization: 'Bearer vendor-key',
    })
    expect(headers).not.toHaveProperty('x-stolen')
    expect(headers).not.toHaveProperty('x-random')
  })
})
