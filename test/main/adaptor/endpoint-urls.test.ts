import { describe, expect, test } from 'vitest'
import type { CallFormat } from '../../../main/convert/call-format.ts'
import { channelOf, targetFor, urlFor } from './channel-target.ts'

const openAiPaths: [CallFormat, string][] = [
  ['completions', '/completions'],
  ['compact', '/responses/compact'],
  ['embeddings', '/embeddings'],
  ['images', '/images/generations'],
  ['image-edits', '/images/edits'],
  ['image-variations', '/images/variations'],
  ['transcriptions', '/audio/transcriptions'],
  ['translations', '/audio/translations'],
  ['speech', '/audio/speech'],
  ['rerank', '/rerank'],
]

const notServed = expect.objectContaining({ code: 'format_not_served' })

describe('an OpenAI-compatible host is asked for', () => {
  test.each(openAiPaths)('%s under its root', (format, path) => {
    expect(targetFor(channelOf(1), { format })).toEqual({
      url: `https://api.openai.com/v1${path}`,
      headers: { authorization: 'Bearer secret' },
    })
    const groq = channelOf(1, { preset: 'groq' })
    expect(urlFor(groq, { format })).toBe(`https://api.groq.com/openai/v1${path}`)
    const zhipu = channelOf(26)
    expect(urlFor(zhipu, { format })).toBe(`https://open.bigmodel.cn/api/paas/v4${path}`)
  })

  test.each(openAiPaths)('%s, whichever other endpoint was pasted', (format, path) => {
    for (const [, pasted] of openAiPaths) {
      const baseUrl = `https://host.example/v1${pasted}`
      expect(urlFor(channelOf(1, { baseUrl }), { format })).toBe(`https://host.example/v1${path}`)
    }
  })

  test.each([
    ['cohere-rerank', 'http://localhost:8000/v2/rerank'],
    ['tei-rerank', 'http://localhost:8000/rerank'],
    ['ollama-embed', 'http://localhost:8000/api/embed'],
  ] as const)('%s from the host on', (format, expected) => {
    for (const path of ['', '/', '/v1', '/v1/', '/v1/chat/completions', '/v1/rerank']) {
      const baseUrl = `http://localhost:8000${path}`
      expect(urlFor(channelOf(1, { baseUrl }), { format })).toBe(expected)
    }
  })

  test('rankings of Hugging Face’s server, when its own endpoint was pasted', () => {
    const channel = channelOf(1, { preset: 'tei', baseUrl: 'http://localhost:8080/rerank' })
    expect(urlFor(channel, { format: 'tei-rerank' })).toBe('http://localhost:8080/rerank')
  })

  test('two formats of one call, each at its own URL', () => {
    const channel = channelOf(1, { baseUrl: 'http://localhost:8000' })
    expect(urlFor(channel, { format: 'rerank' })).toBe('http://localhost:8000/v1/rerank')
    expect(urlFor(channel, { format: 'cohere-rerank' })).toBe('http://localhost:8000/v2/rerank')
    expect(urlFor(channel, { format: 'responses', verb: 'count-tokens' })).toBe(
      'http://localhost:8000/v1/responses/input_tokens',
    )
    expect(urlFor(channel, { format: 'responses' })).toBe('http://localhost:8000/v1/responses')
  })

  test('nothing that only a socket serves', () => {
    expect(() => urlFor(channelOf(1), { format: 'realtime' })).toThrow(notServed)
    expect(() => urlFor(channelOf(1), { format: 'speech', verb: 'count-tokens' })).toThrow(
      notServed,
    )
  })
})

