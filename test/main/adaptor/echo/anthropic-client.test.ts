import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { collect } from '../../../support/clients/collect.ts'
import { serveEcho } from './echo-server.ts'
import { askWeather, hello, oslo, parameters } from './weather.ts'

const url = await serveEcho()
const anthropic = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })

describe('Messages', () => {
  const tools = [{ name: 'get_weather', input_schema: { ...parameters, type: 'object' as const } }]
  const base = { model: 'echo', max_tokens: 1000 }
  const user = (content: string) => [{ role: 'user' as const, content }]

  test('text', async () => {
    const answer = await anthropic.messages.create({ ...base, messages: user(hello) })
    expect(answer).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'echo',
      content: [{ type: 'text', text: `Echo: ${hello}` }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    })
    expect(answer.usage.input_tokens).toBeGreaterThan(5)
  })

  test('a longer conversation hears its last question back, not its first', async () => {
    const messages = [
      ...user(hello),
      { role: 'assistant' as const, content: `Echo: ${hello}` },
      ...user('And now?'),
    ]
    const answer = await anthropic.messages.create({ ...base, messages })
    expect(answer.content).toMatchObject([{ text: 'Echo: And now?' }])
  })

  test('thinking and text, streamed event by event', async () => {
    const stream = anthropic.messages.stream({
      ...base,
      messages: user(hello),
      thinking: { type: 'adaptive' },
    })
    const events = await collect(stream)
    const answer = await stream.finalMessage()
    expect(answer.content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    expect(answer.content[0]).toMatchObject({ signature: expect.stringMatching(/.+/) })
    expect(answer.content[1]).toMatchObject({ text: `Echo: ${hello}` })
    expect(answer.usage.output_tokens).toBeGreaterThan(20)
    expect(events[0]?.type).toBe('message_start')
    expect(events.at(-1)?.type).toBe('message_stop')
    expect(events.filter(({ type }) => type === 'content_block_delta').length).toBeGreaterThan(6)
  })

  test('a tool call, whole and streamed, and an answer to its result', async () => {
    const request = { ...base, messages: user(askWeather), tools }
    const answer = await anthropic.messages.create(request)
    const streamed = await anthropic.messages.stream(request).finalMessage()
    for (const message of [answer, streamed]) {
      expect(message.stop_reason).toBe('tool_use')
      expect(message.content.at(-1)).toMatchObject({
        type: 'tool_use',
        name: 'get_weather',
        input: oslo,
      })
    }
    const use = answer.content.find((block) => block.type === 'tool_use')
    const result = await anthropic.messages.create({
      ...request,
      tool_choice: { type: 'any' },
      messages: [
        ...request.messages,
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: use?.id ?? '', name: 'get_weather', input: {} }],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: use?.id ?? '',
              content: [{ type: 'text', text: 'rain' }],
            },
          ],
        },
      ],
    })
    expect(result.stop_reason).toBe('end_turn')
    expect(result.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('rain') })
  })

  test('limits and stop sequences are kept to and reported', async () => {
    const short = await anthropic.messages.create({
      model: 'echo',
      max_tokens: 2,
      messages: user(hello),
    })
    expect(short.stop_reason).toBe('max_tokens')
    expect(short.usage.output_tokens).toBeLessThanOrEqual(2)
    const stopped = await anthropic.messages.create({
      ...base,
      messages: user(hello),
      stop_sequences: ['wide', 'there'],
    })
    expect(stopped).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'there',
      content: [{ text: 'Echo: Hello ' }],
    })
  })

  test('tokens are counted, a picture as little as it is', async () => {
    const count = async (data: string) => {
      const source = { type: 'base64' as const, media_type: 'image/png' as const, data }
      const content = [
        { type: 'image' as const, source },
        { type: 'text' as const, text: hello },
      ]
      const messages = [{ role: 'user' as const, content }]
      return (await anthropic.messages.countTokens({ model: 'echo', messages })).input_tokens
    }
    const small = await count('aaaa')
    expect(small).toBeGreaterThan(100)
    expect(await count('a'.repeat(100_000))).toBe(small)
  })

  test('a picture is named', async () => {
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data: 'aaaa' }
    const content = [
      { type: 'image' as const, source },
      { type: 'text' as const, text: 'Look' },
    ]
    const answer = await anthropic.messages.create({
      ...base,
      messages: [{ role: 'user', content }],
    })
    expect(answer.content[0]).toMatchObject({ text: 'Echo: (an image) Look' })
  })
})
