import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair
const model = 'echo'
const messages = [{ role: 'user' as const, content: 'Say größer 🙂' }]

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.gateway.addChannel({ type: 900, name: 'Echo', key: '', models: [model] })
})
afterAll(() => pair.close())

describe('with no vendor at all the Echo channel answers', () => {
  test('the OpenAI client', async () => {
    const client = new OpenAI({ apiKey: pair.gateway.key, baseURL: `${pair.gateway.url}/v1` })
    const row = await pair.rowAfter(async () => {
      const whole = await client.chat.completions.create({ model, messages })
      expect(whole.choices[0]?.message.content).toContain('größer 🙂')
    })
    expect(row).toMatchObject({ channelName: 'Echo', status: 200 })
    expect(row.promptTokens).toBeGreaterThan(0)
    let text = ''
    const streamed = await pair.rowAfter(async () => {
      for await (const chunk of await client.chat.completions.create({
        model,
        messages,
        stream: true,
      })) {
        text += chunk.choices[0]?.delta.content ?? ''
      }
    })
    expect(text).toContain('größer 🙂')
    expect(streamed.completionTokens).toBeGreaterThan(0)
  })

  test('the Anthropic client', async () => {
    const client = new Anthropic({ apiKey: pair.gateway.key, baseURL: pair.gateway.url })
    const whole = await client.messages.create({ model, messages, max_tokens: 100 })
    expect(JSON.stringify(whole.content)).toContain('größer 🙂')
    let final: Anthropic.Message | undefined
    const row = await pair.rowAfter(async () => {
      final = await client.messages.stream({ model, messages, max_tokens: 100 }).finalMessage()
    })
    expect(JSON.stringify(final?.content)).toContain('größer 🙂')
    expect(row).toMatchObject({
      promptTokens: final?.usage.input_tokens,
      completionTokens: final?.usage.output_tokens,
    })
    expect((await client.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0)
  })

  test('the Google client', async () => {
    const client = new GoogleGenAI({
      apiKey: pair.gateway.key,
      httpOptions: { baseUrl: pair.gateway.url },
    })
    const contents = 'Say größer 🙂'
    expect((await client.models.generateContent({ model, contents })).text).toContain('größer 🙂')
    let text = ''
    for await (const chunk of await client.models.generateContentStream({ model, contents })) {
      text += chunk.text ?? ''
    }
    expect(text).toContain('größer 🙂')
    expect((await client.models.countTokens({ model, contents })).totalTokens).toBeGreaterThan(0)
  })

  test('a JSON array for Gemini without alt=sse', async () => {
    const answer = await pair.send(`/v1beta/models/${model}:streamGenerateContent`, {
      body: { contents: [{ role: 'user', parts: [{ text: 'Hi there' }] }] },
    })
    const items = answer.json<{ candidates: { finishReason?: string }[] }[]>()
    expect(items.at(-1)?.candidates[0]?.finishReason).toBe('STOP')
    expect(pair.rowsOf(answer)).toMatchObject([{ status: 200, isStream: true, content: '' }])
  })

  test('a client that leaves ends it and is booked as gone', async () => {
    const client = new OpenAI({ apiKey: pair.gateway.key, baseURL: `${pair.gateway.url}/v1` })
    const long = [{ role: 'user' as const, content: 'word '.repeat(2000) }]
    const row = await pair.rowAfter(async () => {
      const stream = await client.chat.completions.create({ model, messages: long, stream: true })
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content) stream.controller.abort()
      }
    })
    expect(row.status).toBe(499)
  })
})
