import { describe, expect, test } from 'vitest'
import { pass } from '../../../../support/strict/loops/through.ts'
import { checkRequest } from '../../../../support/strict/requests/check-request.ts'
import type { Json } from '../../../../support/strict/requests/refusal.ts'
import { refusedBy } from '../../../../support/strict/requests/refused-by.ts'

const upstreams = [
  ['chat', 'gpt-4o'],
  ['chat', 'gpt-5.6-sol'],
  ['messages', 'claude-sonnet-4-5'],
  ['generate-content', 'gemini-3-pro'],
  ['responses', 'gpt-5.6-sol'],
] as const

const ask = { model: 'asked-for', prompt: 'Say this is a test' }
const settings: Json = {
  ...ask,
  max_tokens: 40,
  temperature: 0.5,
  top_p: 0.9,
  stop: ['\n', 'END'],
  presence_penalty: 0.5,
  frequency_penalty: -0.5,
  seed: 7,
  logit_bias: { 50256: -100 },
  user: 'u-1',
  n: 1,
  best_of: 1,
  echo: false,
  suffix: null,
  logprobs: null,
  stream: true,
  stream_options: { include_usage: true },
}

describe.each(upstreams)('a prompt on its way to %s (%s)', (format, model) => {
  test.each([
    ['alone', ask],
    ['in a list', { ...ask, prompt: ['Say this is a test'] }],
    ['with every setting', settings],
  ])('%s is one that the vendor takes', (_, body) => {
    const passage = pass('completions', format, body, { model })
    expect(refusedBy(() => checkRequest(format, passage.body, { model }))).toBeNull()
    expect(JSON.stringify(passage.body)).toContain('Say this is a test')
    expect(JSON.stringify(passage.body).match(/"role":/g)).toHaveLength(1)
  })
})

test('the endpoint’s own limit of 16 tokens holds where none is sent, and a sent one instead', () => {
  const limit = (body: Json) => pass('completions', 'messages', body).body.max_tokens
  expect(limit(ask)).toBe(16)
  expect(limit({ ...ask, max_tokens: null })).toBe(16)
  expect(limit({ ...ask, max_tokens: 300 })).toBe(300)
})

test('what the vendor has not is noted in the client’s words', () => {
  const { losses } = pass('completions', 'messages', { ...settings, min_p: 0.1 })
  const paths = losses.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'seed',
      'presence_penalty',
      'frequency_penalty',
      'logit_bias',
      'min_p',
    ]),
  )
})

test('fields of another endpoint are noted and not followed, for a chat upstream too', () => {
  const tools = [{ type: 'function', function: { name: 'get', parameters: {} } }]
  const extra = { tools, messages: [{ role: 'user', content: 'Other' }], prompt_logprobs: 1 }
  const { body, losses } = pass('completions', 'chat', { ...ask, ...extra })
  expect(body).not.toHaveProperty('tools')
  expect(JSON.stringify(body)).not.toContain('Other')
  expect(losses.map(({ path, kind }) => [kind, path])).toEqual([
    ['dropped', 'tools'],
    ['dropped', 'messages'],
    ['dropped', 'prompt_logprobs'],
  ])
})

test('more answers than the vendor gives are refused as n', () => {
  expect(() => pass('completions', 'messages', { ...ask, n: 2 })).toThrow(/^n: /)
  expect(pass('completions', 'chat', { ...ask, n: 2 }).body.n).toBe(2)
})

describe('what only a completing model does is refused by name', () => {
  test.each<[string, Json]>([
    ['prompt', { prompt: undefined }],
    ['prompt', { prompt: null }],
    ['prompt', { prompt: '' }],
    ['prompt', { prompt: [] }],
    ['prompt', { prompt: ['one', 'two'] }],
    ['prompt', { prompt: [1, 2, 3] }],
    ['prompt', { prompt: [[1, 2, 3]] }],
    ['prompt', { prompt: { text: 'Hi' } }],
    ['suffix', { suffix: 'the end' }],
    ['best_of', { best_of: 3 }],
    ['echo', { echo: true }],
    ['logprobs', { logprobs: 0 }],
    ['logprobs', { logprobs: 5 }],
    ['prompt_embeds', { prompt_embeds: 'AAAA' }],
    ['max_tokens', { max_tokens: 0 }],
    ['temperature', { temperature: 3 }],
    ['stop', { stop: 5 }],
  ])('%s in %o', (field, more) => {
    const decode = () => pass('completions', 'chat', { ...ask, ...more })
    expect(decode).toThrow(expect.objectContaining({ code: 'invalid_request', field }))
    expect(decode).toThrow(new RegExp(`^${field}: `))
  })
})
