import { GoogleGenAI, Modality } from '@google/genai'
import { describe, expect, test } from 'vitest'
import { collect } from '../../../support/clients/collect.ts'
import { serveEcho } from './echo-server.ts'
import { readPng } from './png-facts.ts'
import { hello } from './weather.ts'

const url = await serveEcho()
const google = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url } })

const model = 'echo'

describe('sound', () => {
  const voiceConfig = { prebuiltVoiceConfig: { voiceName: 'Kore' } }
  const config = { responseModalities: [Modality.AUDIO], speechConfig: { voiceConfig } }

  test('is all that the answer holds, as samples at a known rate, in tokens of its own', async () => {
    const answer = await google.models.generateContent({ model, contents: hello, config })
    const parts = answer.candidates?.[0]?.content?.parts ?? []
    expect(parts).toHaveLength(1)
    expect(parts[0]?.inlineData?.mimeType).toBe('audio/L16;codec=pcm;rate=24000')
    const samples = Buffer.from(parts[0]?.inlineData?.data ?? '', 'base64')
    const seconds = samples.length / 48_000
    expect(seconds).toBeGreaterThan(1)
    expect(answer.usageMetadata).toMatchObject({
      candidatesTokenCount: Math.ceil(seconds * 25),
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: Math.ceil(seconds * 25) }],
    })
  })

  test('is the same streamed', async () => {
    const whole = await google.models.generateContent({ model, contents: hello, config })
    const stream = await google.models.generateContentStream({ model, contents: hello, config })
    const chunks = await collect(stream)
    const sounds = chunks.flatMap(({ candidates }) =>
      (candidates?.[0]?.content?.parts ?? []).flatMap(({ inlineData }) => inlineData?.data ?? []),
    )
    expect(sounds).toEqual([whole.candidates?.[0]?.content?.parts?.[0]?.inlineData?.data])
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  })
})

test('a picture stands beside the text, in the ratio asked for', async () => {
  const config = {
    responseModalities: [Modality.TEXT, Modality.IMAGE],
    imageConfig: { aspectRatio: '16:9' },
  }
  const answer = await google.models.generateContent({ model, contents: hello, config })
  const [text, picture] = answer.candidates?.[0]?.content?.parts ?? []
  expect(text?.text).toBe(`Echo: ${hello}`)
  const file = Buffer.from(picture?.inlineData?.data ?? '', 'base64')
  expect(readPng(file)).toMatchObject({ width: 512, height: 288 })
  expect(answer.usageMetadata?.candidatesTokensDetails).toMatchObject([
    { modality: 'TEXT' },
    { modality: 'IMAGE', tokenCount: 576 },
  ])
})

describe('embeddings', () => {
  test('come for each content, as long as asked', async () => {
    const answer = await google.models.embedContent({
      model,
      contents: ['one', 'two', 'one'],
      config: { outputDimensionality: 16 },
    })
    const [one, two, again] = answer.embeddings ?? []
    expect(one?.values).toHaveLength(16)
    expect(one?.values).toEqual(again?.values)
    expect(one?.values).not.toEqual(two?.values)
  })

  test('of one content come alone, with their tokens', async () => {
    const body = JSON.stringify({ content: { parts: [{ text: 'one' }] }, output_dimensionality: 4 })
    const answer = await fetch(`${url}/v1beta/models/echo:embedContent`, { method: 'POST', body })
    expect(await answer.json()).toEqual({
      embedding: { values: [expect.any(Number), ...Array(3).fill(expect.any(Number))] },
      usageMetadata: {
        promptTokenCount: 1,
        promptTokenDetails: [{ modality: 'TEXT', tokenCount: 1 }],
      },
    })
  })
})
