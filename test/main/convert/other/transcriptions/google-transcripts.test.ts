import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Loss } from '../../../../../main/convert/loss.ts'
import {
  transcriptionsCodec,
  translationsCodec,
} from '../../../../../main/convert/other/transcriptions/codecs.ts'
import { encodeTranscription } from '../../../../../main/convert/other/transcriptions/encode-google.ts'
import { transcriptionBridges } from '../../../../../main/convert/other/transcriptions/google-bridges.ts'
import {
  type BridgeServer,
  startBridge,
  type VendorAnswer,
} from '../../../../support/clients/bridge-server.ts'
import { tone, wavFile } from '../../../../support/strict/other/check-speech.ts'
import {
  answerGoogleTranscript,
  checkGoogleTranscription,
} from '../../../../support/strict/other/check-transcriptions.ts'

const model = 'gemini-2.5-flash'
// More than a piece of base64, and no multiple of three.
const recording = wavFile(tone(150_001), 24_000)
let heard: Buffer
let reply: VendorAnswer
let server: BridgeServer
let translating: BridgeServer

const clientOf = (at: BridgeServer) =>
  new OpenAI({ apiKey: 'k', baseURL: `${at.url}/v1`, maxRetries: 0 })
const file = () => toFile(recording, 'a.wav', { type: 'audio/wav' })

beforeAll(async () => {
  const options = {
    bridges: transcriptionBridges,
    model,
    answer(body: Record<string, unknown>) {
      heard = checkGoogleTranscription(body)
      return reply
    },
  }
  server = await startBridge({ ...options, codec: transcriptionsCodec })
  translating = await startBridge({ ...options, codec: translationsCodec })
})
beforeEach(() => {
  reply = answerGoogleTranscript(['Grüße ', 'aus “Köln”.'])
  server.asked.length = 0
})
afterAll(() => Promise.all([server.close(), translating.close()]))

describe('transcripts of a Gemini model for the OpenAI SDK', () => {
  test('an empty field stands for the default', async () => {
    const fields = { response_format: '' as 'json', language: '', prompt: '' }
    const asked = { model, file: await file(), ...fields }
    const answer = await clientOf(server).audio.transcriptions.create(asked)
    expect(answer.text).toBe('Grüße aus “Köln”.')
    expect(server.losses).toEqual([])
  })

  test('the recording arrives byte for byte, the text and usage come back', async () => {
    const answer = await clientOf(server).audio.transcriptions.create({
      model,
      file: await file(),
      language: 'de',
      prompt: 'Köln, not Koeln',
      temperature: 0.2,
    })
    expect(answer.text).toBe('Grüße aus “Köln”.')
    expect(answer.usage).toEqual({
      type: 'tokens',
      input_tokens: 60,
      input_token_details: { text_tokens: 28, audio_tokens: 32 },
      output_tokens: 9,
      total_tokens: 69,
    })
    expect(heard.equals(recording)).toBe(true)
    expect(server.usage?.detail).toEqual({ inputAudio: 32 })
    const asked = JSON.stringify(server.asked[0])
    expect(asked).toContain('Köln, not Koeln')
    expect(server.asked[0]).toMatchObject({ generationConfig: { temperature: 0.2 } })
    expect(server.losses.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'approximated language',
      'approximated prompt',
    ])
  })

  test('plain text is plain text, and a translation asks for English', async () => {
    const answer = await clientOf(server).audio.transcriptions.create({
      model,
      file: await file(),
      response_format: 'text',
    })
    expect(answer).toBe('Grüße aus “Köln”.\n')
    await clientOf(translating).audio.translations.create({ model, file: await file() })
    expect(JSON.stringify(translating.asked[0])).toContain('into English')
  })

  test('a stream has every piece, then the whole and the usage', async () => {
    const stream = await clientOf(server).audio.transcriptions.create({
      model,
      file: await file(),
      stream: true,
    })
    const events = []
    for await (const event of stream) events.push(event)
    expect(events).toMatchObject([
      { type: 'transcript.text.delta', delta: 'Grüße ' },
      { type: 'transcript.text.delta', delta: 'aus “Köln”.' },
      {
        type: 'transcript.text.done',
        text: 'Grüße aus “Köln”.',
        usage: { input_tokens: 60, output_tokens: 9 },
      },
    ])
  })

  test.each([
    ['a.mp3', 'application/octet-stream', 'audio/mp3'],
    ['blob', 'video/webm;codecs=opus', 'audio/webm'],
    ['a.m4a', 'audio/x-m4a', 'audio/m4a'],
    ['blob', 'application/octet-stream', 'audio/wav'],
    ['a.constructor', 'audio/constructor', 'audio/wav'],
  ])('the file %s of type %s is sent as what it is', async (name, type, mimeType) => {
    const sound = await toFile(recording, name, { type })
    await clientOf(server).audio.transcriptions.create({ model, file: sound })
    expect(JSON.stringify(server.asked[0])).toContain(`"mimeType":"${mimeType}"`)
  })

  test.each([
    ['response_format', { response_format: 'srt' as const }],
    ['response_format', { response_format: 'verbose_json' as const }],
    ['response_format', { response_format: 'diarized_json' as const }],
    ['include[]', { include: ['logprobs' as const] }],
    ['temperature', { temperature: 1.1 }],
  ])('%s is refused by name: %j', async (param, fields) => {
    const asked = { model, file: await file(), ...fields }
    await expect(
      clientOf(server).audio.transcriptions.create(asked as { model: string; file: File }),
    ).rejects.toMatchObject({ status: 400, param })
    expect(server.asked).toEqual([])
  })

  test('what is no recording, or more than Google takes, is refused', async () => {
    const text = await toFile(Buffer.from('just text'), 'a.txt', { type: 'text/plain' })
    await expect(
      clientOf(server).audio.transcriptions.create({ model, file: text }),
    ).rejects.toMatchObject({ status: 400, param: 'file' })
    const bytes = Buffer.alloc(76_000_000)
    const files = [{ field: 'file', filename: 'a.wav', contentType: 'audio/wav', bytes }]
    const request = { format: 'transcriptions', model, stream: false, body: {}, files } as const
    expect(() => encodeTranscription(request, { model, loss: new Loss(), settings: {} })).toThrow(
      '75 MB',
    )
  })

  test('half a transcript is never given as a whole one', async () => {
    reply = answerGoogleTranscript(['Half of'], 'MAX_TOKENS')
    const asked = { model, file: await file() }
    await expect(clientOf(server).audio.transcriptions.create(asked)).rejects.toMatchObject({
      status: 502,
    })
    const streamed = clientOf(server).audio.transcriptions.create({ ...asked, stream: true })
    await expect(streamed).rejects.toMatchObject({ status: 502 })
    reply = answerGoogleTranscript(['x'], 'PROHIBITED_CONTENT')
    await expect(clientOf(server).audio.transcriptions.create(asked)).rejects.toMatchObject({
      status: 400,
    })
  })

  test('silence is an empty transcript', async () => {
    reply = answerGoogleTranscript([''])
    const answer = await clientOf(server).audio.transcriptions.create({ model, file: await file() })
    expect(answer.text).toBe('')
  })

  test('settings without a counterpart are noted', async () => {
    await clientOf(server).audio.transcriptions.create({
      model,
      file: await file(),
      chunking_strategy: 'auto',
      timestamp_granularities: ['word'],
    })
    expect(server.losses.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'dropped chunking_strategy',
      'dropped timestamp_granularities[]',
    ])
  })
})
