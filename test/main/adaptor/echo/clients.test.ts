import type { Server } from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import { FunctionCallingConfigMode, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveEcho } from './echo-server.ts'

let server: Server
let openai: OpenAI
let anthropic: Anthropic
let google: GoogleGenAI

beforeAll(async () => {
  const served = await serveEcho()
  server = served.server
  openai = new OpenAI({ apiKey: 'k', baseURL: `${served.url}/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: 'k', baseURL: served.url, maxRetries: 0 })
  google = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: served.url } })
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
}
const hello = 'Hello there, wide world 世界'
const askWeather = 'Please use get_weather for {"city": "Oslo", "days": 2}'
const oslo = { city: 'Oslo', days: 2 }

async function collect<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

describe('Chat Completions', () => {
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }]
  const user = (content: string) => [{ role: 'user' as const, content }]

  test('text', async () => {
    const answer = await openai.chat.completions.create({ model: 'echo', messages: user(hello) })
    expect(answer.model).toBe('echo')
    expect(answer.choices[0]?.message.content).toBe(`Echo: ${hello}`)
    expect(answer.choices[0]?.finish_reason).toBe('stop')
    const { prompt_tokens, completion_tokens, total_tokens } = answer.usage ?? {}
    expect(prompt_tokens).toBeGreaterThan(5)
    expect(completion_tokens).toBeGreaterThan(5)
    expect(total_tokens).toBe(Number(prompt_tokens) + Number(completion_tokens))
  })

  test('text, streamed in pieces with usage only when asked for', async () => {
    const request = { model: 'echo', messages: user(hello), stream: true } as const
    const chunks = await collect(
      await openai.chat.completions.create({ ...request, stream_options: { include_usage: true } }),
    )
    const texts = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '')
    expect(texts.join('')).toBe(`Echo: ${hello}`)
    expect(texts.filter((text) => text !== '').length).toBeGreaterThan(3)
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) },
    })

    const unasked = await collect(await openai.chat.completions.create(request))
    expect(unasked.every((chunk) => !('usage' in chunk) && chunk.choices.length === 1)).toBe(true)
  })

  test('a tool call, whole and streamed', async () => {
    const request = { model: 'echo', messages: user(askWeather), tools }
    const answer = await openai.chat.completions.create(request)
    const call = answer.choices[0]?.message.tool_calls?.[0]
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls')
    expect(call).toMatchObject({ type: 'function', function: { name: 'get_weather' } })
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(oslo)

    const streamed = await openai.chat.completions.stream(request).finalChatCompletion()
    const again = streamed.choices[0]?.message.tool_calls?.[0]
    expect(again?.type === 'function' && JSON.parse(again.function.arguments)).toEqual(oslo)
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls')
  })

  test('a tool’s result ends the loop', async () => {
    const tool_calls = [
      { id: 'c1', type: 'function' as const, function: { name: 'get_weather', arguments: '{}' } },
    ]
    const answer = await openai.chat.completions.create({
      model: 'echo',
      tools,
      tool_choice: 'required',
      messages: [
        ...user(askWeather),
        { role: 'assistant', content: null, tool_calls },
        { role: 'tool', tool_call_id: 'c1', content: 'rain' },
      ],
    })
    expect(answer.choices[0]?.message.tool_calls).toBeUndefined()
    expect(answer.choices[0]?.message.content).toContain('rain')
  })

  test('a limit is kept to and reported', async () => {
    const answer = await openai.chat.completions.create({
      model: 'echo',
      messages: user('x'.repeat(400)),
      max_completion_tokens: 10,
    })
    expect(answer.choices[0]?.finish_reason).toBe('length')
    expect(answer.usage?.completion_tokens).toBeLessThanOrEqual(10)
    expect(answer.usage?.completion_tokens).toBeGreaterThan(7)
  })

  test('a wrong body is refused in OpenAI’s shape', async () => {
    const wrong = openai.chat.completions.create({ model: 'echo', messages: [] })
    await expect(wrong).rejects.toMatchObject({ status: 400, param: 'messages' })
  })
})

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

describe('generateContent', () => {
  const config = {
    tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: parameters }] }],
  }

  test('text, whole and streamed', async () => {
    const request = { model: 'echo', contents: hello }
    const answer = await google.models.generateContent(request)
    expect(answer.text).toBe(`Echo: ${hello}`)
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP')
    expect(answer.modelVersion).toBe('echo')
    const chunks = await collect(await google.models.generateContentStream(request))
    expect(chunks.map(({ text }) => text ?? '').join('')).toBe(`Echo: ${hello}`)
    expect(chunks.length).toBeGreaterThan(3)
    expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBe(
      answer.usageMetadata?.totalTokenCount,
    )
  })

  test('a function call, whole and streamed, and an answer to its result', async () => {
    const request = { model: 'echo', contents: askWeather, config }
    const answer = await google.models.generateContent(request)
    expect(answer.functionCalls).toMatchObject([{ name: 'get_weather', args: oslo }])
    const chunks = await collect(await google.models.generateContentStream(request))
    expect(chunks.flatMap(({ functionCalls }) => functionCalls ?? [])).toMatchObject([
      { args: oslo },
    ])

    const functionResponse = { name: 'get_weather', response: { output: 'rain' } }
    const after = await google.models.generateContent({
      model: 'echo',
      contents: [
        { role: 'user', parts: [{ text: askWeather }] },
        { role: 'model', parts: [{ functionCall: { name: 'get_weather', args: oslo } }] },
        { role: 'user', parts: [{ functionResponse }] },
      ],
      config: {
        ...config,
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
      },
    })
    expect(after.functionCalls).toBeUndefined()
    expect(after.text).toContain('rain')
  })

  test('thoughts, limits and JSON as asked for', async () => {
    const answer = await google.models.generateContent({
      model: 'echo',
      contents: hello,
      config: { thinkingConfig: { includeThoughts: true } },
    })
    expect(answer.candidates?.[0]?.content?.parts?.[0]?.thought).toBe(true)
    expect(answer.usageMetadata?.thoughtsTokenCount).toBeGreaterThan(5)
    const short = await google.models.generateContent({
      model: 'echo',
      contents: hello,
      config: { maxOutputTokens: 3 },
    })
    expect(short.candidates?.[0]?.finishReason).toBe('MAX_TOKENS')
    const json = await google.models.generateContent({
      model: 'echo',
      contents: hello,
      config: { responseMimeType: 'application/json', responseJsonSchema: parameters },
    })
    expect(JSON.parse(json.text ?? '')).toEqual({ city: 'echo' })
  })

  test('tokens are counted', async () => {
    const { totalTokens } = await google.models.countTokens({ model: 'echo', contents: hello })
    expect(totalTokens).toBeGreaterThan(5)
  })
})

describe('Responses', () => {
  const tools = [{ type: 'function' as const, name: 'get_weather', parameters, strict: false }]

  test('text', async () => {
    const answer = await openai.responses.create({ model: 'echo', input: hello })
    expect(answer).toMatchObject({
      object: 'response',
      status: 'completed',
      output_text: `Echo: ${hello}`,
      error: null,
      incomplete_details: null,
    })
    expect(answer.usage?.total_tokens).toBeGreaterThan(10)
  })

  test('reasoning and text, streamed event by event', async () => {
    const request = {
      model: 'echo',
      input: [{ role: 'user' as const, content: hello }],
      reasoning: { effort: 'low' as const, summary: 'auto' as const },
      include: ['reasoning.encrypted_content' as const],
    }
    const events = await collect(await openai.responses.create({ ...request, stream: true }))
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at))
    expect(events[0]?.type).toBe('response.created')
    expect(events.at(-1)?.type).toBe('response.completed')
    const deltas = events.filter((event) => event.type === 'response.output_text.delta')
    expect(deltas.map(({ delta }) => delta).join('')).toBe(`Echo: ${hello}`)
    const items = events.filter((event) => event.type === 'response.output_item.done')
    expect(items.map(({ item }) => item.type)).toEqual(['reasoning', 'message'])
    expect(items[0]?.item).toMatchObject({ encrypted_content: expect.any(String) })

    const whole = await openai.responses.stream(request).finalResponse()
    expect(whole.output_text).toBe(`Echo: ${hello}`)
  })

  test('a function call, whole and streamed, and an answer to its result', async () => {
    const request = { model: 'echo', input: askWeather, tools }
    const answer = await openai.responses.create(request)
    const streamed = await openai.responses.stream(request).finalResponse()
    for (const { output } of [answer, streamed]) {
      const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
      expect(calls.map(({ name }) => name)).toEqual(['get_weather'])
      expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual(oslo)
    }
    const after = await openai.responses.create({
      model: 'echo',
      tools,
      tool_choice: 'required',
      input: [
        { role: 'user', content: askWeather },
        { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'rain' },
      ],
    })
    expect(after.output.map(({ type }) => type)).toEqual(['message'])
    expect(after.output_text).toContain('rain')
  })

  test('a limit makes the response incomplete', async () => {
    const request = { model: 'echo', input: 'x'.repeat(400), max_output_tokens: 16 }
    const answer = await openai.responses.create(request)
    expect(answer).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    const events = await collect(await openai.responses.create({ ...request, stream: true }))
    expect(events.at(-1)?.type).toBe('response.incomplete')
  })
})
