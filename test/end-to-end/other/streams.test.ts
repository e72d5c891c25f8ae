import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { wavBytes } from '../../support/clients/form-bytes.ts'
import { type OtherStage, type Played, startOtherStage } from '../../support/stages/other-stage.ts'
import { dataLine, namedEvent } from '../../support/strict/answers/answer.ts'
import { answerGoogleSpeech, tone } from '../../support/strict/other/check-speech.ts'
import { answerGoogleTranscript } from '../../support/strict/other/check-transcriptions.ts'
import { PNG } from '../../support/strict/requests/refused-by.ts'

let stage: OtherStage

beforeAll(async () => {
  stage = await startOtherStage()
})
beforeEach(() => stage.gateway.set({ RetryTimes: 0 }))
afterAll(() => stage.close())

const prompt = 'A lighthouse at dusk.'
const sound = () => OpenAI.toFile(wavBytes(), 'speech.wav', { type: 'audio/wav' })
const image = () => OpenAI.toFile(Buffer.from(PNG, 'base64'), 'cat.png', { type: 'image/png' })

interface Streaming {
  name: string
  vendor: Played
  /** Sent by the vendor before it fails. */
  first: string
  /** Tells the client that the answer is whole. */
  last: string
  /** The stream's text as it stands. */
  run(client: OpenAI, signal?: AbortSignal): Promise<Response>
}

const partial = (type: string) =>
  namedEvent({ type, b64_json: PNG, partial_image_index: 0, output_format: 'png' })
const speech = {
  model: 'gpt-4o-mini-tts',
  input: prompt,
  voice: 'coral',
  stream_format: 'sse',
} as const

const streams: readonly Streaming[] = [
  {
    name: 'completions',
    vendor: 'openai',
    first: dataLine({ id: 'c', object: 'text_completion', choices: [{ text: 'Half', index: 0 }] }),
    last: '[DONE]',
    run: (client, signal) =>
      client.completions
        .create({ model: 'gpt-3.5-turbo-instruct', prompt, stream: true }, { signal })
        .asResponse(),
  },
  {
    name: 'pictures',
    vendor: 'openai',
    first: partial('image_generation.partial_image'),
    last: 'image_generation.completed',
    run: (client, signal) =>
      client.images
        .generate({ model: 'gpt-image-1', prompt, stream: true }, { signal })
        .asResponse(),
  },
  {
    name: 'edits',
    vendor: 'openai',
    first: partial('image_edit.partial_image'),
    last: 'image_edit.completed',
    run: async (client, signal) =>
      client.images
        .edit({ model: 'gpt-image-1', prompt, image: await image(), stream: true }, { signal })
        .asResponse(),
  },
  ...(['openai', 'google'] as const).map(
    (vendor): Streaming => ({
      name: `a transcript by ${vendor}`,
      vendor,
      first:
        vendor === 'openai'
          ? dataLine({ type: 'transcript.text.delta', delta: 'Cannon' })
          : (answerGoogleTranscript(['Cannon']).chunks[0] ?? ''),
      last: 'transcript.text.done',
      run: async (client, signal) =>
        client.audio.transcriptions
          .create(
            {
              model: vendor === 'openai' ? 'gpt-4o-transcribe' : 'gemini-3-flash',
              file: await sound(),
              stream: true,
            },
            { signal },
          )
          .asResponse(),
    }),
  ),
  ...(['openai', 'google'] as const).map(
    (vendor): Streaming => ({
      name: `speech in events by ${vendor}`,
      vendor,
      first:
        vendor === 'openai'
          ? dataLine({ type: 'speech.audio.delta', audio: 'AAAA' })
          : (answerGoogleSpeech('gemini-2.5-flash-preview-tts', tone(400)).chunks[0] ?? ''),
      last: 'speech.audio.done',
      run: (client, signal) =>
        client.audio.speech
          .create(
            vendor === 'openai'
              ? speech
              : { ...speech, model: 'gemini-2.5-flash-preview-tts', response_format: 'pcm' },
            { signal },
          )
          .asResponse(),
    }),
  ),
]

