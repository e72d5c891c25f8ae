import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

type Family = 'chat' | 'messages' | 'generate-content'
const families: readonly Family[] = ['chat', 'messages', 'generate-content']

function call(format: Family, { stream = false, model = modelOf[format] } = {}) {
  const messages = [{ role: 'user', content: 'Hi' }]
  if (format === 'generate-content') {
    const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return pair.send(`/v1beta/models/${model}:${verb}`, { body: { contents: [{}] } })
  }
  const path = format === 'chat' ? '/v1/chat/completions' : '/v1/messages'
  return pair.send(path, {
    body: { model, messages, max_tokens: 1, stream },
    headers: { 'anthropic-version': '1' },
  })
}

/** The error's sentence, wherever its family puts it. */
function sentence(answer: { json<T>(): T }): string {
  return answer.json<{ error: { message: string } }>().error.message
}

const typeOf: Readonly<Record<Family, object>> = {
  chat: { error: { type: 'server_error' } },
  messages: { type: 'error', error: { type: 'api_error' } },
  'generate-content': { error: { status: 'UNAVAILABLE' } },
}

beforeAll(async () => {
  pair = await startPair()
})
// A failure in one test must not leave the channel in cooldown for the next.
beforeEach(() =>
  pair.gateway.set({ RetryTimes: 0, UpstreamIdleSeconds: 300, ChannelFailureCount: 0 }),
)
afterAll(() => pair.close())

