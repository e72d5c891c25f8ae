import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { imageEditsCodec, imagesCodec } from '../../../../../main/convert/other/images/codecs.ts'
import { imageBridges } from '../../../../../main/convert/other/images/google-bridges.ts'
import { type BridgeServer, startBridge } from '../../../../support/clients/bridge-server.ts'
import {
  answerGoogleImage,
  answerWithoutImage,
  checkGoogleImage,
} from '../../../../support/strict/other/check-images.ts'
import { PNG } from '../../../../support/strict/requests/refused-by.ts'

const model = 'gemini-3.1-flash-image'
let made: BridgeServer
let edited: BridgeServer
let reply: (index: number) => object

const clientOf = (server: BridgeServer) =>
  new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 })
const picture = () => toFile(Buffer.from(PNG, 'base64'), 'a.png', { type: 'image/png' })

beforeAll(async () => {
  const options = {
    bridges: imageBridges,
    model,
    answer(body: Record<string, unknown>, index: number) {
      checkGoogleImage(body, model)
      return { whole: reply(index), chunks: [] }
    },
  }
  made = await startBridge({ ...options, codec: imagesCodec })
  edited = await startBridge({ ...options, codec: imageEditsCodec })
})
beforeEach(() => {
  made.asked.length = 0
  edited.asked.length = 0
  reply = () => answerGoogleImage()
})
afterAll(() => Promise.all([made.close(), edited.close()]))

