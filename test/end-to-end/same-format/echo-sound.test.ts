import { type GenerateContentResponse, Modality } from '@google/genai'
import type OpenAI from 'openai'
import { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wavFile, wavSeconds } from '../../../main/adaptor/echo/media/wav.ts'
import { collect } from '../../support/clients/collect.ts'
import { ECHO_ALIAS, type EchoStage, startEchoStage } from '../../support/stages/echo-stage.ts'

let stage: EchoStage
let clients: EchoStage['clients']

beforeAll(async () => {
  stage = await startEchoStage()
  ;({ clients } = stage)
})
afterAll(() => stage.close())

const model = ECHO_ALIAS
const booked = <Answer>(run: () => Promise<Answer>) => stage.booked(run)
const sound = () => toFile(wavFile(Buffer.alloc(96_000), 24_000), 'note.wav', { type: 'audio/wav' })

describe('transcripts', () => {
  const text = 'Echo: got note.wav (audio/wav, 96044 bytes, 2 s).'
  const hear = async (more: Record<string, unknown> = {}) =>
    clients.openai.audio.transcriptions.create({
      model,
      file: await sound(),
      ...more,
    } as OpenAI.Audio.TranscriptionCreateParamsNonStreaming)

  test('as JSON, with the tokens heard', async () => {
    const { answer, row, other } = await booked(() => hear())
    expect(answer).toMatchObject({ text, usage: { type: 'tokens', input_tokens: 20 } })
    expect(row.promptTokens).toBe(20)
    expect(other).toMatchObject({ audio_input: 20 })
  })

  test('as text and subtitles, byte for byte, of which nobody tells the usage', async () => {
    const plain = await booked(() => hear({ response_format: 'text' }))
    expect(plain.answer).toBe(`${text}\n`)
    expect(plain.other).toMatchObject({ usage_unknown: true })
    const timed = await booked(() => hear({ response_format: 'srt' }))
    expect(timed.answer).toBe(`1\n00:00:00,000 --> 00:00:02,000\n${text}\n\n`)
  })

  test('with segments, whose row counts seconds', async () => {
    const { answer, row, other } = await booked(() => hear({ response_format: 'verbose_json' }))
    expect(answer).toMatchObject({ task: 'transcribe', duration: 2, segments: [{ text }] })
    expect(other).toMatchObject({ seconds: 2 })
    expect(row.promptTokens).toBe(0)
  })

  test('streamed', async () => {
    const { answer, row } = await booked(async () =>
      collect(
        await clients.openai.audio.transcriptions.create({
          model,
          file: await sound(),
          stream: true,
        }),
      ),
    )
    expect(answer.at(-1)).toMatchObject({ type: 'transcript.text.done', text })
    expect(row).toMatchObject({ isStream: true, promptTokens: 20 })
  })

  test('translated', async () => {
    const { answer, row } = await booked(async () =>
      clients.openai.audio.translations.create({ model, file: await sound() }),
    )
    expect(answer.text).toBe(text)
    expect(row.promptTokens).toBe(20)
  })
})

describe('speech', () => {
  const order = { model, voice: 'alloy', input: 'Two words' } as const

  test('whole, whose row counts characters', async () => {
    const { answer, row, other } = await booked(async () => {
      const spoken = await clients.openai.audio.speech.create({ ...order, response_format: 'wav' })
      return { type: spoken.headers.get('content-type'), bytes: await spoken.arrayBuffer() }
    })
    expect(answer.type).toBe('audio/wav')
    expect(wavSeconds(Buffer.from(answer.bytes))).toBeGreaterThan(0.1)
    expect(other).toMatchObject({ characters: 9 })
    expect(row).toMatchObject({ promptTokens: 0, isStream: false })
  })

  test('as events, whose last one tells tokens', async () => {
    const { answer, row } = await booked(async () => {
      const spoken = await clients.openai.audio.speech.create({ ...order, stream_format: 'sse' })
      return spoken.text()
    })
    expect(answer).toContain('event: speech.audio.delta')
    const done = JSON.parse(/data: (\{"type":"speech.audio.done".*\})/.exec(answer)?.[1] ?? '{}')
    expect(row).toMatchObject({
      isStream: true,
      promptTokens: done.usage.input_tokens,
      completionTokens: done.usage.output_tokens,
    })
  })

  test('by Google’s client: whole, streamed, and in tokens of sound', async () => {
    const voiceConfig = { prebuiltVoiceConfig: { voiceName: 'Kore' } }
    const config = { responseModalities: [Modality.AUDIO], speechConfig: { voiceConfig } }
    const say = { model, contents: 'Two words', config }
    const soundOf = ({ candidates }: GenerateContentResponse) =>
      candidates?.[0]?.content?.parts?.[0]?.inlineData?.data ?? ''
    const whole = await booked(() => clients.google.models.generateContent(say))
    const streamed = await booked(async () =>
      collect(await clients.google.models.generateContentStream(say)),
    )
    expect(soundOf(whole.answer)).not.toBe('')
    expect(streamed.answer.map(soundOf).join('')).toBe(soundOf(whole.answer))
    for (const { row, other } of [whole, streamed]) {
      const { candidatesTokenCount } = whole.answer.usageMetadata ?? {}
      expect(row.completionTokens).toBe(candidatesTokenCount)
      expect(other).toMatchObject({ audio_output: candidatesTokenCount })
    }
  })
})
