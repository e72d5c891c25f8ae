import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { collect } from '../../../support/clients/collect.ts'
import { serveEcho } from './echo-server.ts'
import { askWeather, hello, oslo, parameters } from './weather.ts'

const url = await serveEcho()
const openai = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

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

  test('a picture, a sound and a document count as little as they are, however large', async () => {
    const parts = (data: string) =>
      [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
        { type: 'input_audio', input_audio: { data, format: 'wav' } },
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` },
        },
      ] as const
    const counted = async (data: string) => {
      const text = { type: 'text', text: hello } as const
      const messages = parts(data).map((part) => ({ role: 'user' as const, content: [text, part] }))
      const answers = messages.map((message) =>
        openai.chat.completions.create({ model: 'echo', messages: [message] }),
      )
      return (await Promise.all(answers)).map(({ usage }) => usage?.prompt_tokens)
    }
    expect(await counted('a'.repeat(100_000))).toEqual(await counted('aaaa'))
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
