import { FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { collect } from '../../../support/clients/collect.ts'
import { serveEcho } from './echo-server.ts'
import { askWeather, hello, oslo, parameters } from './weather.ts'

const url = await serveEcho()
const google = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url } })

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

  test('a call without lists, as Google’s examples for curl have it', async () => {
    const answer = await fetch(`${url}/v1beta/models/echo:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contents: { parts: { text: hello } } }),
    })
    expect(await answer.json()).toMatchObject({
      candidates: [{ content: { parts: [{ text: `Echo: ${hello}` }] } }],
    })
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
    const older = await google.models.generateContent({
      model: 'echo',
      contents: hello,
      config: {
        responseMimeType: 'application/json',
        responseSchema: {
          ...{ type: Type.OBJECT, required: ['town'] },
          properties: { town: { type: Type.STRING } },
        },
      },
    })
    expect(JSON.parse(older.text ?? '')).toEqual({ town: 'echo' })
  })

  test('tokens are counted', async () => {
    const { totalTokens } = await google.models.countTokens({ model: 'echo', contents: hello })
    expect(totalTokens).toBeGreaterThan(5)
  })
})
