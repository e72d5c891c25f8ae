import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { GOOGLE_SPOKEN } from '../../support/strict/other/other-google.ts'
import { spoken } from '../../support/strict/other/other-openai.ts'

let stage: OtherStage

beforeAll(async () => {
  stage = await startOtherStage()
})
afterAll(() => stage.close())

const input = 'Wie schön: drei Wörter.'
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

/** Sound and the last event's tokens out of a stream of events, as its text stands. */
async function readEvents(answer: Response): Promise<{ sound: Buffer; last: unknown }> {
  const events = (await answer.text())
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => JSON.parse(event.slice(6)) as { type: string; audio?: string })
  const sound = events.map(({ audio }) => Buffer.from(audio ?? '', 'base64'))
  return { sound: Buffer.concat(sound), last: events.at(-1) }
}

describe('speech of OpenAI', () => {
  const model = 'gpt-4o-mini-tts'

  test.each([
    ['mp3', 'audio/mpeg'],
    ['opus', 'audio/opus'],
    ['aac', 'audio/aac'],
    ['flac', 'audio/flac'],
    ['wav', 'audio/wav'],
    ['pcm', 'audio/pcm'],
  ] as const)('in %s arrives byte for byte, counted in characters', async (format, type) => {
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.speech.create({
        model,
        input,
        voice: 'coral',
        response_format: format,
      })
      expect(answer.headers.get('content-type')).toBe(type)
      expect((await bytesOf(answer)).equals(spoken(format))).toBe(true)
    })
    expect(row).toMatchObject({ status: 200, model, promptTokens: 0, isStream: false })
    expect(row.other).toMatchObject({ characters: [...input].length, wire_format: 'speech' })
  })

  test('in events arrives whole, counted in the tokens that the vendor tells', async () => {
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.speech.create({
        model,
        input,
        voice: 'coral',
        stream_format: 'sse',
      })
      expect(answer.headers.get('content-type')).toContain('text/event-stream')
      const { sound, last } = await readEvents(answer)
      expect(sound.equals(spoken('mp3'))).toBe(true)
      expect(last).toMatchObject({ type: 'speech.audio.done', usage: { output_tokens: 48 } })
    })
    expect(row).toMatchObject({ promptTokens: 8, completionTokens: 48, isStream: true })
  })

  test('begins to arrive while the vendor is still speaking', async () => {
    stage.upstreams.openai.script({
      chunks: ['ID3-first', 'ID3-last'],
      headers: { 'content-type': 'audio/mpeg' },
      pause: 2000,
    })
    const answer = await stage.client.audio.speech.create({ model, input, voice: 'coral' })
    const reader = answer.body?.getReader()
    const first = await reader?.read()
    expect(Buffer.from(first?.value ?? []).toString()).toBe('ID3-first')
    const { ended } = stage.upstreams.openai.last()
    expect(await Promise.race([ended, 'speaking'])).toBe('speaking')
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('ID3-last')
  })

  test('that looks like text or JSON inside is not read', async () => {
    const sound = Buffer.from('{"error": {"message": "these are samples"}}\r\n\r\ndata: x\n\n')
    stage.upstreams.openai.script({ body: sound, headers: { 'content-type': 'audio/pcm' } })
    const answer = await stage.client.audio.speech.create({ model, input, voice: 'coral' })
    expect((await bytesOf(answer)).equals(sound)).toBe(true)
  })
})

describe('speech of Gemini for the OpenAI client', () => {
  const model = 'gemini-2.5-flash-preview-tts'

  test.each(['pcm', 'wav'] as const)('in %s is what the model spoke', async (format) => {
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.speech.create({
        model,
        input,
        voice: 'coral',
        response_format: format,
      })
      expect(answer.headers.get('content-type')).toBe(`audio/${format}`)
      const bytes = await bytesOf(answer)
      const head = format === 'wav' ? 44 : 0
      expect(bytes.subarray(head).equals(GOOGLE_SPOKEN)).toBe(true)
      if (head > 0) {
        expect(bytes.readUInt32LE(24)).toBe(24_000)
        expect(bytes.readUInt32LE(40)).toBe(GOOGLE_SPOKEN.length)
      }
    })
    expect(row).toMatchObject({ status: 200, promptTokens: 8, completionTokens: 48 })
    expect(row.other).toMatchObject({ audio_output: 48, upstream_format: 'generate-content' })
    expect(stage.upstreams.google.refusals).toEqual([])
  })

  test('in events has all of the sound and the tokens', async () => {
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.speech.create({
        model,
        input,
        voice: 'coral',
        response_format: 'pcm',
        stream_format: 'sse',
      })
      const { sound, last } = await readEvents(answer)
      expect(sound.equals(GOOGLE_SPOKEN)).toBe(true)
      expect(last).toMatchObject({ type: 'speech.audio.done', usage: { output_tokens: 48 } })
    })
    expect(row).toMatchObject({ completionTokens: 48, isStream: true })
  })

  test.each([
    [{ response_format: 'mp3' }, 'response_format', /pcm.*wav|wav.*pcm/],
    [{}, 'response_format', /pcm.*wav|wav.*pcm/],
    [{ response_format: 'pcm', voice: 'nobody' }, 'voice', /nobody|Kore/],
  ] as const)('%j is refused by name with what can be had', async (wish, field, words) => {
    const before = stage.upstreams.google.requests.length
    const row = await stage.booked(() =>
      expect(
        stage.client.audio.speech.create({ model, input, voice: 'coral', ...wish }),
      ).rejects.toMatchObject({
        status: 400,
        param: field,
        message: expect.stringMatching(words),
      }),
    )
    expect(stage.upstreams.google.requests.length).toBe(before)
    expect(row).toMatchObject({ status: 400, quota: 0 })
  })

  test('at another speed is given at the usual one, and says so', async () => {
    const answer = await stage.client.audio.speech.create({
      model,
      input,
      voice: 'coral',
      response_format: 'pcm',
      speed: 1.5,
    })
    expect(answer.headers.get('x-switchyard-loss')).toContain('speed')
    await answer.arrayBuffer()
  })
})

test('an unknown voice or format is refused by OpenAI in its own words', async () => {
  const asked = { model: 'gpt-4o-mini-tts', input }
  await expect(
    stage.client.audio.speech.create({ ...asked, voice: 'nobody' }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('nobody') })
  await expect(
    stage.client.audio.speech.create({
      ...asked,
      voice: 'coral',
      response_format: 'midi' as 'mp3',
    }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('midi') })
})
