import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../../../main/base/errors.ts'
import { nameGeminiModel } from '../../../../../main/convert/generate-content/request/path-model.ts'
import { JsonFields } from '../../../../../main/convert/json/json-fields.ts'
import {
  batchEmbedContentsCodec,
  embedContentCodec,
  embeddingsCodec,
} from '../../../../../main/convert/other/embeddings/codecs.ts'
import { readFixture } from '../../../../support/recordings/fixtures.ts'

const fieldsOf = (body: unknown) => new JsonFields(Buffer.from(JSON.stringify(body)))

function refusedField(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError)
    return (error as GatewayError).field
  }
}

describe('POST /v1/embeddings', () => {
  test.each([
    ['a text', { input: 'a' }],
    ['texts', { input: ['a', 'b'], dimensions: 3, encoding_format: 'base64' }],
    ['tokens', { input: [1, 2] }],
    ['several lists of tokens', { input: [[1], [2]] }],
    ['a picture', { input: [{ image: 'https://a.b/c.png' }] }],
    ['wishes that are null', { input: 'a', dimensions: null, encoding_format: null }],
    ['more than is looked at as a whole', { input: ['a'.repeat(9000)], dimensions: 3 }],
  ])('takes %s', (_, body) => {
    expect(refusedField(() => embeddingsCodec.checkRequest(fieldsOf(body), {}))).toBeUndefined()
  })

  test.each([
    ['no input', {}, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an object for input', { input: { text: 'a' } }, 'input'],
    ['null in the list', { input: [null] }, 'input[0]'],
    ['an encoding that is none', { input: 'a', encoding_format: 'int8' }, 'encoding_format'],
    ['a length of nothing', { input: 'a', dimensions: 0 }, 'dimensions'],
    ['a length that is no integer', { input: 'a', dimensions: 1.5 }, 'dimensions'],
    ['a length as text', { input: ['a'.repeat(9000)], dimensions: '3' }, 'dimensions'],
  ])('refuses %s', (_, body, field) => {
    expect(refusedField(() => embeddingsCodec.checkRequest(fieldsOf(body), {}))).toBe(field)
  })

  test('takes a recorded request', () => {
    const body = new JsonFields(readFixture('openai-embeddings/base64.request.json'))
    expect(() => embeddingsCodec.checkRequest(body, {})).not.toThrow()
  })

  test.each([
    ['openai-embeddings/float.json', 12],
    ['openai-embeddings/base64.response.json', 4],
  ])('reads the usage of %s', (name, input) => {
    const usage = embeddingsCodec.readUsage(new JsonFields(readFixture(name)))
    expect(usage).toEqual({ input, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 })
  })

  test('reads the usage of vendors that tell the total alone, and of none', () => {
    const usage = embeddingsCodec.readUsage(fieldsOf({ data: [], usage: { total_tokens: 5 } }))
    expect(usage?.input).toBe(5)
    expect(embeddingsCodec.readUsage(fieldsOf({ data: [] }))).toBeNull()
  })
})

describe('Gemini’s embeddings', () => {
  test.each([
    ['no content', embedContentCodec, {}, 'content'],
    ['a content that is a text', embedContentCodec, { content: 'a' }, 'content'],
    ['no requests', batchEmbedContentsCodec, {}, 'requests'],
    ['an empty batch', batchEmbedContentsCodec, { requests: [] }, 'requests'],
    ['a request that is a text', batchEmbedContentsCodec, { requests: ['a'] }, 'requests[0]'],
  ])('refuse %s', (_, codec, body, field) => {
    expect(refusedField(() => codec.checkRequest(fieldsOf(body), {}))).toBe(field)
  })

  test('tell their usage, pictures apart', () => {
    const usageMetadata = {
      promptTokenCount: 270,
      promptTokenDetails: [
        { modality: 'TEXT', tokenCount: 12 },
        { modality: 'IMAGE', tokenCount: 258 },
      ],
    }
    const usage = embedContentCodec.readUsage(fieldsOf({ embedding: {}, usageMetadata }))
    expect(usage).toMatchObject({ input: 270, detail: { inputImage: 258 } })
    expect(batchEmbedContentsCodec.readUsage(fieldsOf({ embeddings: [] }))).toBeNull()
  })

  test('go on under the upstream’s name of the model wherever they name one', () => {
    const batch = { requests: [{ model: 'models/mine', content: {} }, { content: {} }] }
    expect(nameGeminiModel(fieldsOf(batch), 'gemini-embedding-2')).toEqual({
      requests: [{ model: 'models/gemini-embedding-2', content: {} }, { content: {} }],
    })
    const single = { model: 'models/mine', content: {} }
    expect(nameGeminiModel(fieldsOf(single), 'models/there')).toEqual({
      model: 'models/there',
    })
    const counted = { generateContentRequest: { model: 'mine', contents: [] } }
    expect(nameGeminiModel(fieldsOf(counted), 'there')).toEqual({
      generateContentRequest: { model: 'models/there', contents: [] },
    })
    expect(nameGeminiModel(fieldsOf({ content: {} }), 'there')).toEqual({})
    expect(nameGeminiModel(fieldsOf(single), 'tunedModels/mine')).toMatchObject({
      model: 'tunedModels/mine',
    })
  })
})
