import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readForm } from '../../support/clients/read-form.ts'
import { readFixture } from '../../support/recordings/fixtures.ts'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { answerGoogleImage, answerWithoutImage } from '../../support/strict/other/check-images.ts'
import { PNG } from '../../support/strict/requests/refused-by.ts'

let stage: OtherStage

beforeAll(async () => {
  stage = await startOtherStage()
})
afterAll(() => stage.close())

const prompt = 'A lighthouse at dusk.'
const png = Buffer.from(PNG, 'base64')
const picture = (name = 'cat.png') => OpenAI.toFile(png, name, { type: 'image/png' })

const sources = [
  ['OpenAI', 'gpt-image-1', undefined, 12, 100],
  ['Gemini', 'gemini-3.1-flash-image', 'generate-content', 7, 1290],
] as const

describe.each(sources)(
  'pictures of %s for the OpenAI client',
  (_, model, format, input, output) => {
    test('come as they were drawn, with their tokens in one row', async () => {
      const row = await stage.booked(async () => {
        const answer = await stage.client.images.generate({ model, prompt })
        expect(answer.data).toEqual([{ b64_json: PNG }])
        expect(answer.output_format).toBe('png')
        expect(answer.usage).toMatchObject({ input_tokens: input, output_tokens: output })
      })
      expect(row).toMatchObject({ status: 200, promptTokens: input, completionTokens: output })
      expect(row.other).toMatchObject({ images: 1, image_output: output, wire_format: 'images' })
      expect(row.other.upstream_format).toBe(format)
    })

    test('are as many as were asked for, and all of them booked', async () => {
      const row = await stage.booked(async () => {
        const answer = await stage.client.images.generate({ model, prompt, n: 3 })
        expect(answer.data).toEqual(Array.from({ length: 3 }, () => ({ b64_json: PNG })))
      })
      expect(row.other).toMatchObject({ images: 3 })
      expect(row.completionTokens).toBe(3 * output)
    })

    test('streamed end with the whole picture and its tokens', async () => {
      const row = await stage.booked(async () => {
        const stream = await stage.client.images.generate({
          model,
          prompt,
          stream: true,
          partial_images: 1,
        })
        const events: OpenAI.ImageGenStreamEvent[] = []
        for await (const event of stream) events.push(event)
        const last = events.at(-1)
        expect(last).toMatchObject({ type: 'image_generation.completed', b64_json: PNG })
        expect(last).toMatchObject({ usage: { input_tokens: input, output_tokens: output } })
        // Google draws no half pictures.
        expect(events.length).toBe(format ? 1 : 2)
      })
      expect(row).toMatchObject({ status: 200, isStream: true, completionTokens: output })
      expect(row.other).toMatchObject({ images: 1 })
    })

    test('are changed by a form with several pictures, each of which arrives byte for byte', async () => {
      const row = await stage.booked(async () => {
        const answer = await stage.client.images.edit({
          model,
          prompt,
          image: [await picture(), await picture('dog.png')],
        })
        expect(answer.data).toEqual([{ b64_json: PNG }])
      })
      const asked = stage.upstreams[format ? 'google' : 'openai'].last()
      if (format) expect(String(asked.body).split(PNG).length - 1).toBe(2)
      else {
        const { files, fields } = await readForm(asked)
        expect(files.map(({ filename }) => filename)).toEqual(['cat.png', 'dog.png'])
        expect(files.every(({ bytes }) => bytes.equals(png))).toBe(true)
        expect(fields.prompt).toEqual([prompt])
      }
      expect(row).toMatchObject({ status: 200, promptTokens: input })
      expect(row.other).toMatchObject({ images: 1, request_path: '/v1/images/edits' })
    })

    test('changed in a stream end with the whole picture', async () => {
      const row = await stage.booked(async () => {
        const stream = await stage.client.images.edit({
          model,
          prompt,
          image: await picture(),
          stream: true,
        })
        const events: OpenAI.ImageEditStreamEvent[] = []
        for await (const event of stream) events.push(event)
        expect(events.at(-1)).toMatchObject({ type: 'image_edit.completed', b64_json: PNG })
      })
      expect(row).toMatchObject({ status: 200, isStream: true, completionTokens: output })
      expect(row.other).toMatchObject({ images: 1 })
    })
  },
)

