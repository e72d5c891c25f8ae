import * as zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pair, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair({ handler: () => ({ body: { choices: [] } }) })
})
afterAll(() => pair.close())

const path = '/v1/chat/completions'
const plain = Buffer.from('{"model":"chat-model", "messages":[{"role":"user","content":"größer"}]}')
const post = (body: Buffer | string, encoding?: string, to = path) =>
  pair.send(to, {
    body,
    headers: { 'anthropic-version': '1', ...(encoding && { 'content-encoding': encoding }) },
  })

describe('a packed body', () => {
  test.each([
    ['gzip', zlib.gzipSync(plain)],
    ['x-gzip', zlib.gzipSync(plain)],
    ['deflate', zlib.deflateSync(plain)],
    ['br', zlib.brotliCompressSync(plain)],
    ['GZIP', zlib.gzipSync(plain)],
    ['identity', plain],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(plain))],
  ])('in %s reaches the vendor unpacked', async (encoding, body) => {
    expect((await post(body, encoding)).status).toBe(200)
    expect(pair.upstream.last().body).toEqual(plain)
    expect(pair.upstream.last().headers).not.toHaveProperty('content-encoding')
  })

  test('in zstd is unpacked where Node can, else refused with what is possible', async () => {
    const compress: unknown = Reflect.get(zlib, 'zstdCompressSync')
    const packed = typeof compress === 'function' ? (compress(plain) as Buffer) : plain
    const answer = await post(packed, 'zstd')
    if (packed !== plain) {
      expect(answer.status).toBe(200)
      expect(pair.upstream.last().body).toEqual(plain)
    } else {
      expect(answer.status).toBe(415)
      expect(answer.text).toContain('gzip, deflate, br')
    }
  })

  test.each([
    ['compress', 415, 'is not supported'],
    ['gzip, gzip, gzip', 415, 'at most two'],
    ['gzip', 400, 'not valid gzip'],
  ])('in %s that is none: %i', async (encoding, status, words) => {
    const answer = await post(plain, encoding)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(words)
    expect(answer.json<{ error: { param: string } }>().error.param).toBe('content-encoding')
  })

  test('a body cut inside its packing is refused', async () => {
    expect((await post(zlib.gzipSync(plain).subarray(0, 40), 'gzip')).status).toBe(400)
  })
})

describe('a body over 64 MiB', () => {
  const bomb = zlib.gzipSync(Buffer.alloc(65 * 1024 * 1024, 0x20))

  test.each([
    [path, { error: { type: 'invalid_request_error', code: 'payload_too_large' } }],
    ['/v1/messages', { type: 'error', error: { type: 'request_too_large' } }],
    [
      '/v1beta/models/gemini-model:generateContent',
      { error: { code: 413, status: 'INVALID_ARGUMENT' } },
    ],
  ])('%s: 413 in the shape of its clients, also when it only shows unpacked', async (to, shape) => {
    const packed = await post(bomb, 'gzip', to)
    expect(packed.status).toBe(413)
    expect(packed.json()).toMatchObject(shape)
    expect(packed.text).toContain('larger than 64 MiB')
  })

  test('by its length alone is refused, and the gateway goes on', async () => {
    const answer = await post(Buffer.alloc(65 * 1024 * 1024, 0x20))
    expect(answer.status).toBe(413)
    expect((await post(plain)).status).toBe(200)
  })
})

describe('a body that is no JSON object', () => {
  const shapes = {
    [path]: { error: { type: 'invalid_request_error', code: 'invalid_json' } },
    '/v1/messages': { type: 'error', error: { type: 'invalid_request_error' } },
    '/v1beta/models/gemini-model:generateContent': {
      error: { code: 400, status: 'INVALID_ARGUMENT' },
    },
    '/v1/models/gemini-model:generateContent': { error: { code: 400, status: 'INVALID_ARGUMENT' } },
  }

  test.each(Object.entries(shapes))('%s: 400 in the shape of its clients', async (to, shape) => {
    for (const body of ['{"model":', '', 'null', '[]', '"text"', Buffer.from([0xff, 0xfe])]) {
      const answer = await post(body, undefined, to)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject(shape)
      expect(answer.text).toContain('JSON')
      expect(answer.headers['x-should-retry']).toBe('false')
    }
  })

  test('the error does not repeat what was sent', async () => {
    const answer = await post('{"secret-text": oops}')
    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain('secret-text')
  })

  test('a byte order mark is no mistake', async () => {
    expect((await post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]))).status).toBe(200)
  })
})