describe.each(families)('%s: a clear error in its own shape when the upstream', (format) => {
  test('refuses the connection', async () => {
    const model = `nobody-${format}`
    pair.addChannelOf(format, { models: [model], baseUrl: 'http://127.0.0.1:9' })
    const refused = await call(format, { model })
    expect(refused.status).toBe(502)
    expect(refused.json()).toMatchObject(typeOf[format])
    expect(sentence(refused)).toContain(`"${format} vendor": the upstream failed: nothing listens`)
    expect(pair.rowsOf(refused)).toMatchObject([{ type: 5, status: 502 }])
  })

  test('resets the connection', async () => {
    pair.upstream.script({ ending: 'reset-before-headers' })
    const refused = await call(format)
    expect(refused.status).toBe(502)
    expect(sentence(refused)).toMatch(/reset|closed/)
  })

  test.each([false, true])('says nothing for too long (stream: %s)', async (stream) => {
    pair.gateway.set({ UpstreamIdleSeconds: 1 })
    pair.upstream.script({ ending: 'hang-before-headers' })
    const refused = await call(format, { stream })
    expect(refused.status).toBe(504)
    expect(sentence(refused)).toContain('sent nothing for 1 seconds')
    expect(await pair.upstream.last().ended).toBe('gone')
    expect(pair.rowsOf(refused)).toMatchObject([{ status: 504 }])
  })

  test.each([200, 404, 503])('answers with a web page and %i', async (status) => {
    const body = '<!DOCTYPE html><html><style>x{}</style><h1>Not the API</h1></html>'
    pair.upstream.script({ status, body, headers: { 'content-type': 'text/html' } })
    const refused = await call(format, { stream: status === 200 })
    expect(refused.status).toBe(status === 200 ? 502 : status)
    expect(sentence(refused)).toContain('web page')
    expect(sentence(refused)).toContain('base URL')
    expect(sentence(refused)).not.toContain('<')
  })

  test('answers with plain text, whose words are kept', async () => {
    pair.upstream.script({
      status: 429,
      body: 'slow down, please',
      headers: { 'retry-after': '9' },
    })
    const refused = await call(format)
    expect(refused.status).toBe(429)
    expect(sentence(refused)).toContain('slow down, please')
    expect(refused.headers).toMatchObject({ 'retry-after': '9', 'x-should-retry': 'true' })
    pair.upstream.script({ status: 400, body: 'bad input' })
    expect((await call(format)).headers['x-should-retry']).toBe('false')
  })

  // So does Google's OpenAI-compatible API, whose clients look for an object.
  test('refuses in a list of one error', async () => {
    const error = { code: 400, message: 'Unknown name "seed".', status: 'INVALID_ARGUMENT' }
    pair.upstream.script({ status: 400, body: JSON.stringify([{ error }]) })
    const refused = await call(format)
    expect(refused.status).toBe(400)
    const told =
      format === 'generate-content'
        ? [{ error }]
        : { error: { message: expect.stringContaining(error.message) } }
    expect(refused.json()).toMatchObject(told)
    expect(pair.rowsOf(refused)).toMatchObject([{ type: 5, status: 400 }])
  })

  test('redirects: it is not followed', async () => {
    pair.upstream.script({ status: 302, headers: { location: 'http://elsewhere.example/' } })
    const refused = await call(format)
    expect(refused.status).toBe(502)
    expect(sentence(refused)).toContain('redirects')
  })

  test('answers 200 with an error inside', async () => {
    pair.upstream.script({ body: { error: { message: 'No credit left.', type: 'billing_error' } } })
    const refused = await call(format)
    expect(refused.status).toBe(402)
    expect(sentence(refused)).toBe(
      format === 'chat' ? `No credit left. (request id: ${refused.id})` : 'No credit left.',
    )
    pair.upstream.script({ body: { code: 1234, msg: 'Unknown model code.' } })
    const odd = await call(format, { stream: true })
    expect(odd.status).toBe(502)
    expect(sentence(odd)).toContain('Unknown model code.')
  })

  // As MiniMax does; 0 stands beside its good answers.
  test('answers 200 with an error beside an empty answer', async () => {
    const empty = { id: 'a', choices: null, content: null, candidates: null }
    const base_resp = { status_code: 1008, status_msg: 'insufficient balance' }
    pair.upstream.script({ body: { ...empty, base_resp } }, { body: { ...empty, base_resp } })
    for (const stream of [false, true]) {
      const refused = await call(format, { stream })
      expect(refused.status).toBe(402)
      expect(sentence(refused)).toContain('insufficient balance')
    }
    const [row] = pair.gateway.rows()
    expect(JSON.parse(row?.other ?? '').admin_info.route.attempts).toMatchObject([{ code: '1008' }])
  })

  test('answers 200 with an error that quotes an answer', async () => {
    const quoted = { choices: [], content: [], candidates: [] }
    pair.upstream.script({ body: { code: 1234, msg: 'Unknown model code.', request: quoted } })
    const refused = await call(format)
    expect(refused.status).toBe(502)
    expect(sentence(refused)).toContain('Unknown model code.')
  })

  test('answers a converted call 200 with an error that quotes an answer', async () => {
    const quoted = { choices: [], content: [], candidates: [] }
    pair.upstream.script({ body: { code: 1234, msg: 'Unknown model code.', request: quoted } })
    const model = modelOf[format === 'chat' ? 'messages' : 'chat']
    const refused = await call(format, { model })
    expect(refused.status).toBe(502)
    expect(sentence(refused)).toContain('Unknown model code.')
    expect(pair.rowsOf(refused)).toMatchObject([{ type: 5, status: 502 }])
  })

  test.each([
    ['with a comment alone', ': hello\n\n'],
    ['with its last word alone', 'data: [DONE]\n\n'],
  ])('ends a stream before it began, %s', async (_how, chunk) => {
    pair.upstream.script({ chunks: [chunk] })
    const refused = await call(format, { stream: true })
    expect(refused.status).toBe(502)
    expect(sentence(refused)).toContain('before its first event')
    expect(pair.rowsOf(refused)).toHaveLength(1)
  })

  test.each([401, 403])(
    'refuses the channel’s key with %i: the client’s own is not blamed',
    async (status) => {
      pair.upstream.script({ status, body: { error: { message: 'Incorrect API key provided.' } } })
      const refused = await call(format)
      expect(refused.status).toBe(502)
      expect(refused.json()).toMatchObject(typeOf[format])
      expect(sentence(refused)).toContain('Incorrect API key provided.')
      expect(sentence(refused)).toContain(`"${format} vendor"`)
      expect(refused.headers['x-should-retry']).toBe('false')
    },
  )

  // As Volcengine does, and hosts in front of it with 200; no key is at fault.
  test.each([403, 200])('says with %i that the account owes money', async (status) => {
    const code = 'AccountOverdueError'
    const error = { message: 'Your balance is overdue.', code, type: 'permission_error' }
    pair.upstream.script({ status, body: { error } })
    const refused = await call(format)
    expect(refused.status).toBe(402)
    expect(sentence(refused)).toContain('Your balance is overdue.')
    expect(sentence(refused)).not.toContain('key')
    expect(refused.headers['x-should-retry']).toBe('false')
  })

  // As xAI does, with 400 and 403.
  test('says in xAI’s words that the key is wrong, or that there’s no money', async () => {
    const error = 'Incorrect API key provided. You can obtain an API key.'
    pair.upstream.script({ status: 400, body: { code: 'invalid-argument', error } })
    const wrong = await call(format)
    expect(wrong.status).toBe(502)
    expect(sentence(wrong)).toContain(`refused the key of channel`)
    pair.upstream.script({
      ...{ status: 403, headers: {} },
      body: { code: 'permission-denied', error: 'You have run out of credits.' },
    })
    const poor = await call(format)
    expect(poor.status).toBe(402)
    expect(sentence(poor)).toContain('is out of credit')
    // Fireworks says so with 412.
    const suspended = 'Account a is suspended, possibly due to reaching the monthly spending limit.'
    pair.upstream.script({ status: 412, body: { error: suspended } })
    expect((await call(format)).status).toBe(402)
  })

  // As Kimi does; a client that was told of a refused key would ask for another login.
  test.each([403, 200])('says with %i that the plan is used up for now', async (status) => {
    const message = 'You’ve reached your weekly (7-day) usage limit. Purchase extra usage.'
    const error = { message, type: 'access_terminated_error', code: 403 }
    pair.upstream.script({ status, body: { error } })
    const refused = await call(format)
    expect(refused.status).toBe(429)
    expect(sentence(refused)).toContain(message)
    expect(sentence(refused)).not.toContain('key')
    if (status === 403) expect(refused.headers['x-should-retry']).toBe('false')
  })
})

