import OpenAI, { toFile } from 'openai'
import { describe, expect, test } from 'vitest'
import { wavFile, wavSeconds } from '../../../../main/adaptor/echo/media/wav.ts'
import { collect } from '../../../support/clients/collect.ts'
import { serveEcho } from './echo-server.ts'
import { hello } from './weather.ts'

const url = `${await serveEcho()}/v1`
const openai = new OpenAI({ apiKey: 'k', baseURL: url, maxRetries: 0 })

describe('speech', () => {
  const request = { model: 'echo', voice: 'alloy', input: hello }
  const say = async (more: Partial<OpenAI.Audio.SpeechCreateParams> = {}) => {
    const answer = await openai.audio.speech.create({ ...request, ...more })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { type: answer.headers.get('content-type'), bytes }
  }
  const loudest = (samples: Buffer) =>
    Math.max(...Array.from({ length: samples.length / 2 }, (_, at) => samples.readInt16LE(at * 2)))

  test('is a sound that plays, longer for more words, shorter where it is faster', async () => {
    const { type, bytes } = await say({ response_format: 'wav' })
    expect(type).toBe('audio/wav')
    const seconds = wavSeconds(bytes) ?? 0
    expect(seconds).toBeGreaterThan(1)
    expect(loudest(bytes.subarray(44))).toBeGreaterThan(5000)
    const long = await say({ input: `${hello} ${hello}` })
    expect(wavSeconds(long.bytes)).toBeCloseTo(2 * seconds, 1)
    const fast = await say({ speed: 2 })
    expect(wavSeconds(fast.bytes)).toBeCloseTo(seconds / 2, 1)
  })

  test('is bounded', async () => {
    const { bytes } = await say({ input: 'word '.repeat(800) })
    expect(wavSeconds(bytes)).toBeLessThanOrEqual(30)
    expect(wavSeconds(bytes)).toBeGreaterThan(29)
  })

  test('as bare samples is what the WAV holds', async () => {
    const { type, bytes } = await say({ response_format: 'pcm' })
    expect(type).toBe('audio/pcm')
    expect((await say({ response_format: 'wav' })).bytes.subarray(44)).toEqual(bytes)
  })

  test('as events is the same sound, with its usage', async () => {
    const pcm = { response_format: 'pcm' } as const
    const answer = await openai.audio.speech.create({ ...request, ...pcm, stream_format: 'sse' })
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = (await answer.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)))
    const sound = events
      .filter(({ type }) => type === 'speech.audio.delta')
      .map(({ audio }) => Buffer.from(audio, 'base64'))
    expect(Buffer.concat(sound)).toEqual((await say(pcm)).bytes)
    const { type, usage } = events.at(-1)
    expect(type).toBe('speech.audio.done')
    expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens)
  })

  test('in a form that Echo cannot make is refused with those that it can', async () => {
    for (const form of ['mp3', 'opus', 'aac', 'flac'] as const) {
      await expect(say({ response_format: form })).rejects.toMatchObject({
        status: 400,
        param: 'response_format',
        message: expect.stringContaining('wav, pcm'),
      })
    }
  })
})

describe('a transcript', () => {
  const sound = () =>
    toFile(wavFile(Buffer.alloc(36_000), 24_000), 'note.wav', { type: 'audio/wav' })
  const text = 'Echo: got note.wav (audio/wav, 36044 bytes, 0.75 s).'
  const hear = async (more: Record<string, unknown>) =>
    openai.audio.transcriptions.create({
      model: 'echo',
      file: await sound(),
      ...more,
    } as OpenAI.Audio.TranscriptionCreateParamsNonStreaming)

  test('says what came, with usage in tokens', async () => {
    expect(await hear({})).toEqual({
      text,
      usage: {
        type: 'tokens',
        input_tokens: 8,
        input_token_details: { text_tokens: 0, audio_tokens: 8 },
        output_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    })
  })

  test('comes as plain text and as subtitles', async () => {
    expect(await hear({ response_format: 'text' })).toBe(`${text}\n`)
    expect(await hear({ response_format: 'srt' })).toBe(
      `1\n00:00:00,000 --> 00:00:00,750\n${text}\n\n`,
    )
    expect(await hear({ response_format: 'vtt' })).toBe(
      `WEBVTT\n\n00:00:00.000 --> 00:00:00.750\n${text}\n\n`,
    )
  })

  test('comes with segments, words and seconds', async () => {
    const answer = await hear({
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    })
    expect(answer).toMatchObject({
      task: 'transcribe',
      duration: 0.75,
      segments: [{ id: 0, start: 0, end: 0.75, text }],
      usage: { type: 'duration', seconds: 1 },
    })
    expect(answer).toHaveProperty('words.7.end', 0.75)
    const diarized = await hear({ response_format: 'diarized_json' })
    expect(diarized).toMatchObject({ text, segments: [{ speaker: 'A', end: 0.75 }] })
  })

  test('is streamed, whole at its end', async () => {
    const stream = await openai.audio.transcriptions.create({
      model: 'echo',
      file: await sound(),
      stream: true,
    })
    const events = await collect(stream)
    const deltas = events.flatMap((event) => ('delta' in event ? [event.delta] : []))
    expect(deltas.length).toBeGreaterThan(3)
    expect(deltas.join('')).toBe(text)
    expect(events.at(-1)).toMatchObject({
      type: 'transcript.text.done',
      text,
      usage: { type: 'tokens', input_tokens: 8 },
    })
  })

  test('of what is no WAV says no seconds, and a translation has every form but speakers', async () => {
    const file = await toFile(Buffer.alloc(32_000), 'voice.mp3', { type: 'audio/mpeg' })
    const request = { model: 'echo', file }
    const answer = await openai.audio.translations.create(request)
    expect(answer.text).toBe('Echo: got voice.mp3 (audio/mpeg, 32000 bytes).')
    const form = { response_format: 'verbose_json' } as const
    expect(await openai.audio.translations.create({ ...request, ...form })).toMatchObject({
      task: 'translate',
      duration: 2,
    })
    const body = new FormData()
    body.set('model', 'echo')
    body.set('file', file)
    body.set('response_format', 'diarized_json')
    const refused = await fetch(`${url}/audio/translations`, { method: 'POST', body })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('verbose_json')
  })
})
