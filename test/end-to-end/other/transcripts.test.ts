import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wavBytes } from '../../support/clients/form-bytes.ts'
import { readForm } from '../../support/clients/read-form.ts'
import { readFixture } from '../../support/recordings/fixtures.ts'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { checkGoogleTranscription } from '../../support/strict/other/check-transcriptions.ts'
import { GOOGLE_HEARD } from '../../support/strict/other/other-google.ts'
import { HEARD } from '../../support/strict/other/other-openai.ts'
import type { Json } from '../../support/strict/requests/refusal.ts'

let stage: OtherStage

beforeAll(async () => {
  stage = await startOtherStage()
})
afterAll(() => stage.close())

const recording = wavBytes(50_000)
const file = () => OpenAI.toFile(recording, 'speech.wav', { type: 'audio/wav' })

const sources = [
  ['OpenAI', 'gpt-4o-transcribe', HEARD.join(''), { promptTokens: 14, completionTokens: 9 }, 10],
  [
    'Gemini',
    'gemini-3-flash',
    GOOGLE_HEARD.join(''),
    { promptTokens: 60, completionTokens: 9 },
    32,
  ],
] as const

describe.each(sources)(
  'transcripts of %s for the OpenAI client',
  (vendor, model, text, tokens, sound) => {
    const upstream = () => stage.upstreams[vendor === 'OpenAI' ? 'openai' : 'google']

    test('come as JSON, and the recording arrived byte for byte', async () => {
      const row = await stage.booked(async () => {
        const answer = await stage.client.audio.transcriptions.create({ model, file: await file() })
        expect(answer.text).toBe(text)
        expect(answer.usage).toMatchObject({ type: 'tokens', output_tokens: 9 })
      })
      expect(row).toMatchObject({ status: 200, model, isStream: false, ...tokens })
      expect(row.other).toMatchObject({ audio_input: sound, wire_format: 'transcriptions' })
      if (vendor === 'OpenAI') {
        const { files } = await readForm(upstream().last())
        expect(files[0]).toMatchObject({ filename: 'speech.wav', contentType: 'audio/wav' })
        expect(files[0]?.bytes.equals(recording)).toBe(true)
      } else {
        expect(checkGoogleTranscription(upstream().last().json() as Json).equals(recording)).toBe(
          true,
        )
      }
    })

    test('streamed come piece by piece and end with the tokens', async () => {
      const row = await stage.booked(async () => {
        const stream = await stage.client.audio.transcriptions.create({
          model,
          file: await file(),
          stream: true,
        })
        const events: OpenAI.Audio.TranscriptionStreamEvent[] = []
        for await (const event of stream) events.push(event)
        const deltas = events.flatMap((one) =>
          one.type === 'transcript.text.delta' ? one.delta : [],
        )
        expect(deltas).toEqual(vendor === 'OpenAI' ? HEARD : GOOGLE_HEARD)
        expect(events.at(-1)).toMatchObject({
          type: 'transcript.text.done',
          text,
          usage: { output_tokens: 9 },
        })
      })
      expect(row).toMatchObject({ status: 200, isStream: true, ...tokens })
      expect(row.other).toMatchObject({ audio_input: sound })
      // Whether a form asks for a stream is known only when it has gone through.
      const accepted = vendor === 'OpenAI' ? '*/*' : 'text/event-stream'
      expect(upstream().last().headers.accept).toBe(accepted)
    })

    test('under another name of the model reach the vendor under its own, in the form too', async () => {
      const name = `my-ears-at-${vendor}`
      stage.addChannel(vendor === 'OpenAI' ? 'openai' : 'google', {
        models: [name],
        modelMapping: { [name]: model },
      })
      const row = await stage.booked(async () => {
        const answer = await stage.client.audio.transcriptions.create({
          model: name,
          file: await file(),
        })
        expect(answer.text).toBe(text)
      })
      expect(row).toMatchObject({ model: name })
      expect(row.other).toMatchObject({ upstream_model_name: model })
      if (vendor === 'OpenAI') {
        const { fields, files } = await readForm(upstream().last())
        expect(fields).toMatchObject({ model: [model] })
        expect(files[0]?.bytes.equals(recording)).toBe(true)
      } else expect(upstream().last().url).toContain(model)
    })
  },
)

