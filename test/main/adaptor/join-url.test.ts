import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinUrl } from '../../../main/adaptor/url/join-url.ts'
import { GatewayError } from '../../../main/base/errors.ts'

const CHAT = '/chat/completions'

describe('a base URL as people type it', () => {
  test.each([
    ['https://api.openai.com', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1/', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com//v1//', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1/v1', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1/chat/completions/', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1/responses', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1/models', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1?x=1#y', 'https://api.openai.com/v1/chat/completions'],
    [
      'https://open.bigmodel.cn/api/paas/v4',
      'https://open.bigmodel.cn/api/paas/v4/chat/completions',
    ],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1/chat/completions'],
    ['https://api.deepinfra.com/v1/openai', 'https://api.deepinfra.com/v1/openai/chat/completions'],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai/',
      'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
    ],
    ['https://api.groq.com/openai', 'https://api.groq.com/openai/v1/chat/completions'],
    ['https://host/chat/completions', 'https://host/chat/completions'],
    ['api.openai.com', 'https://api.openai.com/v1/chat/completions'],
    ['localhost:8000', 'http://localhost:8000/v1/chat/completions'],
    ['127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1/chat/completions'],
    [' https://host/v1 ', 'https://host/v1/chat/completions'],
  ])('%s', (base, expected) => {
    expect(joinUrl(base, CHAT)).toBe(expected)
  })

  test.each([
    ['https://open.bigmodel.cn', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    ['https://open.bigmodel.cn/api', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    ['https://open.bigmodel.cn/api/paas', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [
      'https://open.bigmodel.cn/api/paas/v4/',
      'https://open.bigmodel.cn/api/paas/v4/chat/completions',
    ],
    ['https://mirror/zhipu', 'https://mirror/zhipu/api/paas/v4/chat/completions'],
    ['https://mirror/v1', 'https://mirror/v1/chat/completions'],
  ])('%s, for a vendor whose root is /api/paas/v4', (base, expected) => {
    expect(joinUrl(base, CHAT, '/api/paas/v4')).toBe(expected)
  })

  test.each(['', '   ', 'ftp://host', 'https://', 'http://a b', 'https://me:secret@host'])(
    '“%s” is refused with the field at fault',
    (base) => {
      expect(() => joinUrl(base, CHAT)).toThrow(
        expect.objectContaining({ code: 'channel_misconfigured', field: 'base_url' }),
      )
      expect(() => joinUrl(base, CHAT)).toThrow(GatewayError)
    },
  )
})

const host = fc.constantFrom('api.example.com', '10.0.0.7:8080', 'localhost:1234')
const folder = fc
  .stringMatching(/^[a-z]{3,9}$/)
  .filter(
    (name) =>
      !/^(?:v\d|models|rerank|openai|responses|messages|embeddings|completions|realtime)/.test(
        name,
      ),
  )
const folders = fc
  .array(folder, { maxLength: 3 })
  .map((names) => names.map((name) => `/${name}`).join(''))
const version = fc.constantFrom('v1', 'v2', 'v4', 'v1beta', 'v1alpha', 'v1p1beta2', 'v2.1')
const slashes = fc.constantFrom('', '/', '//')
const endpoint = fc.constantFrom(
  '',
  '/chat/completions',
  '/messages',
  '/messages/count_tokens',
  '/responses',
  '/embeddings',
  '/models',
  '/models/gemini-pro:generateContent',
)

describe('whatever the host and folder', () => {
  test('the version that was typed is there once, and no other is added', () => {
    fc.assert(
      fc.property(host, folders, version, endpoint, slashes, (name, path, typed, pasted, end) => {
        const root = `https://${name}${path}/${typed}`
        expect(joinUrl(`${root}${pasted}${end}`, CHAT)).toBe(`${root}${CHAT}`)
      }),
    )
  })

  test('a missing version is added, once', () => {
    fc.assert(
      fc.property(host, folders, slashes, (name, path, end) => {
        expect(joinUrl(`https://${name}${path}${end}`, CHAT)).toBe(
          `https://${name}${path}/v1${CHAT}`,
        )
      }),
    )
  })

  test('a joined URL given as the base joins to itself', () => {
    fc.assert(
      fc.property(host, folders, fc.option(version), endpoint, (name, path, typed, pasted) => {
        const base = `https://${name}${path}${typed === null ? '' : `/${typed}`}${pasted}`
        const joined = joinUrl(base, CHAT)
        expect(joinUrl(joined, CHAT)).toBe(joined)
      }),
    )
  })
})
