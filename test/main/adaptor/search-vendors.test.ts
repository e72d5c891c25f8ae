import { describe, expect, test } from 'vitest'
import { adaptorFor, channelOf, targetFor, urlFor } from './channel-target.ts'

describe('Cohere', () => {
  const host = 'https://api.cohere.ai'

  test.each([
    '',
    host,
    `${host}/`,
    `${host}/v1`,
    `${host}/v2/`,
    `${host}/v2/chat`,
    `${host}/v2/embed`,
    `${host}/v2/rerank`,
    `${host}/compatibility`,
    `${host}/compatibility/v1`,
    `${host}/compatibility/v1/chat/completions`,
    `${host}/compatibility/v1/embeddings`,
  ])('with the address “%s”: chat at its layer, the rest at its own API', (baseUrl) => {
    const channel = channelOf(34, { baseUrl })
    expect(targetFor(channel)).toEqual({
      url: `${host}/compatibility/v1/chat/completions`,
      headers: { authorization: 'Bearer secret' },
    })
    expect(urlFor(channel, { format: 'cohere-embed' })).toBe(`${host}/v2/embed`)
    expect(urlFor(channel, { format: 'cohere-rerank' })).toBe(`${host}/v2/rerank`)
    expect(adaptorFor(channel).modelList(channel).url).toBe(`${host}/v1/models?page_size=1000`)
  })

  test('behind a mirror keeps the mirror’s folder', () => {
    const channel = channelOf(34, { baseUrl: 'https://mirror.example/cohere' })
    expect(urlFor(channel)).toBe('https://mirror.example/cohere/compatibility/v1/chat/completions')
    expect(urlFor(channel, { format: 'cohere-embed' })).toBe(
      'https://mirror.example/cohere/v2/embed',
    )
  })

  test('lists models page by page', () => {
    const channel = channelOf(34)
    const { parse } = adaptorFor(channel).modelList(channel)
    const models = [{ name: 'embed-v4.0', endpoints: ['embed'] }]
    expect(parse({ models, next_page_token: 'a=' })).toEqual({
      models: ['embed-v4.0'],
      next: `${host}/v1/models?page_size=1000&page_token=a%3D`,
    })
    expect(parse({ models, next_page_token: '' })).toEqual({ models: ['embed-v4.0'] })
  })

  test('is sent no stream_options, unless its owner wants it', () => {
    const takes = (settings = {}) => {
      const channel = channelOf(34, { settings })
      return adaptorFor(channel).takesStreamOptions(channel)
    }
    expect(takes()).toBe(false)
    expect(takes({ stream_options: true })).toBe(true)
  })

  test('as a channel of OpenAI’s type is known by its address', () => {
    const channel = channelOf(1, { baseUrl: `${host}/compatibility/v1` })
    const adaptor = adaptorFor(channel)
    expect(adaptor.takesStreamOptions(channel)).toBe(false)
    expect(adaptor.otherFormat?.('rerank', channel)).toBe('cohere-rerank')
    expect(urlFor(channel, { format: 'cohere-rerank' })).toBe(`${host}/v2/rerank`)
    expect(urlFor(channel, { format: 'embeddings' })).toBe(`${host}/compatibility/v1/embeddings`)
  })
})

test.each(['', 'https://api.jina.ai', 'https://api.jina.ai/v1/', 'https://api.jina.ai/v1/rerank'])(
  'Jina with the address “%s” embeds and ranks',
  (baseUrl) => {
    const channel = channelOf(38, { baseUrl })
    expect(urlFor(channel, { format: 'jina-embed' })).toBe('https://api.jina.ai/v1/embeddings')
    expect(urlFor(channel, { format: 'rerank' })).toBe('https://api.jina.ai/v1/rerank')
    expect(adaptorFor(channel).endpointTypes(channel)).toEqual(['embeddings', 'jina-rerank'])
  },
)

test.each([
  '',
  'http://localhost:11434',
  'http://localhost:11434/v1',
  'http://localhost:11434/v1/embeddings',
  'http://localhost:11434/api',
  'http://localhost:11434/api/embed',
  'http://localhost:11434/api/tags/',
])('Ollama with the address “%s” embeds by its own API', (baseUrl) => {
  const channel = channelOf(4, { baseUrl })
  expect(urlFor(channel, { format: 'ollama-embed' })).toBe('http://localhost:11434/api/embed')
  expect(urlFor(channel)).toBe('http://localhost:11434/v1/chat/completions')
  expect(adaptorFor(channel).modelList(channel).url).toBe('http://localhost:11434/api/tags')
})

test('Voyage is asked for embeddings and rankings where it serves them', () => {
  const channel = channelOf(1, { preset: 'voyage' })
  expect(urlFor(channel, { format: 'embeddings' })).toBe('https://api.voyageai.com/v1/embeddings')
  expect(urlFor(channel, { format: 'voyage-rerank' })).toBe('https://api.voyageai.com/v1/rerank')
  expect(adaptorFor(channel).endpointTypes(channel)).toEqual(['embeddings', 'jina-rerank'])
})
