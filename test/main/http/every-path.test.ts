import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  const body = { error: { message: 'There is no such call here.' } }
  pair = await startPair({ handler: () => ({ status: 404, body }) })
})
afterAll(() => pair.close())

/** The paths of wire-formats §1.1, and others that clients ask for. */
const paths = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/images/variations',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
  '/v1/audio/speech',
  '/v1/rerank',
  '/rerank',
  '/v2/rerank',
  '/v1/responses',
  '/v1/responses/compact',
  '/v1/responses/input_tokens',
  '/v1/messages',
  '/v1/messages?beta=true',
  '/v1/messages/count_tokens',
  '/v1/realtime',
  '/v1/realtime?model=gpt-realtime',
  '/v1/models',
  '/v1/models?limit=1000',
  '/v1/models?client_version=0.150.0',
  '/v1/models/chat-model',
  '/v1/models/no-such-model',
  '/v1/models/gemini-model:generateContent',
  '/v1beta/models',
  '/v1beta/models/gemini-model',
  '/v1beta/models/gemini-model:generateContent',
  '/v1beta/models/gemini-model:streamGenerateContent?alt=sse',
  '/v1beta/models/gemini-model:streamGenerateContent',
  '/v1beta/models/gemini-model:countTokens',
  '/v1beta/models/gemini-model:embedContent',
  '/v1beta/models/gemini-model:batchEmbedContents',
  '/v1beta/models/vendor%2Fname:generateContent',
  '/v1beta/models/gemini-model:noSuchVerb',
  '/v1beta/openai/models',
  '/v1/dashboard/billing/subscription',
  '/v1/dashboard/billing/usage',
  '/dashboard/billing/subscription',
  '/dashboard/billing/usage',
  '/api/usage/token',
  '/api/usage/token/',
  '/api/hello',
  '/',
  '/v1',
  '/v1/',
  '/v1/v1/chat/completions',
  '/v1/no/such/path',
  '/v1beta/no-such-path',
  '/api/no-such-path',
  '/v1/%zz',
]

const bodies: readonly [string, object | string | undefined][] = [
  ['no body', undefined],
  ['an empty object', {}],
  ['a model only', { model: 'chat-model' }],
  ['a model that nobody has', { model: 'no-such-model' }],
  ['no JSON', '{"model":'],
]

/** Fails for an answer that no client could use or should see. */
function checkSensible(answer: Awaited<ReturnType<Pair['send']>>, isHead: boolean): void {
  const { status, headers, text } = answer
  expect(status).not.toBe(500)
  expect([301, 302, 307, 308]).not.toContain(status)
  if (isHead) {
    expect(text).toBe('')
    return
  }
  expect(String(headers['content-type'])).toMatch(/^application\/json/)
  expect(text).not.toMatch(/<html|<!doctype|node:internal|\.ts:\d+|\n\s+at /i)
  const body = JSON.parse(text) as Record<string, unknown> | unknown[]
  if (status < 400) return
  const error = (body as Record<string, unknown>).error as { message?: string } | undefined
  const message = error?.message ?? (body as Record<string, unknown>).message
  expect(message).toEqual(expect.stringMatching(/\S{2}/))
}

describe.each(['GET', 'HEAD'] as const)(
  '%s of any path is answered in a line of JSON',
  (method) => {
    test.each(paths)('%s', async (path) => {
      checkSensible(await pair.send(path, { method }), method === 'HEAD')
      checkSensible(await pair.send(path, { method, withoutKey: true }), method === 'HEAD')
    })
  },
)

describe('a POST to any path is answered in a line of JSON', () => {
  test.each(paths)('%s', async (path) => {
    for (const [, body] of bodies) {
      checkSensible(await pair.send(path, { body }), false)
      checkSensible(await pair.send(path, { body, withoutKey: true }), false)
    }
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    checkSensible(await pair.send(path, { body: '--x--\r\n', headers: form }), false)
  })
})
