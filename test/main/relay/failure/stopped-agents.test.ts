import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

/** OpenAI stops an agent: https://developers.openai.com/api/docs/guides/safety-checks/misalignment-monitoring */
const code = 'misalignment_policy_violation'
const message = 'This conversation was stopped.'
const misalignment = { error_type: 'other', review_target: 'review_1' }

let gateway: TestGateway
let upstream: ScriptedUpstream

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTestGateway()
  gateway.set({ RetryTimes: 3, RetryWaitSeconds: 0, AutomaticRetryStatusCodes: '400-599' })
  for (const name of ['first', 'second']) {
    gateway.addChannel({
      name,
      baseUrl: upstream.url,
      settings: { endpoint_types: ['openai-response'] },
    })
  }
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

async function call(path: string, body: object, reply: Reply) {
  const before = upstream.requests.length
  upstream.script(reply)
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2026-10-21',
      authorization: `Bearer ${gateway.key}`,
    },
    body: JSON.stringify({ model: 'model-a', ...body }),
  })
  const text = await answer.text()
  return { status: answer.status, text, tries: upstream.requests.length - before }
}

const refused: Reply = {
  status: 403,
  body: { error: { message, type: 'invalid_request_error', param: null, code, misalignment } },
}
const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const response = { id: 'resp_1', object: 'response', model: 'm', output: [] }
const created = event('response.created', { response: { ...response, status: 'in_progress' } })
const failed = (word: string) =>
  event('response.failed', {
    response: { ...response, status: 'failed', error: { code: word, message, misalignment } },
  })
const begun =
  event('response.output_item.added', {
    output_index: 0,
    item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
  }) + event('response.output_text.delta', { output_index: 0, content_index: 0, delta: 'I' })
const stream = (...chunks: string[]): Reply => ({ chunks })

const messages = [{ role: 'user', content: 'Hi' }]
const clients: readonly [string, string, object][] = [
  ['responses', '/v1/responses', { input: 'Hi' }],
  ['chat', '/v1/chat/completions', { messages }],
  ['messages', '/v1/messages', { messages, max_tokens: 10 }],
]

describe.each(clients)('an agent that OpenAI stopped, %s', (format, path, body) => {
  test('is told so, and neither tried elsewhere nor taken for a refused key', async () => {
    const { status, text, tries } = await call(path, body, refused)
    expect({ status, tries }).toEqual({ status: 403, tries: 1 })
    expect(text).toContain(message)
    expect(text).not.toContain('refused the key')
    if (format !== 'messages') expect(text).toContain(code)
    if (format === 'responses') expect(text).toContain('review_1')
  })

  test('is told so by an error in the stream as well', async () => {
    const { text, tries } = await call(
      path,
      { ...body, stream: true },
      stream(created, failed(code)),
    )
    expect(tries).toBe(1)
    expect(text).toContain(message)
    expect(text).toContain(format === 'messages' ? 'permission_error' : code)
  })

  test('is told so after words of the answer', async () => {
    // A pause: the error is not to be there when the answer begins.
    const reply: Reply = { chunks: [created + begun, failed(code)], pause: 100 }
    const { status, text, tries } = await call(path, { ...body, stream: true }, reply)
    expect({ status, tries }).toEqual({ status: 200, tries: 1 })
    expect(text).toContain(message)
    expect(text).toContain(format === 'messages' ? 'permission_error' : code)
  })
})

test.each(['cyber_policy', 'bio_policy', 'image_too_large', 'failed_to_download_image'])(
  'a request at fault (%s) is told as such from within a stream',
  async (word) => {
    const reply = stream(created, failed(word))
    const { status, tries, text } = await call(
      '/v1/responses',
      { input: 'Hi', stream: true },
      reply,
    )
    expect({ status, tries }).toEqual({ status: 400, tries: 1 })
    expect(text).toContain(word)
  },
)
