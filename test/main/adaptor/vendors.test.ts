import { describe, expect, test } from 'vitest'
import { adaptorFor, channelOf, targetFor, urlFor } from './channel-target.ts'

describe('Anthropic', () => {
  test.each([
    '',
    'https://api.anthropic.com',
    'https://api.anthropic.com/v1/',
    'https://api.anthropic.com/v1/messages',
  ])('is called with its own key header (%s)', (baseUrl) => {
    const channel = channelOf(14, { baseUrl })
    expect(targetFor(channel, { format: 'messages' })).toEqual({
      url: 'https://api.anthropic.com/v1/messages',
      headers: { 'anthropic-version': '2023-06-01', 'x-api-key': 'secret' },
    })
    expect(urlFor(channel, { format: 'messages', verb: 'count-tokens', query: 'beta=true' })).toBe(
      'https://api.anthropic.com/v1/messages/count_tokens?beta=true',
    )
  })

  test('a compatible host gets the key both ways, or the one that its owner chose', () => {
    const baseUrl = 'https://open.bigmodel.cn/api/anthropic'
    const { headers, url } = targetFor(channelOf(14, { baseUrl }), { format: 'messages' })
    expect(url).toBe('https://open.bigmodel.cn/api/anthropic/v1/messages')
    expect(headers).toMatchObject({ 'x-api-key': 'secret', authorization: 'Bearer secret' })

    const bearer = channelOf(14, { settings: { anthropic_auth: 'bearer' } })
    expect(targetFor(bearer, { format: 'messages' }).headers).toEqual({
      'anthropic-version': '2023-06-01',
      authorization: 'Bearer secret',
    })
  })

  test('lists models page by page', () => {
    const channel = channelOf(14)
    const list = adaptorFor(channel).modelList(channel)
    expect(list.url).toBe('https://api.anthropic.com/v1/models?limit=1000')
    expect(list.headers).toMatchObject({ 'anthropic-version': '2023-06-01', 'x-api-key': 'secret' })
    expect(list.parse({ data: [{ id: 'a' }], has_more: true, last_id: 'a b' })).toEqual({
      models: ['a'],
      next: 'https://api.anthropic.com/v1/models?limit=1000&after_id=a%20b',
    })
    expect(list.parse({ data: [{ id: 'z' }], has_more: false, last_id: 'z' })).toEqual({
      models: ['z'],
    })
  })

  test('has no place for a Gemini call', () => {
    expect(() => urlFor(channelOf(14), { format: 'generate-content' })).toThrow(
      expect.objectContaining({ code: 'format_not_served' }),
    )
  })
})