describe('an error inside 200 is judged by what it means', () => {
  test('a mistake of the client goes to no other channel', async () => {
    pair.gateway.set({ RetryTimes: 2 })
    for (const name of ['a', 'b']) pair.addChannelOf('chat', { name, models: ['two'] })
    const before = pair.upstream.requests.length
    pair.upstream.script({
      body: {
        error: {
          message: 'Too long.',
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        },
      },
    })
    const refused = await call('chat', { model: 'two' })
    expect(refused.status).toBe(400)
    // Codex acts on the vendor's own code.
    expect(refused.json()).toMatchObject({
      error: { type: 'invalid_request_error', code: 'context_length_exceeded' },
    })
    expect(refused.headers['x-should-retry']).toBe('false')
    expect(pair.upstream.requests.length - before).toBe(1)
  })

  test('an overload in the first event does', async () => {
    pair.gateway.set({ RetryTimes: 2 })
    for (const name of ['c', 'd']) pair.addChannelOf('chat', { name, models: ['three'] })
    pair.upstream.script(
      { chunks: ['data: {"error":{"message":"Overloaded.","code":503}}\n\n'] },
      { chunks: ['data: {"choices":[{"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'] },
    )
    const served = await call('chat', { stream: true, model: 'three' })
    expect(served.status).toBe(200)
    expect(served.text).not.toContain('Overloaded')
  })

  test('an answer that only talks about an "error" is an answer', async () => {
    const body = { choices: [{ message: { content: 'An "error" is…' } }], error: null, usage: {} }
    pair.upstream.script({ body })
    const served = await call('chat')
    expect([served.status, served.json()]).toEqual([200, body])
  })
})
