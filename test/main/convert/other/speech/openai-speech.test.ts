import { GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generateContentCodec } from '../../../../../main/convert/generate-content/codec.ts'
import { openaiSpeechBridge } from '../../../../../main/convert/other/speech/openai-speech.ts'
import { type BridgeServer, startBridge } from '../../../../support/clients/bridge-server.ts'
import { checkSpeech, tone, wavFile } from '../../../../support/strict/other/check-speech.ts'

const model = 'gpt-4o-mini-tts'
const samples = tone(3000)
let server: BridgeServer
let sound: Buffer
const cut = () =>
  Array.from({ length: Math.ceil(sound.length / 777) }, (_, index) =>
    sound.subarray(index * 777, (index + 1) * 777),
  )

beforeAll(async () => {
  server = await startBridge({
    codec: generateContentCodec,
    bridges: [openaiSpeechBridge],
    model,
    answer(body) {
      checkSpeech(body)
      return { whole: sound, chunks: cut() }
    },
  })
})
beforeEach(() => {
  sound = samples
  server.asked.length = 0
})
afterAll(() => server.close())

const client = () =>
  new GoogleGenAI({
    apiKey: 'k',
    httpOptions: { baseUrl: server.url, retryOptions: { attempts: 1 } },
  })
const voiceConfig = { prebuiltVoiceConfig: { voiceName: 'Kore' } }
const config = { responseModalities: ['AUDIO'], speechConfig: { voiceConfig } }
const call = { model, contents: 'Good day.', config }

describe('an OpenAI-compatible speech endpoint for the Google SDK', () => {
  test('the sound comes as samples with their rate', async () => {
    const answer = await client().models.generateContent({
      ...call,
      config: { ...config, systemInstruction: 'Whisper.', temperature: 1 },
    })
    const blob = answer.candidates?.[0]?.content?.parts?.[0]?.inlineData
    expect(blob?.mimeType).toBe('audio/L16;codec=pcm;rate=24000')
    expect(Buffer.from(blob?.data ?? '', 'base64').equals(samples)).toBe(true)
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP')
    expect(server.asked[0]).toEqual({
      model,
      input: 'Good day.',
      voice: 'alloy',
      instructions: 'Whisper.',
      response_format: 'pcm',
    })
    expect(server.usage?.detail).toEqual({ characters: 9 })
    expect(server.losses.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'approximated generationConfig.speechConfig.voiceConfig',
      'dropped generationConfig.temperature',
    ])
  })

  test('a stream gives whole samples in each chunk and says that it is over', async () => {
    const stream = await client().models.generateContentStream(call)
    const heard: Buffer[] = []
    let reason: unknown
    for await (const chunk of stream) {
      const data = chunk.candidates?.[0]?.content?.parts?.[0]?.inlineData?.data
      if (data) heard.push(Buffer.from(data, 'base64'))
      reason = chunk.candidates?.[0]?.finishReason
    }
    expect(heard.length).toBeGreaterThan(3)
    expect(heard.every(({ length }) => length % 2 === 0)).toBe(true)
    expect(Buffer.concat(heard).equals(samples)).toBe(true)
    expect(reason).toBe('STOP')
  })

  test('without alt=sse the stream is one JSON array', async () => {
    const url = `${server.url}/v1beta/models/${model}:streamGenerateContent`
    const body = JSON.stringify({
      contents: [{ parts: [{ text: 'Hi' }] }],
      generation_config: {
        response_modalities: ['AUDIO'],
        speech_config: { voice_config: { prebuilt_voice_config: { voice_name: 'nova' } } },
      },
    })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    const items = (await answer.json()) as unknown[]
    expect(items.length).toBeGreaterThan(3)
    expect(items.at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP' }] })
    expect(server.asked[0]?.voice).toBe('nova')
  })

  test('an upstream that answers with a WAV file is understood, its header and notes taken off', async () => {
    sound = wavFile(samples, 22_050)
    const stream = await client().models.generateContentStream(call)
    const heard: Buffer[] = []
    for await (const chunk of stream) {
      const blob = chunk.candidates?.[0]?.content?.parts?.[0]?.inlineData
      if (!blob) continue
      expect(blob.mimeType).toContain('rate=22050')
      heard.push(Buffer.from(blob.data ?? '', 'base64'))
    }
    expect(Buffer.concat(heard).equals(samples)).toBe(true)
  })

  test('packed sound and an error that came as a success are errors', async () => {
    sound = Buffer.concat([Buffer.from('ID3'), samples])
    await expect(client().models.generateContent(call)).rejects.toMatchObject({ status: 502 })
    sound = Buffer.from('{"error":{"message":"no such voice"}}')
    await expect(client().models.generateContent(call)).rejects.toThrow('no such voice')
  })

  test.each([
    [
      'multiSpeakerVoiceConfig',
      { config: { ...config, speechConfig: { multiSpeakerVoiceConfig: {} } } },
    ],
    [
      'contents[1]',
      {
        contents: [
          { role: 'user', parts: [{ text: 'a' }] },
          { role: 'model', parts: [{ text: 'b' }] },
        ],
      },
    ],
    [
      'contents[0].parts[0]',
      { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }] },
    ],
    ['contents', { contents: [{ parts: [{ text: ' ' }] }] }],
  ])('%s is refused by name', async (words, fields) => {
    await expect(client().models.generateContent({ ...call, ...fields })).rejects.toThrow(words)
    expect(server.asked).toEqual([])
  })
})