describe('Gemini', () => {
  const google = 'https://generativelanguage.googleapis.com'
  const call = { format: 'generate-content', model: 'gemini-3.8-flash' } as const

  test.each([
    ['', true],
    [`${google}/v1beta/openai/`, true],
    ['https://aiplatform.googleapis.com/v1/publishers/google', false],
    ['https://gemini.example.com', false],
  ])('at “%s” keeps requests unasked: %s', (baseUrl, isSo) => {
    const channel = channelOf(24, { baseUrl })
    expect(adaptorFor(channel).storesUnasked?.(channel)).toBe(isSo)
  })

  test.each([
    [{}, '/v1beta/models/gemini-3.8-flash:generateContent'],
    [{ stream: true }, '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse'],
    [{ stream: true, altSse: false }, '/v1beta/models/gemini-3.8-flash:streamGenerateContent'],
    [{ verb: 'count-tokens' }, '/v1beta/models/gemini-3.8-flash:countTokens'],
    [{ model: 'models/gemini-pro' }, '/v1beta/models/gemini-pro:generateContent'],
    [{ model: 'tunedModels/mine' }, '/v1beta/tunedModels/mine:generateContent'],
    [{ model: 'vendor/name 1' }, '/v1beta/models/vendor/name%201:generateContent'],
    [{ model: 'x?key=1' }, '/v1beta/models/x%3Fkey%3D1:generateContent'],
    [{ query: '?key=client&alt=sse' }, '/v1beta/models/gemini-3.8-flash:generateContent'],
  ] as const)('%o', (fields, path) => {
    expect(targetFor(channelOf(24), { ...call, ...fields })).toEqual({
      url: google + path,
      headers: { 'x-goog-api-key': 'secret' },
    })
  })

  test.each([
    [{ other: 'v1' }, `${google}/v1/models/gemini-3.8-flash:generateContent`],
    [{ baseUrl: `${google}/v1` }, `${google}/v1/models/gemini-3.8-flash:generateContent`],
    [
      { baseUrl: `${google}/v1beta/openai/` },
      `${google}/v1beta/models/gemini-3.8-flash:generateContent`,
    ],
    [
      { baseUrl: `${google}/v1beta/models/gemini-pro:generateContent?key=x` },
      `${google}/v1beta/models/gemini-3.8-flash:generateContent`,
    ],
  ])('of the version that its owner gave: %o', (fields, expected) => {
    expect(urlFor(channelOf(24, fields), call)).toBe(expected)
  })

  test('lists models page by page, without their collection', () => {
    const channel = channelOf(24)
    const list = adaptorFor(channel).modelList(channel)
    expect(list.url).toBe(`${google}/v1beta/models?pageSize=1000`)
    expect(list.parse({ models: [{ name: 'models/gemini-pro' }], nextPageToken: 'a=' })).toEqual({
      models: ['gemini-pro'],
      next: `${google}/v1beta/models?pageSize=1000&pageToken=a%3D`,
    })
  })

  test('serves chat at Google’s OpenAI layer when its owner lists it', () => {
    const channel = channelOf(24, { settings: { endpoint_types: ['gemini', 'openai'] } })
    expect(targetFor(channel)).toEqual({
      url: `${google}/v1beta/openai/chat/completions`,
      headers: { authorization: 'Bearer secret' },
    })
  })
})

describe('Azure OpenAI', () => {
  const baseUrl = 'https://mine.openai.azure.com'
  const model = 'my deployment'

  test.each([
    ['', '/openai/v1/chat/completions'],
    ['v1', '/openai/v1/chat/completions'],
    ['preview', '/openai/v1/chat/completions?api-version=preview'],
    ['2024-10-21', '/openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21'],
  ])('API version “%s”', (other, path) => {
    expect(targetFor(channelOf(3, { baseUrl, other }), { model })).toEqual({
      url: baseUrl + path,
      headers: { 'api-key': 'secret' },
    })
  })

  test.each(['/', '/openai', '/openai/v1/', '/openai/v1/chat/completions', '/api/projects/p1'])(
    'a resource pasted with %s',
    (path) => {
      expect(urlFor(channelOf(3, { baseUrl: baseUrl + path }))).toBe(
        `${baseUrl}/openai/v1/chat/completions`,
      )
    },
  )

  test('a pasted deployment brings its API version', () => {
    const pasted = `${baseUrl}/openai/deployments/old/chat/completions?api-version=2024-06-01`
    expect(urlFor(channelOf(3, { baseUrl: pasted }), { model: 'new' })).toBe(
      `${baseUrl}/openai/deployments/new/chat/completions?api-version=2024-06-01`,
    )
  })

  test('Responses has no deployment in its path, and may have a version of its own', () => {
    const responses = { format: 'responses' } as const
    expect(urlFor(channelOf(3, { baseUrl, other: '2025-04-01-preview' }), responses)).toBe(
      `${baseUrl}/openai/responses?api-version=2025-04-01-preview`,
    )
    const settings = { azure_responses_version: 'preview' }
    expect(urlFor(channelOf(3, { baseUrl, other: '2024-10-21', settings }), responses)).toBe(
      `${baseUrl}/openai/v1/responses?api-version=preview`,
    )
  })

  test('lists models with the same version', () => {
    const channel = channelOf(3, { baseUrl, other: '2024-10-21' })
    const list = adaptorFor(channel).modelList(channel)
    expect(list.url).toBe(`${baseUrl}/openai/models?api-version=2024-10-21`)
    expect(list.headers).toEqual({ 'api-key': 'secret' })
  })

  test('without a resource it says so', () => {
    expect(() => urlFor(channelOf(3))).toThrow(/needs a base URL/)
  })
})