describe('transcripts of whisper-1', () => {
  const model = 'whisper-1'

  test.each(['text', 'srt', 'vtt'] as const)(
    'in %s are the vendor’s bytes, no JSON',
    async (format) => {
      const row = await stage.booked(async () => {
        const answer = await stage.client.audio.transcriptions
          .create({ model, file: await file(), response_format: format })
          .asResponse()
        expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
        const text = await answer.text()
        expect(text.startsWith({ text: 'Cannon', srt: '1\n00:', vtt: 'WEBVTT\n' }[format])).toBe(
          true,
        )
        expect(text.endsWith('\n')).toBe(true)
      })
      // Plain text tells no usage, and none is made up.
      expect(row).toMatchObject({ status: 200, promptTokens: 0, completionTokens: 0 })
      expect(row.other).toMatchObject({ usage_unknown: true })
    },
  )

  test('with word times are counted in the seconds that the vendor bills', async () => {
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.transcriptions.create({
        model,
        file: await file(),
        response_format: 'verbose_json',
        timestamp_granularities: ['word', 'segment'],
      })
      expect(answer.segments).toHaveLength(1)
    })
    expect(row.other).toMatchObject({ seconds: 3 })
    const { fields } = await readForm(stage.upstreams.openai.last())
    expect(fields['timestamp_granularities[]']).toEqual(['word', 'segment'])
  })

  test('with their speakers keep them, and are counted in seconds', async () => {
    const diarizing = 'gpt-4o-transcribe-diarize'
    stage.addChannel('openai', { models: [diarizing] })
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.transcriptions.create({
        model: diarizing,
        file: await file(),
        response_format: 'diarized_json',
        chunking_strategy: 'auto',
        known_speaker_names: ['Ada', 'Bo'],
      })
      expect(answer).toMatchObject({ segments: [{ speaker: 'A', text: HEARD.join('') }] })
    })
    expect(row.other).toMatchObject({ seconds: 3 })
    const { fields } = await readForm(stage.upstreams.openai.last())
    expect(fields['known_speaker_names[]']).toEqual(['Ada', 'Bo'])
  })

  test('as they were recorded pass byte for byte', async () => {
    const recorded = readFixture('openai-audio/transcription-verbose.json')
    stage.upstreams.openai.script({
      body: recorded,
      headers: { 'content-type': 'application/json' },
    })
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.transcriptions
        .create({ model, file: await file(), response_format: 'verbose_json' })
        .asResponse()
      expect(Buffer.from(await answer.arrayBuffer()).equals(recorded)).toBe(true)
    })
    const { usage, duration } = JSON.parse(String(recorded))
    expect(row.other.seconds).toBe(usage?.seconds ?? duration)
  })

  test('of a text that looks like a page or an error are left alone', async () => {
    for (const said of ['{"error": "is what she said"}\n', 'less than <html> tags\n']) {
      stage.upstreams.openai.script({
        body: said,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      })
      const answer = await stage.client.audio.transcriptions.create({
        model,
        file: await file(),
        response_format: 'text',
      })
      expect(answer).toBe(said)
    }
  })

  test('asked for as a stream come whole, as the vendor gives them', async () => {
    const answer = await stage.client.audio.transcriptions
      .create({ model, file: await file(), stream: true })
      .asResponse()
    expect(await answer.json()).toMatchObject({ text: HEARD.join('') })
  })
})

describe('translations', () => {
  test('of OpenAI come in each of its formats', async () => {
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.translations.create({
        model: 'whisper-1',
        file: await file(),
      })
      expect(answer.text).toBe(HEARD.join(''))
    })
    expect(row.other).toMatchObject({ request_path: '/v1/audio/translations', usage_unknown: true })
    const srt = await stage.client.audio.translations.create({
      model: 'whisper-1',
      file: await file(),
      response_format: 'srt',
    })
    expect(String(srt)).toContain('00:00:02,500')
  })

  test('of Gemini are asked for in English', async () => {
    const row = await stage.booked(async () => {
      const answer = await stage.client.audio.translations.create({
        model: 'gemini-3-flash',
        file: await file(),
      })
      expect(answer.text).toBe(GOOGLE_HEARD.join(''))
    })
    expect(String(stage.upstreams.google.last().body)).toContain('into English')
    expect(row).toMatchObject({ promptTokens: 60, completionTokens: 9 })
  })
})

describe('transcripts of Gemini', () => {
  const model = 'gemini-3-flash'

  test('in plain text are plain text', async () => {
    const answer = await stage.client.audio.transcriptions
      .create({ model, file: await file(), response_format: 'text' })
      .asResponse()
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe(`${GOOGLE_HEARD.join('')}\n`)
  })

  test.each(['srt', 'vtt', 'verbose_json', 'diarized_json'] as const)(
    'in %s are refused by name with what can be had',
    async (format) => {
      const before = stage.upstreams.google.requests.length
      await stage.booked(async () =>
        expect(
          stage.client.audio.transcriptions.create({
            model,
            file: await file(),
            response_format: format,
          }),
        ).rejects.toMatchObject({
          status: 400,
          param: 'response_format',
          message: expect.stringContaining('json or text'),
        }),
      )
      expect(stage.upstreams.google.requests.length).toBe(before)
    },
  )

  test('say what was told to the model in words only', async () => {
    const { response } = await stage.client.audio.transcriptions
      .create({ model, file: await file(), language: 'de', prompt: 'Names: Zoë.' })
      .withResponse()
    const head = response.headers.get('x-switchyard-loss')
    expect(head).toContain('language')
    expect(head).toContain('prompt')
    expect(String(stage.upstreams.google.last().body)).toContain('Zoë')
  })

  test('that break off are no transcripts', async () => {
    stage.upstreams.google.script({
      body: {
        candidates: [{ content: { parts: [{ text: 'Half of' }] }, finishReason: 'MAX_TOKENS' }],
      },
    })
    await expect(
      stage.client.audio.transcriptions.create({ model, file: await file() }),
    ).rejects.toMatchObject({ status: 502 })
  })
})
