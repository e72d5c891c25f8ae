import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

const tools = [{ name: 'clock', input_schema: { type: 'object', properties: {} } }]
const asked = {
  max_tokens: 8000,
  messages: [{ role: 'user', content: 'What time is it?' }],
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
}
const answers = {
  responses: {
    ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed' },
    output: [
      {
        ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'Noon.', annotations: [] }],
      },
    ],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    // Of no meaning to a client that did not ask for it.
    ...{ access_programs: { cyber: 'standard' }, image: { context_compression: 'enabled' } },
    ...{ prompt_cache_options: { mode: 'implicit', ttl: '30m' }, moderation: null },
    tool_usage: { image_gen: { total_tokens: 0 }, web_search: { num_requests: 0 } },
  },
  chat: { choices: [{ index: 0, message: { role: 'assistant', content: 'Noon.' } }] },
}
const CHAT = '/v1/chat/completions'
let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true })
  const { url: baseUrl } = pair.upstream
  const models = ['gpt-6.2-sol', 'gpt-5.4', 'gpt-5.1', 'fast']
  const modelMapping = { fast: 'gpt-6-sol' }
  pair.gateway.addChannel({ type: 3, name: 'Azure', baseUrl, models, modelMapping })
  const settings = { endpoint_types: ['openai', 'openai-response'] }
  pair.gateway.addChannel({ baseUrl, models: ['gpt-6-luna'], settings })
  pair.gateway.addChannel({ baseUrl, models: ['gpt-5.6-sol'] })
})
afterAll(() => pair.close())
beforeEach(() => pair.upstream.requests.splice(0))

async function sentFor(model: string, path: string, body: object, answer: keyof typeof answers) {
  pair.upstream.script({ body: { model, ...answers[answer] } })
  const headers = { 'anthropic-version': '2023-06-01' }
  const told = await pair.send(path, { headers, body: { model, ...body } })
  expect(told.status, told.text).toBe(200)
  const [request] = pair.upstream.requests
  return { url: request?.url ?? '', body: JSON.parse(String(request?.body)), told }
}

const chatAsked = {
  messages: [{ role: 'user', content: 'What time is it?' }],
  reasoning_effort: 'high',
  tools: [{ type: 'function', function: { name: 'clock', parameters: { type: 'object' } } }],
}

describe('a Chat client’s call with tools', () => {
  test.each([
    ['gpt-6.2-sol', 'high'],
    ['gpt-6.2-sol', undefined],
    ['gpt-6.2-sol', 'none'],
    ['fast', 'high'],
    ['fast', undefined],
    ['gpt-5.4', 'low'],
  ])('that OpenAI refuses goes over Responses: %s, effort %s', async (model, effort) => {
    const body = { ...chatAsked, reasoning_effort: effort }
    const { url, body: sent, told } = await sentFor(model, CHAT, body, 'responses')
    expect(url).toContain('/responses')
    expect(sent).toMatchObject({ tools: [{ type: 'function', name: 'clock' }] })
    expect(told.headers['x-switchyard-loss'] ?? '').not.toContain('answer.')
    expect(JSON.parse(told.text)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'Noon.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    })
  })

  test.each([
    ['that says not to think', 'fast', { reasoning_effort: 'none' }],
    [
      'that leaves the effort to a model that then takes tools',
      'gpt-5.4',
      { reasoning_effort: undefined },
    ],
    ['of a model that thinks beside them', 'gpt-5.1', {}],
    ['whose list of tools is empty', 'gpt-6.2-sol', { tools: [] }],
    ['where the owner lists Chat first', 'gpt-6-luna', {}],
    ['where the upstream has no Responses', 'gpt-5.6-sol', {}],
  ])('%s passes through', async (_which, model, fields) => {
    const body = { ...chatAsked, ...fields }
    const { url, body: sent } = await sentFor(model, CHAT, body, 'chat')
    expect(url).toContain('/chat/completions')
    expect(sent).toEqual(JSON.parse(JSON.stringify({ model: sent.model, ...body })))
  })
})

describe('a model that cannot think beside tools over Chat', () => {
  test.each(['gpt-6.2-sol', 'fast'])(
    '%s thinks for an agent of another format, over Responses',
    async (model) => {
      const { url, body, told } = await sentFor(
        model,
        '/v1/messages',
        { ...asked, tools },
        'responses',
      )
      expect(url).toContain('/responses')
      expect(body).toMatchObject({ reasoning: { effort: 'high' }, tools: [{ name: 'clock' }] })
      expect(JSON.parse(told.text).content).toMatchObject([{ type: 'text', text: 'Noon.' }])
    },
  )

  test('stays where its own client asks for it without tools', async () => {
    const body = { messages: [{ role: 'user', content: 'Hi' }] }
    const { url } = await sentFor('gpt-6.2-sol', CHAT, body, 'chat')
    expect(url).toContain('/chat/completions')
  })

  test.each([
    ['where its owner lists Chat first', 'gpt-6-luna'],
    ['where the upstream has no Responses', 'gpt-5.6-sol'],
  ])('is asked over Chat %s', async (_where, model) => {
    const { url, body } = await sentFor(model, '/v1/messages', { ...asked, tools }, 'chat')
    expect(url).toContain('/chat/completions')
    expect(body).toMatchObject({ reasoning_effort: 'none' })
  })
})

test('a model that thinks beside tools is asked over Chat as before', async () => {
  const { url, body } = await sentFor('gpt-5.1', '/v1/messages', { ...asked, tools }, 'chat')
  expect(url).toContain('/chat/completions')
  expect(body).toMatchObject({ reasoning_effort: 'high' })
})

test('GPT-6.2 is never told not to think, which it refuses', async () => {
  const off = { ...asked, thinking: { type: 'disabled' }, output_config: undefined }
  const { body } = await sentFor('gpt-6.2-sol', '/v1/messages', off, 'responses')
  expect(body.reasoning).toMatchObject({ effort: 'low' })
})