const vendorError = (vendor: Played): object =>
  vendor === 'google'
    ? { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
    : { error: { message: 'The model is overloaded.', type: 'server_error', code: 'overloaded' } }

describe.each(streams)('a stream of $name', ({ vendor, first, last, run }) => {
  test('that the vendor ends with an error ends with that error', async () => {
    stage.upstreams[vendor].script({ chunks: [first, dataLine(vendorError(vendor))], pause: 20 })
    const row = await stage.booked(async () => {
      const text = await (await run(stage.client)).text()
      expect(text).toContain('The model is overloaded.')
      expect(text).not.toContain(last)
    })
    expect(row).toMatchObject({ content: 'The model is overloaded.', isStream: true })
  })

  test('that begins with an error is a plain refusal', async () => {
    stage.upstreams[vendor].script({ chunks: [dataLine(vendorError(vendor))] })
    const row = await stage.booked(() =>
      expect(run(stage.client)).rejects.toMatchObject({
        status: vendor === 'google' ? 503 : 500,
        message: expect.stringContaining('The model is overloaded.'),
      }),
    )
    expect(row).toMatchObject({ type: 5, quota: 0 })
  })

  test('that breaks off ends with an error, never as if it were whole', async () => {
    stage.upstreams[vendor].script({ chunks: [first], ending: 'cut' })
    const row = await stage.booked(async () => {
      const text = await (await run(stage.client)).text()
      expect(text).toContain('"error"')
      expect(text).not.toContain(last)
    })
    expect(row.other).toMatchObject({ error_code: 'upstream_cut' })
  })

  test('that simply ends too early ends with an error as well', async () => {
    stage.upstreams[vendor].script({ chunks: [first] })
    const row = await stage.booked(async () => {
      const text = await (await run(stage.client)).text()
      expect(text).toContain('"error"')
      expect(text).not.toContain(last)
    })
    expect(row.other.error_code).toBeTypeOf('string')
  })

  test('ends at the vendor at once when its client leaves', async () => {
    stage.upstreams[vendor].script({ chunks: [first], ending: 'hang' })
    const row = await stage.booked(async () => {
      const leaving = new AbortController()
      const answer = await run(stage.client, leaving.signal)
      const reader = answer.body?.getReader()
      await reader?.read()
      leaving.abort()
      const left = performance.now()
      expect(await stage.upstreams[vendor].last().ended).toBe('gone')
      expect(performance.now() - left).toBeLessThan(10_000)
    })
    expect(row).toMatchObject({ status: 499 })
    expect(row.other).toMatchObject({ cancelled: true })
  })
})

describe('sound', () => {
  const speak = (model: string, signal?: AbortSignal) =>
    stage.client.audio.speech.create(
      { model, input: prompt, voice: 'coral', response_format: 'pcm' },
      { signal },
    )
  const [half = ''] = answerGoogleSpeech('gemini-2.5-flash-preview-tts', tone(3000)).chunks
  const sources = [
    ['openai', 'gpt-4o-mini-tts', tone(500), { 'content-type': 'audio/pcm' }],
    ['google', 'gemini-2.5-flash-preview-tts', half, {}],
  ] as const

  test.each(sources)(
    'of %s that breaks off is a broken connection, not a short file',
    async (vendor, model, chunk, headers) => {
      stage.upstreams[vendor].script({ chunks: [chunk], headers, ending: 'cut' })
      const row = await stage.booked(async () => {
        const answer = await speak(model)
        expect(answer.status).toBe(200)
        await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
      })
      expect(row.other).toMatchObject({ error_code: 'upstream_cut' })
    },
  )

  test.each(sources)(
    'of %s ends at the vendor at once when its client leaves',
    async (vendor, model, chunk, headers) => {
      stage.upstreams[vendor].script({ chunks: [chunk], headers, ending: 'hang' })
      const row = await stage.booked(async () => {
        const leaving = new AbortController()
        const answer = await speak(model, leaving.signal)
        await answer.body?.getReader().read()
        leaving.abort()
        expect(await stage.upstreams[vendor].last().ended).toBe('gone')
      })
      expect(row).toMatchObject({ status: 499 })
    },
  )

  test('of Google that ends with an error is a broken connection too', async () => {
    stage.upstreams.google.script({
      chunks: [half, dataLine(vendorError('google'))],
      pause: 300,
    })
    const row = await stage.booked(async () => {
      const answer = await speak('gemini-2.5-flash-preview-tts')
      await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
    })
    expect(row).toMatchObject({ content: 'The model is overloaded.' })
  })

  test('that does not come at all is an error, not an empty file', async () => {
    stage.upstreams.openai.script({ chunks: [], headers: { 'content-type': 'audio/pcm' } })
    const row = await stage.booked(() =>
      expect(speak('gpt-4o-mini-tts')).rejects.toMatchObject({ status: 502 }),
    )
    expect(row).toMatchObject({ type: 5, quota: 0 })
  })

  test.each(sources)(
    'of %s gets nothing put in while the vendor is silent',
    async (vendor, model, chunk, headers) => {
      stage.gateway.set({ StreamKeepAliveSeconds: 1 })
      const end = vendor === 'google' ? answerGoogleSpeech(model, tone(0)).chunks : [tone(9)]
      stage.upstreams[vendor].script({ chunks: [chunk, ...end], headers, pause: 2500 })
      const sound = Buffer.from(await (await speak(model)).arrayBuffer())
      const whole = vendor === 'google' ? tone(3000).subarray(0, 1001 - (1001 % 2)) : null
      expect(sound.equals(whole ?? Buffer.concat([tone(500), tone(9)]))).toBe(true)
    },
  )
})

test('a stream of events is kept alive while the vendor draws, and reads the same', async () => {
  stage.gateway.set({ StreamKeepAliveSeconds: 1 })
  const type = 'image_generation.completed'
  stage.upstreams.openai.script({
    chunks: [partial('image_generation.partial_image'), namedEvent({ type, b64_json: PNG })],
    pause: 2500,
  })
  const asked = { model: 'gpt-image-1', prompt, stream: true } as const
  const text = await (await stage.client.images.generate(asked).asResponse()).text()
  expect(text).toContain(': keep-alive')
  expect(text.replaceAll(': keep-alive\n\n', '')).toBe(
    partial('image_generation.partial_image') + namedEvent({ type, b64_json: PNG }),
  )
})
