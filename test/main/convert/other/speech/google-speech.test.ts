import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { speechCodec } from '../../../../../main/convert/other/speech/codec.ts'
import { googleSpeechBridge } from '../../../../../main/convert/other/speech/google-speech.ts'
import {
  type BridgeServer,
  startBridge,
  type VendorAnswer,
} from '../../../../support/clients/bridge-server.ts'
import {
  answerGoogleSpeech,
  checkGoogleSpeech,
  tone,
} from '../../../../support/strict/other/check-speech.ts'

const samples = tone(6000)
const serve = (model: string, reply: () => VendorAnswer) =>
  startBridge({
    codec: speechCodec,
    bridges: [googleSpeechBridge],
    model,
    answer(body) {
      checkGoogleSpeech(body, model)
      return reply()
    },
  })

const newer = 'gemini-3.8-flash-tts'
const older = 'gemini-2.5-flash-preview-tts'
let server: BridgeServer
let oldServer: BridgeServer
let reply: VendorAnswer

beforeAll(async () => {
  server = await serve(newer, () => reply)
  oldServer = await serve(older, () => reply)
})
beforeEach(() => {
  reply = answerGoogleSpeech(newer, samples)
  server.asked.length = 0
})
afterAll(() => Promise.all([server.close(), oldServer.close()]))

const speak = async (fields: object = {}, at = server) => {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${at.url}/v1`, maxRetries: 0 })
  const answer = await client.audio.speech.create({
    model: newer,
    voice: 'nova',
    input: 'Guten Tag!',
    response_format: 'pcm',
    ...fields,
  })
  return {
    type: answer.headers.get('content-type'),
    sound: Buffer.from(await answer.arrayBuffer()),
  }
}

describe('speech of a Gemini model for the OpenAI SDK', () => {
  test('samples arrive whole, though the vendor’s pieces cut them', async () => {
    const { type, sound } = await speak()
    expect(type).toBe('audio/pcm')
    expect(sound.equals(samples)).toBe(true)
    expect(server.usage).toMatchObject({ input: 8, output: 48, detail: { outputAudio: 48 } })
    expect(server.losses.map(({ path }) => path)).toEqual(['voice'])
  })

  test.each([
    [older, 24_000],
    [newer, 24_000],
    [newer, 16_000],
  ])('a WAV file of %s at %i has its own rate and right lengths', async (model, rate) => {
    reply = answerGoogleSpeech(model, samples, rate)
    const { type, sound } = await speak({ response_format: 'wav' })
    expect(type).toBe('audio/wav')
    expect(sound).toHaveLength(44 + samples.length)
    expect(sound.readUInt32LE(4)).toBe(sound.length - 8)
    expect(sound.readUInt32LE(24)).toBe(rate)
    expect(sound.readUInt32LE(40)).toBe(samples.length)
    expect(sound.subarray(44).equals(samples)).toBe(true)
  })

  test('samples of another rate are brought to the one that clients expect', async () => {
    reply = answerGoogleSpeech(newer, tone(4000, 16_000), 16_000)
    const { sound } = await speak()
    const expected = tone(6000)
    expect(Math.abs(sound.length - expected.length)).toBeLessThanOrEqual(4)
    for (let at = 0; at + 2 <= Math.min(sound.length, expected.length); at += 2) {
      expect(Math.abs(sound.readInt16LE(at) - expected.readInt16LE(at))).toBeLessThan(120)
    }
  })

  test('events hold all of the sound, then the usage', async () => {
    const { type, sound } = await speak({ stream_format: 'sse' })
    expect(type).toContain('text/event-stream')
    const events = sound
      .toString()
      .split('\n\n')
      .filter(Boolean)
      .map((event) => JSON.parse(event.slice(6)))
    const heard = events.slice(0, -1).map(({ audio }) => Buffer.from(audio, 'base64'))
    expect(Buffer.concat(heard).equals(samples)).toBe(true)
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens: 8, output_tokens: 48, total_tokens: 56 },
    })
  })

  test('newer models get the manner beside the text, older ones before it', async () => {
    await speak({ instructions: 'whisper' })
    expect(server.asked[0]).toMatchObject({
      contents: [{ parts: [{ text: 'Guten Tag!', speechMetadata: { style: 'whisper' } }] }],
    })
    await speak({ instructions: 'whisper' }, oldServer)
    const text = JSON.stringify(oldServer.asked.at(-1))
    expect(text).toContain('whisper')
    expect(text).toContain('Guten Tag!')
    expect(oldServer.losses.map(({ path }) => path)).toContain('instructions')
  })

  test('Google’s own names and ids pass, in any case', async () => {
    await speak({ voice: 'kore' })
    expect(JSON.stringify(server.asked[0])).toContain('"voiceName":"Kore"')
    expect(server.losses).toEqual([])
    await speak({ voice: { id: 'voice_abc' }, speed: 2 })
    expect(JSON.stringify(server.asked[1])).toContain('"voice":"voice_abc"')
    expect(server.losses.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['dropped speed'])
  })

  test.each([
    ['response_format', { response_format: undefined }, /pcm or wav/],
    ['response_format', { response_format: 'mp3' }, /pcm or wav/],
    ['voice', { voice: 'constructor' }, /alloy.*Kore/],
    ['voice', { voice: '' }, /voice/],
    ['input', { input: '' }, /input/],
    ['stream_format', { stream_format: 'ogg' }, /sse/],
  ])('%s is refused by name, with the list', async (param, fields, words) => {
    const asked = speak(fields)
    await expect(asked).rejects.toMatchObject({ status: 400, param })
    await expect(asked).rejects.toThrow(words)
    expect(server.asked).toEqual([])
  })

  test('an answer without sound is an error with the vendor’s reason, whole and streamed', async () => {
    const whole = {
      candidates: [{ finishReason: 'OTHER', finishMessage: 'The text could not be spoken.' }],
    }
    reply = { whole, chunks: [`data: ${JSON.stringify(whole)}\n\n`] }
    for (const response_format of ['pcm', 'wav']) {
      await expect(speak({ response_format })).rejects.toThrow('The text could not be spoken.')
    }
    const said = { candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'STOP' }] }
    reply = { whole: said, chunks: [] }
    await expect(speak({ response_format: 'wav' })).rejects.toMatchObject({ status: 400 })
  })

  test('a stream that is cut is no whole speech', async () => {
    reply = { ...reply, chunks: reply.chunks.slice(0, -1) }
    await expect(speak()).rejects.toMatchObject({ status: 502, code: 'upstream_cut' })
  })

  test('packed sound is not taken for samples', async () => {
    const data = Buffer.concat([Buffer.from('ID3'), samples]).toString('base64')
    const part = { inlineData: { mimeType: 'audio/mpeg', data } }
    const whole = { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] }
    reply = { whole, chunks: [] }
    await expect(speak({ response_format: 'wav' })).rejects.toMatchObject({ status: 502 })
  })
})