describe('Azure is asked for', () => {
  const baseUrl = 'https://mine.openai.azure.com'
  const current = channelOf(3, { baseUrl })
  const dated = channelOf(3, { baseUrl, other: '2025-04-01-preview' })
  const model = 'my deployment'
  const query = '?api-version=2025-04-01-preview'

  test.each(openAiPaths.filter(([format]) => !/compact|variations|rerank/.test(format)))(
    '%s by the current API, and of a deployment by a dated one',
    (format, path) => {
      expect(targetFor(current, { format, model })).toEqual({
        url: `${baseUrl}/openai/v1${path}`,
        headers: { 'api-key': 'secret' },
      })
      expect(urlFor(dated, { format, model })).toBe(
        `${baseUrl}/openai/deployments/my%20deployment${path}${query}`,
      )
    },
  )

  test('compact beside Responses, without a deployment', () => {
    expect(urlFor(current, { format: 'compact' })).toBe(`${baseUrl}/openai/v1/responses/compact`)
    expect(urlFor(dated, { format: 'compact' })).toBe(`${baseUrl}/openai/responses/compact${query}`)
  })

  test.each(['rerank', 'image-variations', 'cohere-embed'] as const)('%s in vain', (format) => {
    expect(() => urlFor(current, { format })).toThrow(notServed)
  })
})

describe('Gemini is asked for', () => {
  const models = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001'
  const model = 'gemini-embedding-001'

  test.each([
    ['embed-content', ':embedContent'],
    ['batch-embed-contents', ':batchEmbedContents'],
  ] as const)('%s by its own verb', (format, verb) => {
    expect(targetFor(channelOf(24), { format, model })).toEqual({
      url: models + verb,
      headers: { 'x-goog-api-key': 'secret' },
    })
    const mirror = channelOf(1, { baseUrl: 'https://mirror.example' })
    expect(targetFor(mirror, { format, model })).toEqual({
      url: `https://mirror.example/v1beta/models/${model}${verb}`,
      headers: { authorization: 'Bearer secret', 'x-goog-api-key': 'secret' },
    })
  })

  test.each(['embeddings', 'images', 'speech', 'rerank', 'completions'] as const)(
    '%s in vain: it has no such URL',
    (format) => {
      expect(() => urlFor(channelOf(24), { format })).toThrow(notServed)
    },
  )
})

test('Anthropic is asked for conversations alone', () => {
  for (const [format] of openAiPaths) {
    expect(() => urlFor(channelOf(14), { format })).toThrow(notServed)
  }
})

describe('a custom URL', () => {
  test.each([
    ['https://h/x/embeddings', 'embeddings'],
    ['https://h/x/rerank/', 'rerank'],
    ['https://h/v2/rerank', 'cohere-rerank'],
    ['https://h/v2/embed', 'cohere-embed'],
    ['https://h/api/embed', 'ollama-embed'],
    ['https://h/x/images/generations', 'images'],
    ['https://h/x/images/edits?v=2', 'image-edits'],
    ['https://h/x/images/variations', 'image-variations'],
    ['https://h/x/audio/speech', 'speech'],
    ['https://h/x/audio/transcriptions', 'transcriptions'],
    ['https://h/x/audio/translations', 'translations'],
    ['https://h/x/completions', 'completions'],
    ['https://h/x/responses/compact', 'compact'],
    ['https://h/m/{model}:embedContent', 'embed-content'],
    ['https://h/m/{model}:batchEmbedContents', 'batch-embed-contents'],
  ] as const)('%s is called as it stands for %s', (baseUrl, format) => {
    const expected = baseUrl.replace('{model}', 'a%2Fb').replace(/\/$/, '')
    expect(urlFor(channelOf(8, { baseUrl }), { format, model: 'a/b' })).toBe(expected)
  })

  test('of one call is not used for another', () => {
    const channel = channelOf(8, { baseUrl: 'https://h/v1/audio/speech' })
    expect(urlFor(channel, { format: 'transcriptions' })).toBe('https://h/v1/audio/transcriptions')
    const run = channelOf(8, { baseUrl: 'https://h/run' })
    expect(() => urlFor(run, { format: 'embeddings' })).toThrow(notServed)
  })
})
