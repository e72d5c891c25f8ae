import { describe, expect, test } from 'vitest'
import type { ChannelTarget } from '../../../main/adaptor/adaptor.ts'
import { adaptorFor, callOf, channelOf, targetFor, urlFor } from './channel-target.ts'

describe('a channel without a base URL calls its vendor', () => {
  test.each([
    [1, 'https://api.openai.com/v1/chat/completions'],
    [4, 'http://localhost:11434/v1/chat/completions'],
    [17, 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    [20, 'https://openrouter.ai/api/v1/chat/completions'],
    [25, 'https://api.moonshot.cn/v1/chat/completions'],
    [26, 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [27, 'https://api.perplexity.ai/chat/completions'],
    [35, 'https://api.minimax.chat/v1/chat/completions'],
    [40, 'https://api.siliconflow.cn/v1/chat/completions'],
    [42, 'https://api.mistral.ai/v1/chat/completions'],
    [43, 'https://api.deepseek.com/v1/chat/completions'],
    [45, 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    [46, 'https://qianfan.baidubce.com/v2/chat/completions'],
    [48, 'https://api.x.ai/v1/chat/completions'],
  ])('type %i', (type, expected) => {
    expect(urlFor(channelOf(type))).toBe(expected)
  })
})

describe('a vendor that also speaks Anthropic’s format at another path', () => {
  const call = { format: 'messages', query: '?beta=true' } as const

  test('gets messages there, with the key in both headers', () => {
    const channel = channelOf(43)
    expect(targetFor(channel, call)).toEqual({
      url: 'https://api.deepseek.com/anthropic/v1/messages?beta=true',
      headers: {
        'anthropic-version': '2023-06-01',
        'x-api-key': 'secret',
        authorization: 'Bearer secret',
      },
    })
    expect(adaptorFor(channel).endpointTypes(channel)).toEqual(['openai', 'anthropic'])
  })

  test.each([
    [26, { preset: 'zhipu' }, 'https://open.bigmodel.cn/api/anthropic/v1/messages'],
    [26, { preset: 'zai' }, 'https://api.z.ai/api/anthropic/v1/messages'],
    [25, { preset: 'moonshot' }, 'https://api.moonshot.ai/anthropic/v1/messages'],
    [25, {}, 'https://api.moonshot.cn/anthropic/v1/messages'],
    [35, { preset: 'minimax' }, 'https://api.minimax.io/anthropic/v1/messages'],
    [17, {}, 'https://dashscope.aliyuncs.com/apps/anthropic/v1/messages'],
    [
      45,
      { preset: 'volcengine-coding' },
      'https://ark.cn-beijing.volces.com/api/coding/v1/messages',
    ],
    [20, {}, 'https://openrouter.ai/api/v1/messages'],
    [1, { baseUrl: 'https://api.deepseek.com' }, 'https://api.deepseek.com/anthropic/v1/messages'],
  ])('type %i %o', (type, fields, expected) => {
    expect(urlFor(channelOf(type, fields), { format: 'messages' })).toBe(expected)
  })

  test('never gets the key of a channel that its owner pointed at another host', () => {
    const channel = channelOf(43, { preset: 'deepseek', baseUrl: 'https://proxy.example/ds' })
    expect(urlFor(channel, call)).toContain('https://proxy.example/')
    expect(adaptorFor(channel).endpointTypes(channel)).toEqual(['openai'])
  })

  test('is called where the channel’s settings say', () => {
    const settings = { anthropic_base_url: 'https://proxy.example/claude' }
    const channel = channelOf(43, { baseUrl: 'https://proxy.example/ds', settings })
    expect(urlFor(channel, { format: 'messages', verb: 'count-tokens' })).toBe(
      'https://proxy.example/claude/v1/messages/count_tokens',
    )
  })
})

test('a preset of a vendor without a type of its own gives address and root', () => {
  expect(urlFor(channelOf(1, { preset: 'groq' }))).toBe(
    'https://api.groq.com/openai/v1/chat/completions',
  )
  expect(urlFor(channelOf(1, { preset: 'groq', baseUrl: 'https://api.groq.com' }))).toBe(
    'https://api.groq.com/openai/v1/chat/completions',
  )
  expect(urlFor(channelOf(1, { preset: 'deepinfra' }), { format: 'responses' })).toBe(
    'https://api.deepinfra.com/v1/openai/responses',
  )
  // A preset of another type is not this channel's.
  expect(urlFor(channelOf(1, { preset: 'deepseek' }))).toContain('https://api.openai.com/')
})

describe('what a channel is taken to serve', () => {
  const endpoints = (type: number, fields = {}) => {
    const channel = channelOf(type, fields)
    return adaptorFor(channel).endpointTypes(channel)
  }

  test('OpenAI at its own host serves Responses, a host that imitates it does not', () => {
    expect(endpoints(1)).toContain('openai-response')
    expect(endpoints(1, { baseUrl: 'https://eu.api.openai.com/v1' })).toContain('realtime')
    const imitated = endpoints(1, { baseUrl: 'https://notapi.openai.com.example/v1' })
    expect(imitated).not.toContain('openai-response')
    expect(imitated).not.toContain('realtime')
    expect(imitated).not.toContain('anthropic')
  })

  test('a port of this machine does not tell the server behind it', () => {
    expect(endpoints(1, { baseUrl: 'http://localhost:8080' })).not.toContain('anthropic')
    expect(endpoints(1, { preset: 'llama-cpp' })).toContain('anthropic')
  })

  test('the owner’s list wins; nonsense in it is ignored', () => {
    const settings = { endpoint_types: ['gemini', 'nonsense', 'openai'] }
    expect(endpoints(1, { settings })).toEqual(['gemini', 'openai'])
    expect(endpoints(1, { settings: { endpoint_types: 'openai' } })).toContain('openai-response')
  })

  test('an unusable base URL does not stop the choice among channels', () => {
    for (const type of [1, 3, 8, 14, 24, 43]) {
      expect(endpoints(type, { baseUrl: 'not a url' }).length).toBeGreaterThan(0)
    }
  })
})

describe('Ollama', () => {
  test.each(['', 'http://10.0.0.2:11434', 'http://10.0.0.2:11434/v1/'])(
    'lists its tags (%s)',
    (baseUrl) => {
      const channel = channelOf(4, { baseUrl, key: '' })
      const list = adaptorFor(channel).modelList(channel)
      expect(list.url).toMatch(/^http:\/\/[^/]+:11434\/api\/tags$/)
      expect(list.headers).toEqual({})
      expect(list.parse({ models: [{ name: 'gemma3:4b', model: 'gemma3:4b' }] })).toEqual({
        models: ['gemma3:4b'],
      })
    },
  )
})

describe('a custom channel', () => {
  const url = 'https://gw.example/deployments/{model}/chat/completions?tenant=7'

  test('calls its URL as typed, with the model put in', () => {
    expect(urlFor(channelOf(8, { baseUrl: url }), { model: 'a/b' })).toBe(
      'https://gw.example/deployments/a%2Fb/chat/completions?tenant=7',
    )
    expect(urlFor(channelOf(8, { baseUrl: 'https://gw.example/run?m={model}' }))).toBe(
      'https://gw.example/run?m=m',
    )
  })

  test('serves the format that its URL ends in', () => {
    const served = (baseUrl: string) => {
      const channel = channelOf(8, { baseUrl })
      return adaptorFor(channel).endpointTypes(channel)
    }
    expect(served(url)).toEqual(['openai'])
    expect(served('https://h/v1/messages')).toEqual(['anthropic'])
    expect(served('https://h/v1/responses/')).toEqual(['openai-response'])
    expect(served('https://h/v1/models/{model}:generateContent')).toEqual(['gemini'])
  })

  test('streams Gemini at the streaming verb', () => {
    const baseUrl = 'https://h/v1beta/models/{model}:generateContent'
    expect(urlFor(channelOf(8, { baseUrl }), { format: 'generate-content', stream: true })).toBe(
      'https://h/v1beta/models/m:streamGenerateContent?alt=sse',
    )
  })

  test.each([
    ['?alt=sse', '?alt=sse'],
    ['?tenant=7&alt=sse', '?tenant=7&alt=sse'],
    ['?tenant=7', '?tenant=7&alt=sse'],
  ])('asks Gemini for events once, at a URL that ends in %s', (typed, asked) => {
    const baseUrl = `https://h/v1beta/models/{model}:streamGenerateContent${typed}`
    expect(urlFor(channelOf(8, { baseUrl }), { format: 'generate-content', stream: true })).toBe(
      `https://h/v1beta/models/m:streamGenerateContent${asked}`,
    )
  })

  test('counts tokens beside its URL, not by a call that is paid for', () => {
    const messages = channelOf(8, { baseUrl: 'https://h/v1/messages' })
    expect(urlFor(messages, { format: 'messages', verb: 'count-tokens' })).toBe(
      'https://h/v1/messages/count_tokens',
    )
    const responses = channelOf(8, { baseUrl: 'https://h/v1/responses' })
    expect(urlFor(responses, { format: 'responses', verb: 'count-tokens' })).toBe(
      'https://h/v1/responses/input_tokens',
    )
  })

  test('refuses a call that its URL is not for', () => {
    const channel = channelOf(8, { baseUrl: 'https://h/run' })
    expect(() => urlFor(channel, { format: 'messages' })).toThrow(
      expect.objectContaining({ code: 'format_not_served' }),
    )
    expect(() => adaptorFor(channel).modelList(channel)).toThrow(/Type their names/)
  })
})

test('a chat call cannot count tokens', () => {
  expect(() => urlFor(channelOf(1), { verb: 'count-tokens' })).toThrow(
    expect.objectContaining({ code: 'format_not_served' }),
  )
})

test('the organization of a channel is sent, an empty key is not', () => {
  expect(targetFor(channelOf(1, { openaiOrganization: 'org-1' })).headers).toEqual({
    authorization: 'Bearer secret',
    'openai-organization': 'org-1',
  })
  expect(targetFor(channelOf(1, { key: '', baseUrl: 'http://localhost:1234' })).headers).toEqual({})
})

test('stream_options is withheld from vendors that refuse it, and where the owner says so', () => {
  const takes = (type: number, fields = {}) => {
    const channel = channelOf(type, fields)
    return adaptorFor(channel).takesStreamOptions(channel)
  }
  expect(takes(1)).toBe(true)
  expect(takes(42)).toBe(false)
  expect(takes(1, { baseUrl: 'https://api.mistral.ai/v1' })).toBe(false)
  expect(takes(42, { settings: { stream_options: true } })).toBe(true)
  expect(takes(1, { settings: { stream_options: false } })).toBe(false)
})

test('what is worked out of a channel is not worked out again for every call', () => {
  const channel = channelOf(43)
  const adaptor = adaptorFor(channel)
  const call = callOf()
  const cost = (channelOfCall: () => ChannelTarget) => {
    const start = performance.now()
    for (let count = 0; count < 5000; count++) adaptor.target(channelOfCall(), call)
    return performance.now() - start
  }
  const rounds = [0, 1, 2, 3]
  const known = Math.min(...rounds.map(() => cost(() => channel)))
  const unknown = Math.min(...rounds.map(() => cost(() => ({ ...channel }))))
  expect(known).toBeLessThan(unknown / 3)
})