test('a recorded answer passes byte for byte, its pictures counted', async () => {
  const recorded = readFixture('openai-images/generation.json')
  stage.upstreams.openai.script({ body: recorded, headers: { 'content-type': 'application/json' } })
  const row = await stage.booked(async () => {
    const answer = await stage.client.images.generate({ model: 'gpt-image-1', prompt }).asResponse()
    expect(Buffer.from(await answer.arrayBuffer()).equals(recorded)).toBe(true)
  })
  expect(row.other.images).toBe(JSON.parse(String(recorded)).data.length)
})

test('a recorded refusal of a field of older models passes as it is', async () => {
  const recorded = JSON.parse(String(readFixture('openai-images/response-format-error.json')))
  stage.upstreams.openai.script({ status: 400, body: recorded })
  const asked = { model: 'gpt-image-1', prompt, response_format: 'url' } as const
  await expect(stage.client.images.generate(asked)).rejects.toMatchObject({
    status: 400,
    error: recorded.error,
  })
})

test('variations of a picture come as addresses, counted though the vendor tells no tokens', async () => {
  const row = await stage.booked(async () => {
    const answer = await stage.client.images.createVariation({
      model: 'dall-e-2',
      image: await picture(),
      n: 2,
    })
    expect(answer.data?.map(({ url }) => url)).toEqual([
      'https://images.example/0.png',
      'https://images.example/1.png',
    ])
  })
  expect(row.other).toMatchObject({ images: 2, request_path: '/v1/images/variations' })
})

test('variations by a model that makes none are refused with what its channel serves', async () => {
  const before = stage.upstreams.google.requests.length
  await stage.booked(async () =>
    expect(
      stage.client.images.createVariation({
        model: 'gemini-3.1-flash-image',
        image: await picture(),
      }),
    ).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /\/v1\/images\/variations.*gemini, embeddings, image-generation/,
      ),
    }),
  )
  expect(stage.upstreams.google.requests.length).toBe(before)
})

describe('what Gemini cannot draw', () => {
  const model = 'gemini-3.1-flash-image'

  test.each([
    [{ background: 'transparent' }, 'background'],
    [{ size: 'huge' as '256x256' }, 'size'],
  ] as const)('%j is refused by name, unasked', async (wish, field) => {
    const before = stage.upstreams.google.requests.length
    await expect(stage.client.images.generate({ model, prompt, ...wish })).rejects.toMatchObject({
      status: 400,
      param: field,
    })
    expect(stage.upstreams.google.requests.length).toBe(before)
  })

  test('a mask is refused by name, not painted over', async () => {
    await expect(
      stage.client.images.edit({ model, prompt, image: await picture(), mask: await picture() }),
    ).rejects.toMatchObject({ status: 400, param: 'mask' })
  })

  test('is said in its own words where it refuses the prompt', async () => {
    stage.upstreams.google.script({
      body: answerWithoutImage('IMAGE_SAFETY', 'I will not draw that.'),
    })
    await stage.booked(() =>
      expect(stage.client.images.generate({ model, prompt })).rejects.toMatchObject({
        message: expect.stringContaining('I will not draw that.'),
      }),
    )
  })

  test('another shape, and words beside the picture, are noted in the head and the log', async () => {
    stage.upstreams.google.script({ body: answerGoogleImage('Here you are.') })
    const row = await stage.booked(async () => {
      const { response } = await stage.client.images
        .generate({ model, prompt, size: '1536x1024', quality: 'low' })
        .withResponse()
      const head = response.headers.get('x-switchyard-loss')
      for (const path of ['size', 'quality', 'prompt']) expect(head).toContain(path)
    })
    expect(row.other.loss).toHaveLength(3)
    expect(stage.upstreams.google.last().json()).toMatchObject({
      generationConfig: { imageConfig: { aspectRatio: '3:2' } },
    })
  })
})
