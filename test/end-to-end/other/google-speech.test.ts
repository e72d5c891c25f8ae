import { ApiError, type GenerateContentResponse, Modality } from '@google/genai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect } from '../../support/clients/collect.ts'
import { vendorClients } from '../../support/clients/vendor-clients.ts'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { GOOGLE_SPOKEN } from '../../support/strict/other/other-google.ts'
import { spoken } from '../../support/strict/other/other-openai.ts'

let stage: OtherStage
let google: ReturnType<typeof vendorClients>['google']

beforeAll(async () => {
  stage = await startOtherStage()
  google = vendorClients(stage.gateway).google
})
afterAll(() => stage.close())

const words = 'Theirs not to reason why.'
const speaking = (voiceName: string) => ({
  responseModalities: [Modality.AUDIO],
  speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
})
const config = speaking('Kore')

/** The models of both vendors, and what each speaks. */
const vendors = [
  ['google', 'gemini-2.5-flash-preview-tts', GOOGLE_SPOKEN, null],
  ['openai', 'gpt-4o-mini-tts', spoken('pcm'), 'speech'],
] as const

const partsOf = (answers: readonly GenerateContentResponse[]) =>
  answers.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])

const soundOf = (answers: readonly GenerateContentResponse[]): Buffer =>
  Buffer.concat(
    partsOf(answers).map(({ inlineData }) => Buffer.from(inlineData?.data ?? '', 'base64')),
  )

