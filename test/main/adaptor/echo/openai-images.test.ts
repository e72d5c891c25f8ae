import fc from 'fast-check'
import OpenAI, { toFile } from 'openai'
import { describe, expect, test } from 'vitest'
import { encodePng } from '../../../../main/adaptor/echo/media/picture.ts'
import { collect } from '../../../support/clients/collect.ts'
import { serveEcho } from './echo-server.ts'
import { readPng } from './png-facts.ts'

const url = await serveEcho()
const openai = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 0 })

const bytesOf = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64')

describe('a picture', () => {
  const order = { model: 'echo', prompt: 'A sea otter' }

  test('is a PNG in the ratio asked for, the same each time, with its usage', async () => {
    const answer = await openai.images.generate({ ...order, size: '1536x1024' })
    const file = bytesOf(answer.data?.[0]?.b64_json)
    expect(readPng(file)).toMatchObject({ width: 512, height: 341 })
    expect(readPng(file).colours.size).toBeGreaterThan(5)
    expect(answer).toMatchObject({ size: '512x341', output_format: 'png' })
    expect(answer.data?.[0]?.revised_prompt).toContain('A sea otter')
    const { input_tokens: input = 0, output_tokens: output = 0 } = answer.usage ?? {}
    expect(answer.usage).toMatchObject({ total_tokens: input + output, output_tokens: 682 })
    const again = await openai.images.generate({ ...order, size: '1536x1024' })
    expect(again.data).toEqual(answer.data)
    const other = await openai.images.generate({ ...order, prompt: 'A cat', size: '1536x1024' })
    expect(other.data?.[0]?.b64_json).not.toBe(answer.data?.[0]?.b64_json)
  })

  test('is no larger than asked, and comes as often as asked, each another', async () => {
    const answer = await openai.images.generate({ ...order, n: 3, size: '256x256' })
    const files = answer.data?.map(({ b64_json }) => b64_json) ?? []
    expect(new Set(files).size).toBe(3)
    expect(readPng(bytesOf(files[2]))).toMatchObject({ width: 256, height: 256 })
    expect(answer.usage?.output_tokens).toBe(3 * 256)
  })

  test('comes as an address that needs no server', async () => {
    const answer = await openai.images.generate({ ...order, response_format: 'url' })
    const [, data] = (answer.data?.[0]?.url ?? '').split('data:image/png;base64,')
    expect(readPng(bytesOf(data)).width).toBe(512)
  })

  test('is streamed from its beginnings to the whole', async () => {
    const stream = await openai.images.generate({ ...order, stream: true, partial_images: 2 })
    const events = await collect(stream)
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ])
    expect(events[1]).toMatchObject({ partial_image_index: 1 })
    for (const { b64_json } of events) expect(readPng(bytesOf(b64_json)).width).toBe(512)
    expect(new Set(events.map(({ b64_json }) => b64_json)).size).toBe(3)
    expect(events.at(-1)).toMatchObject({ usage: { output_tokens: 1024 } })
  })
})

describe('an uploaded picture', () => {
  const upload = (byte: number) => toFile(Buffer.alloc(40, byte), `${byte}.png`)
  const first = async (answer: Promise<OpenAI.ImagesResponse>) => (await answer).data?.[0]

  test('decides with the prompt what its edit looks like', async () => {
    const edit = async (prompt: string, byte: number) =>
      first(openai.images.edit({ model: 'echo', prompt, image: await upload(byte) }))
    const answer = await edit('Add a hat', 1)
    expect(readPng(bytesOf(answer?.b64_json)).width).toBe(512)
    expect(answer?.revised_prompt).toMatch(/Add a hat.*1\.png \(40 bytes\)/)
    expect((await edit('Add a hat', 2))?.b64_json).not.toBe(answer?.b64_json)
    expect((await edit('Add a cat', 1))?.b64_json).not.toBe(answer?.b64_json)
    expect((await edit('Add a hat', 1))?.b64_json).toBe(answer?.b64_json)
  })

  test('may be several, with a mask, streamed and in a small size', async () => {
    const stream = await openai.images.edit({
      model: 'echo',
      prompt: 'Join them',
      image: [await upload(1), await upload(2)],
      mask: await upload(3),
      size: '64x32',
      stream: true,
      partial_images: 1,
    })
    const events = await collect(stream)
    expect(events.map(({ type }) => type)).toEqual([
      'image_edit.partial_image',
      'image_edit.completed',
    ])
    expect(events.at(-1)).toMatchObject({
      size: '64x32',
      usage: { output_tokens: 8, input_tokens_details: { image_tokens: 900 } },
    })
  })

  test('has variations without a prompt', async () => {
    const answer = await openai.images.createVariation({
      model: 'echo',
      image: await upload(1),
      n: 2,
      size: '256x256',
    })
    expect(answer.data).toHaveLength(2)
    expect(answer.data?.[0]?.revised_prompt).toContain('from the bytes of 1.png')
  })
})

test('any pixels make a PNG that holds just them', () => {
  const size = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(size, size, fc.nat(255), (width, height, value) => {
      const facts = readPng(encodePng(width, height, Buffer.alloc(width * height * 3, value)))
      expect(facts).toEqual({ width, height, colours: new Set([`${value},${value},${value}`]) })
    }),
    { numRuns: 30 },
  )
})
