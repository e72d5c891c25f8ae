import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cutAtRandom } from '../clients/cut-at-random.ts'
import { type ScriptedUpstream, startUpstream } from './scripted-upstream.ts'

let upstream: ScriptedUpstream

beforeEach(async () => {
  upstream = await startUpstream()
})
afterEach(() => upstream.close())

const post = (body = '{"model":"x"}', signal?: AbortSignal) =>
  request(`${upstream.url}/v1/messages?beta=true`, { method: 'POST', body, signal })

describe('the scripted upstream', () => {
  test('records what came and answers in the order of the script', async () => {
    upstream.script({ status: 429, body: { error: 'slow' } }, { body: 'fine' })
    const first = await post('{"a":"ü"}')
    expect([first.statusCode, await first.body.json()]).toEqual([429, { error: 'slow' }])
    const second = await post()
    expect([second.statusCode, await second.body.text()]).toEqual([200, 'fine'])
    expect(upstream.requests[0]).toMatchObject({ method: 'POST', url: '/v1/messages?beta=true' })
    expect(upstream.requests[0]?.body).toEqual(Buffer.from('{"a":"ü"}'))
    expect(upstream.last().json()).toEqual({ model: 'x' })
  })

  test('says so when nothing was scripted', async () => {
    const answer = await post()
    expect(answer.statusCode).toBe(500)
    expect(await answer.body.text()).toContain('No reply was scripted for POST /v1/messages')
  })

  test('keeps every byte when it cuts at random positions, plain and in gzip', async () => {
    const chunks = ['data: {"text":"größer"}\n\n', 'data: [DONE]\n\n']
    upstream.script({ chunks, cutSeed: 7 }, { chunks, cutSeed: 8, gzip: true })
    expect(await (await post()).body.text()).toBe(chunks.join(''))
    const packed = Buffer.from(await (await post()).body.arrayBuffer())
    expect(gunzipSync(packed).toString()).toBe(chunks.join(''))
  })

  test('a cut stream fails after its chunks, not before', async () => {
    upstream.script({ chunks: ['one', 'two'], ending: 'cut' })
    const answer = await post()
    const parts: string[] = []
    const reading = (async () => {
      for await (const part of answer.body) parts.push(String(part))
    })()
    await expect(reading).rejects.toThrow()
    expect(parts.join('')).toBe('onetwo')
  })

  test('a reset comes instead of headers', async () => {
    upstream.script({ ending: 'reset-before-headers' })
    await expect(post()).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('tells when the client left', async () => {
    upstream.script({ chunks: ['first'], ending: 'hang' })
    const leaving = new AbortController()
    const answer = await post(undefined, leaving.signal)
    answer.body.on('error', () => {})
    leaving.abort()
    expect(await upstream.last().ended).toBe('gone')
  })
})

test('the same seed cuts at the same places, another at others', () => {
  const bytes = Buffer.alloc(5000, 'abc')
  const lengths = (seed: number) => cutAtRandom(bytes, seed).map((piece) => piece.length)
  expect(lengths(1)).toEqual(lengths(1))
  expect(lengths(1)).not.toEqual(lengths(2))
  expect(Buffer.concat(cutAtRandom(bytes, 3))).toEqual(bytes)
})