const ask = (model: string, verb: string, body: object, signal?: AbortSignal) =>
  fetch(`${stage.gateway.url}/v1beta/models/${model}:${verb}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': stage.gateway.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })

const body = { contents: [{ parts: [{ text: words }], role: 'user' }], generationConfig: config }

describe.each(vendors)('AUDIO of %s for Google’s client', (vendor, model, sound, format) => {
  /** Whole or streamed: who spoke, and what it cost. */
  function expectRow(row: Awaited<ReturnType<OtherStage['booked']>>, isStream: boolean) {
    expect(stage.upstreams[vendor].refusals).toEqual([])
    expect(row).toMatchObject({ status: 200, type: 2, model, isStream })
    expect(row.other).toMatchObject({ wire_format: 'generate-content' })
    expect(row.other.upstream_format ?? null).toBe(format)
    // Google counts tokens of sound; OpenAI’s plain sound counts only the text.
    if (vendor === 'google') {
      expect(row).toMatchObject({ promptTokens: 8, completionTokens: 48 })
      expect(row.other.audio_output).toBe(48)
    } else {
      expect(row).toMatchObject({ promptTokens: 0, completionTokens: 0 })
      expect(row.other.characters).toBe(words.length)
    }
  }

  test('whole', async () => {
    const row = await stage.booked(async () => {
      const answer = await google.models.generateContent({ model, contents: words, config })
      expect(partsOf([answer]).map(({ inlineData }) => inlineData?.mimeType)).toEqual([
        'audio/L16;codec=pcm;rate=24000',
      ])
      expect(soundOf([answer]).equals(sound)).toBe(true)
      expect(answer.candidates?.[0]?.finishReason).toBe('STOP')
    })
    expectRow(row, false)
  })

  test('streamed as events', async () => {
    const row = await stage.booked(async () => {
      const answers = await collect(
        await google.models.generateContentStream({ model, contents: words, config }),
      )
      expect(soundOf(answers).equals(sound)).toBe(true)
      expect(partsOf(answers).length).toBeGreaterThan(1)
      expect(answers.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
    })
    expectRow(row, true)
  })

  test('streamed as one JSON array', async () => {
    if (vendor === 'google') {
      const item = (parts: object[], more: object = {}) => ({
        candidates: [{ content: { role: 'model', parts }, ...more }],
        usageMetadata: {
          promptTokenCount: 8,
          candidatesTokenCount: 48,
          candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 48 }],
        },
      })
      const inlineData = {
        mimeType: 'audio/L16;codec=pcm;rate=24000',
        data: sound.toString('base64'),
      }
      stage.upstreams.google.script({
        chunks: [
          `[${JSON.stringify(item([{ inlineData }]))}`,
          `,\r\n${JSON.stringify(item([], { finishReason: 'STOP' }))}]`,
        ],
        headers: { 'content-type': 'application/json' },
        pause: 1,
      })
    }
    const row = await stage.booked(async () => {
      const answer = await ask(model, 'streamGenerateContent', body)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      const items = (await answer.json()) as GenerateContentResponse[]
      expect(items.length).toBeGreaterThan(1)
      expect(soundOf(items).equals(sound)).toBe(true)
      expect(items.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
    })
    expectRow(row, true)
  })

  test('under another name of the model', async () => {
    const alias = `speaks-${vendor}`
    stage.addChannel(vendor, { models: [alias], modelMapping: { [alias]: model } })
    const { other } = await stage.booked(async () => {
      const answer = await google.models.generateContent({ model: alias, contents: words, config })
      expect(soundOf([answer]).equals(sound)).toBe(true)
      // Google names its model only where it says more than the name.
      if (answer.modelVersion !== undefined) expect(answer.modelVersion).toBe(alias)
    })
    expect(other).toMatchObject({ is_model_mapped: true, upstream_model_name: model })
  })

  test.each([
    [401, 502, 'UNAVAILABLE'],
    [429, 429, 'RESOURCE_EXHAUSTED'],
    [500, 500, 'INTERNAL'],
  ] as const)('refused with %i is an error of %i', async (status, seen, word) => {
    for (const streams of [false, true]) {
      const error = { code: status, message: 'The vendor’s words.', status: word }
      const headers = { 'retry-after': '7' }
      stage.upstreams[vendor].script({ status, body: { error }, headers })
      let thrown: unknown
      const row = await stage.booked(async () => {
        const call = { model, contents: words, config }
        thrown = await (streams
          ? google.models.generateContentStream(call)
          : google.models.generateContent(call)
        ).catch((one: unknown) => one)
      })
      expect(thrown).toBeInstanceOf(ApiError)
      expect(thrown).toMatchObject({ status: seen })
      const said = JSON.parse((thrown as ApiError).message).error
      expect(said).toMatchObject({ code: seen, status: word })
      expect(said.message).toContain('The vendor’s words.')
      if (status === 429 && format !== null)
        expect(said.details).toMatchObject([{ retryDelay: '7s' }])
      expect(row).toMatchObject({ status: seen, type: 5, quota: 0 })
    }
  })

  test('comes from the second channel where the first fails', async () => {
    const name = `twice-${vendor}`
    for (const priority of [1, 2]) {
      stage.addChannel(vendor, { models: [name], modelMapping: { [name]: model }, priority })
    }
    for (const streams of [false, true]) {
      stage.upstreams[vendor].script({ status: 500, body: { error: { message: 'Broken.' } } })
      const row = await stage.booked(async () => {
        const call = { model: name, contents: words, config }
        const answers = streams
          ? await collect(await google.models.generateContentStream(call))
          : [await google.models.generateContent(call)]
        expect(soundOf(answers).equals(sound)).toBe(true)
      })
      expect((row.other.admin_info as { use_channel: string[] }).use_channel).toHaveLength(2)
    }
  })
})

describe('sound that OpenAI’s kind of vendor breaks off', () => {
  const model = 'gpt-4o-mini-tts'
  const cut = () => {
    const headers = { 'content-type': 'audio/pcm' }
    const chunks = [spoken('pcm').subarray(0, 2000), spoken('pcm').subarray(2000, 4000)]
    stage.upstreams.openai.script({ chunks, headers, pause: 20, ending: 'cut' })
  }

  test('throws in a stream of events, after what came', async () => {
    cut()
    const answers: GenerateContentResponse[] = []
    const row = await stage.booked(async () => {
      const stream = await google.models.generateContentStream({ model, contents: words, config })
      const reading = (async () => {
        for await (const answer of stream) answers.push(answer)
      })()
      await expect(reading).rejects.toBeInstanceOf(ApiError)
    })
    expect(soundOf(answers).length).toBe(4000)
    expect(answers.every(({ candidates }) => !candidates?.[0]?.finishReason)).toBe(true)
    // Before that the client had seen 200.
    expect(row).toMatchObject({ status: 200, isStream: true })
    expect(row.content).toContain('closed before the answer was complete')
    expect(row.other.error_code).toBe('upstream_cut')
    expect(row.other.characters).toBe(words.length)
  })

  test('closes a JSON array with an error', async () => {
    cut()
    const answer = await ask(model, 'streamGenerateContent', body)
    const items = (await answer.json()) as { error?: { code: number } }[]
    expect(items.at(-1)?.error).toMatchObject({ code: 502 })
  })

  test('is a real 502 where it was to come whole', async () => {
    cut()
    const thrown = await google.models
      .generateContent({ model, contents: words, config })
      .catch((error: unknown) => error)
    expect(thrown).toMatchObject({ status: 502 })
  })

  test('packed sound, which was not asked for, is a 502 as well', async () => {
    const packed = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(500)])
    for (const streams of [false, true]) {
      stage.upstreams.openai.script({ body: packed, headers: { 'content-type': 'audio/mpeg' } })
      const call = { model, contents: words, config }
      const asking = streams
        ? google.models.generateContentStream(call)
        : google.models.generateContent(call)
      await expect(asking).rejects.toMatchObject({ status: 502 })
    }
  })
})

test.each(vendors)(
  'a client that leaves ends the speech of %s',
  async (vendor, model, sound, format) => {
    const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: 'AAAA' }
    const chunk = { candidates: [{ content: { role: 'model', parts: [{ inlineData }] } }] }
    stage.upstreams[vendor].script(
      format === null
        ? { chunks: [`data: ${JSON.stringify(chunk)}\n\n`], ending: 'hang' }
        : {
            chunks: [sound.subarray(0, 2000)],
            headers: { 'content-type': 'audio/pcm' },
            ending: 'hang',
          },
    )
    const leaving = new AbortController()
    const row = await stage.booked(async () => {
      const answer = await ask(model, 'streamGenerateContent?alt=sse', body, leaving.signal)
      const reader = answer.body?.getReader()
      await reader?.read()
      leaving.abort()
      await reader?.closed.catch(() => {})
      expect(await stage.upstreams[vendor].last().ended).toBe('gone')
    })
    expect(row).toMatchObject({ status: 499, isStream: true })
    expect(row.other.cancelled).toBe(true)
  },
)

describe('what a reader of texts cannot do', () => {
  const model = 'gpt-4o-mini-tts'
  const refusedAs = async (wrong: object): Promise<string> => {
    const before = stage.upstreams.openai.requests.length
    let message = ''
    const row = await stage.booked(async () => {
      const answer = await ask(model, 'generateContent', { ...body, ...wrong })
      expect(answer.status).toBe(400)
      const { error } = (await answer.json()) as { error: { message: string; status: string } }
      expect(error.status).toBe('INVALID_ARGUMENT')
      message = error.message
    })
    expect(row).toMatchObject({ status: 400, type: 5 })
    expect(stage.upstreams.openai.requests).toHaveLength(before)
    return message
  }

  test('speak with two voices, look at a picture, or speak without a voice', async () => {
    const responseModalities = ['AUDIO']
    const multiSpeakerVoiceConfig = { speakerVoiceConfigs: [] }
    expect(
      await refusedAs({
        generationConfig: { responseModalities, speechConfig: { multiSpeakerVoiceConfig } },
      }),
    ).toContain('multiSpeakerVoiceConfig')
    const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' }
    expect(await refusedAs({ contents: [{ role: 'user', parts: [{ inlineData }] }] })).toContain(
      'contents[0].parts[0]',
    )
    // Google itself wants a voice, so that no vendor is looked for, and no row written.
    const voiceless = { ...body, generationConfig: { responseModalities } }
    const answer = await ask(model, 'generateContent', voiceless)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('voiceConfig')
  })

  test('is asked by either spelling of Google’s names', async () => {
    const generation_config = {
      response_modalities: ['AUDIO'],
      speech_config: { voice_config: { prebuilt_voice_config: { voice_name: 'Kore' } } },
    }
    const answer = await ask(model, 'generateContent', {
      contents: body.contents,
      generation_config,
    })
    expect(answer.status).toBe(200)
    const spokenAnswer = (await answer.json()) as GenerateContentResponse
    expect(soundOf([spokenAnswer]).equals(spoken('pcm'))).toBe(true)
  })

  test('what it passes over is told', async () => {
    const generationConfig = { ...speaking('Kore'), temperature: 0.3 }
    const answer = await ask(model, 'generateContent', { ...body, generationConfig })
    expect(answer.status).toBe(200)
    const loss = answer.headers.get('x-switchyard-loss') ?? ''
    expect(loss).toContain('dropped generationConfig.temperature')
    expect(loss).toContain('approximated generationConfig.speechConfig.voiceConfig')
    expect(stage.upstreams.openai.last().json()).toMatchObject({ voice: 'alloy' })
  })

  test('an unknown voice is the vendor’s to refuse', async () => {
    const generationConfig = speaking('Nobody')
    const answer = await ask(model, 'generateContent', { ...body, generationConfig })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining('voice') },
    })
    stage.upstreams.openai.refusals.length = 0
  })
})
