import { ApiError, type GenerateContentResponse, Modality } from '@google/genai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vendorClients } from '../../support/clients/vendor-clients.ts'
import { type OtherStage, startOtherStage } from '../../support/stages/other-stage.ts'
import { answerGoogleImage } from '../../support/strict/other/check-images.ts'

let stage: OtherStage
let google: ReturnType<typeof vendorClients>['google']

beforeAll(async () => {
  stage = await startOtherStage()
  google = vendorClients(stage.gateway).google
})
afterAll(() => stage.close())

const model = 'gemini-3.1-flash-image'
const drawn = answerGoogleImage() as unknown as GenerateContentResponse
const call = {
  model,
  contents: 'A sea otter',
  config: {
    responseModalities: [Modality.TEXT, Modality.IMAGE],
    imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
  },
}
const pictures = ({ candidates }: GenerateContentResponse) =>
  (candidates?.[0]?.content?.parts ?? []).flatMap(({ inlineData }) => inlineData?.data ?? [])

test('a picture for Google’s client comes as it was drawn, and the row counts it', async () => {
  const row = await stage.booked(async () => {
    const answer = await google.models.generateContent(call)
    expect(answer.candidates).toEqual(drawn.candidates)
    expect(pictures(answer)).toHaveLength(1)
  })
  expect(stage.upstreams.google.refusals).toEqual([])
  expect(stage.upstreams.google.last().json()).toMatchObject({
    generationConfig: { imageConfig: call.config.imageConfig },
  })
  const {
    promptTokenCount,
    candidatesTokenCount = 0,
    thoughtsTokenCount = 0,
  } = drawn.usageMetadata ?? {}
  expect(row).toMatchObject({
    status: 200,
    type: 2,
    promptTokens: promptTokenCount,
    completionTokens: candidatesTokenCount + thoughtsTokenCount,
  })
  expect(row.other.image_output).toBeGreaterThan(0)
  expect(row.other).not.toHaveProperty('upstream_format')
})

test('a streamed picture too', async () => {
  const row = await stage.booked(async () => {
    const answers: GenerateContentResponse[] = []
    for await (const answer of await google.models.generateContentStream(call)) answers.push(answer)
    expect(answers.flatMap(pictures)).toEqual(pictures(drawn))
  })
  expect(row).toMatchObject({ status: 200, isStream: true })
  expect(row.other.image_output).toBeGreaterThan(0)
})

test('an edit carries its picture to the vendor byte for byte', async () => {
  const data = Buffer.alloc(3000, 7).toString('base64')
  const parts = [{ inlineData: { mimeType: 'image/png', data } }, { text: 'Add a hat' }]
  await google.models.generateContent({ ...call, contents: [{ role: 'user', parts }] })
  expect(stage.upstreams.google.refusals).toEqual([])
  expect(stage.upstreams.google.last().json()).toMatchObject({ contents: [{ parts }] })
})

describe('what Google refuses', () => {
  test('reaches its client in its own words', async () => {
    const config = { ...call.config, imageConfig: { aspectRatio: '7:1' } }
    let thrown: unknown
    const row = await stage.booked(async () => {
      thrown = await google.models
        .generateContent({ ...call, config })
        .catch((error: unknown) => error)
    })
    expect(thrown).toBeInstanceOf(ApiError)
    expect(thrown).toMatchObject({ status: 400 })
    const { error } = JSON.parse((thrown as ApiError).message) as { error: { message: string } }
    expect(error.message).toBe(stage.upstreams.google.refusals.pop())
    expect(error.message).toContain('aspectRatio')
    expect(row).toMatchObject({ status: 400, type: 5, quota: 0 })
  })

  test('a picture that was not drawn is an answer without one', async () => {
    const candidates = [{ finishReason: 'IMAGE_SAFETY', index: 0 }]
    stage.upstreams.google.script({ body: { candidates } })
    const answer = await google.models.generateContent(call)
    expect(answer.candidates).toEqual(candidates)
  })
})