describe('pictures of a Gemini model for the OpenAI SDK', () => {
  test('each of three pictures is one call, and their usage is added', async () => {
    const answer = await clientOf(made).images.generate({
      model,
      prompt: 'An otter “with” a hat',
      n: 3,
      size: '1536x1024',
    })
    expect(answer.data?.map((one) => one.b64_json)).toEqual([PNG, PNG, PNG])
    expect(answer.output_format).toBe('png')
    expect(answer.usage).toMatchObject({
      input_tokens: 21,
      output_tokens: 3870,
      output_tokens_details: { image_tokens: 3870 },
    })
    expect(made.usage).toMatchObject({ input: 21, output: 3870 })
    expect(made.usage?.detail).toEqual({ outputImage: 3870, images: 3 })
    expect(made.asked).toHaveLength(3)
    expect(made.asked[0]).toMatchObject({
      contents: [{ parts: [{ text: 'An otter “with” a hat' }] }],
      generationConfig: { imageConfig: { aspectRatio: '3:2' } },
    })
    expect(made.losses.map(({ path }) => path)).toEqual(['size'])
  })

  test.each([
    ['1024x1024', { aspectRatio: '1:1' }, false],
    ['3840x2160', { aspectRatio: '16:9', imageSize: '4K' }, true],
    ['2048x2048', { aspectRatio: '1:1', imageSize: '2K' }, true],
    ['1024x1792', { aspectRatio: '9:16' }, true],
    ['auto', undefined, false],
  ])('the size %s becomes the nearest shape', async (size, imageConfig, isNoted) => {
    await clientOf(made).images.generate({ model, prompt: 'x', size })
    const config = made.asked[0]?.generationConfig as { imageConfig?: unknown }
    expect(config.imageConfig).toEqual(imageConfig)
    expect(made.losses.some(({ path }) => path === 'size')).toBe(isNoted)
  })

  test('a stream ends with the picture and the usage', async () => {
    const stream = await clientOf(made).images.generate({
      model,
      prompt: 'x',
      stream: true,
      partial_images: 2,
    })
    const events = []
    for await (const event of stream) events.push(event)
    expect(events).toMatchObject([
      { type: 'image_generation.completed', b64_json: PNG, usage: { output_tokens: 1290 } },
    ])
    expect(made.losses.map(({ path }) => path)).toEqual(['partial_images'])
  })

  test('an address is a data: URL, and what has no counterpart is noted', async () => {
    const answer = await clientOf(made).images.generate({
      model,
      prompt: 'x',
      response_format: 'url',
      quality: 'high',
      style: 'vivid',
      moderation: 'auto',
      output_format: 'webp',
    })
    expect(answer.data?.[0]?.url).toBe(`data:image/png;base64,${PNG}`)
    expect(made.losses.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      'approximated output_format',
      'approximated response_format',
      'dropped quality',
      'dropped style',
    ])
  })

  test.each([
    ['background', { background: 'transparent' as const }],
    ['size', { size: 'huge' }],
    ['size', { size: 512 as unknown as string }],
    ['prompt', { prompt: ' ' }],
    ['n', { n: 11 }],
    ['n', { n: 1.5 }],
  ])('%s is refused by name before Google is asked', async (param, fields) => {
    const asked = clientOf(made).images.generate({ model, prompt: 'x', ...fields })
    await expect(asked).rejects.toMatchObject({ status: 400, param })
    expect(made.asked).toEqual([])
  })

  test('where no picture is made the model’s own sentence is the error', async () => {
    reply = () => answerWithoutImage('STOP', 'I will not draw that person.')
    await expect(clientOf(made).images.generate({ model, prompt: 'x' })).rejects.toThrow(
      'I will not draw that person.',
    )
    reply = () => answerWithoutImage('IMAGE_SAFETY')
    await expect(clientOf(made).images.generate({ model, prompt: 'x' })).rejects.toMatchObject({
      status: 400,
      code: 'moderation_blocked',
    })
    reply = () => ({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
    await expect(clientOf(made).images.generate({ model, prompt: 'x' })).rejects.toMatchObject({
      status: 400,
    })
  })

  test('the sketches that a model makes while it thinks are no pictures that were asked for', async () => {
    const answer = answerGoogleImage() as { candidates: [{ content: { parts: object[] } }] }
    const { parts } = answer.candidates[0].content
    const sketch = { inlineData: { mimeType: 'image/jpeg', data: '/9j/4AAQ' }, thought: true }
    parts.unshift({ text: 'A first try.', thought: true }, sketch)
    reply = () => answer
    const { data } = await clientOf(made).images.generate({ model, prompt: 'x' })
    expect(data?.map((one) => one.b64_json)).toEqual([PNG])
    expect(made.usage?.detail?.images).toBe(1)
  })

  test('the pictures that were made are given where another was refused', async () => {
    reply = (index) => (index === 0 ? answerWithoutImage('IMAGE_SAFETY') : answerGoogleImage())
    const answer = await clientOf(made).images.generate({ model, prompt: 'x', n: 2 })
    expect(answer.data).toHaveLength(1)
    expect(made.losses.map(({ path }) => path)).toEqual(['n'])
  })
})

describe('edits by a Gemini model', () => {
  test('all images of the form stand in the call, in their order', async () => {
    const answer = await clientOf(edited).images.edit({
      model,
      prompt: 'a hat',
      image: [await picture(), await picture()],
      n: 2,
    })
    expect(answer.data).toHaveLength(2)
    const image = { inlineData: { mimeType: 'image/png', data: PNG } }
    expect(edited.asked[1]).toMatchObject({
      contents: [{ parts: [{ text: 'a hat' }, image, image] }],
    })
  })

  test('a stream has the events of edits', async () => {
    const stream = await clientOf(edited).images.edit({
      model,
      prompt: 'a hat',
      image: await picture(),
      stream: true,
    })
    for await (const event of stream) expect(event.type).toBe('image_edit.completed')
    expect(edited.usage?.detail?.images).toBe(1)
  })

  test('an empty field of the form stands for the default', async () => {
    const form = new FormData()
    form.append('image', new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' }), 'a.png')
    const fields = { model, prompt: 'x', n: '', size: '', background: '', response_format: '' }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const answer = await fetch(`${edited.url}/v1/images/edits`, { method: 'POST', body: form })
    expect(await answer.json()).toMatchObject({ data: [{ b64_json: PNG }] })
    expect(edited.asked).toHaveLength(1)
  })

  test('a mask and a file that is no image are refused by name', async () => {
    const image = await picture()
    const asked = { model, prompt: 'x', image }
    await expect(
      clientOf(edited).images.edit({ ...asked, mask: await picture() }),
    ).rejects.toMatchObject({ status: 400, param: 'mask' })
    const text = await toFile(Buffer.from('no image'), 'a.png', { type: 'text/plain' })
    await expect(clientOf(edited).images.edit({ ...asked, image: text })).rejects.toMatchObject({
      status: 400,
      param: 'image',
    })
  })

  test('a body of JSON may hold the image as a data: URL', async () => {
    const images = [{ image_url: `data:image/png;base64,${PNG}` }]
    const body = JSON.stringify({ model, prompt: 'x', images, constructor: 1 })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${edited.url}/v1/images/edits`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(JSON.stringify(edited.asked[0])).toContain(PNG)
    expect(edited.losses.map(({ path }) => path)).toEqual(['constructor'])
  })
})
