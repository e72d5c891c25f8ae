import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Capture, CapturedBody } from '../../../main/capture/capture.ts'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

let pair: Pair
beforeEach(async () => {
  pair = await startPair({ handler: vendorReply })
})
afterEach(() => pair?.close())

const textOf = (body: CapturedBody | undefined): string =>
  Buffer.concat(body?.chunks ?? []).toString()

test('a file of a form is kept as name, type, size and digest, never as bytes', async () => {
  pair.gateway.addChannel({
    ...{ baseUrl: pair.upstream.url, models: ['whisper'], modelMapping: { whisper: 'whisper-1' } },
  })
  pair.upstream.script({ body: { text: 'spoken' } })
  const sound = 'RIFF-the-sound-itself'
  const form = new FormData()
  form.set('model', 'whisper')
  form.set('language', 'de')
  form.set('file', new File([sound], 'größe.wav', { type: 'audio/wav' }))
  const response = await fetch(`${pair.gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pair.gateway.key}` },
    body: form,
  })
  expect(response.status).toBe(200)
  const id = String(response.headers.get('x-oneapi-request-id'))
  const { client, exchanges } = pair.gateway.parts.captures.find(id) as Capture
  expect(JSON.parse(textOf(client.request.body))).toEqual({ model: ['whisper'], language: ['de'] })
  const files = [
    {
      ...{ field: 'file', name: 'größe.wav', type: 'audio/wav', size: 21 },
      digest: createHash('sha256').update(sound).digest('hex'),
    },
  ]
  expect(client.request.files).toEqual(files)
  // The upstream's side is the form as it was sent there.
  const [sent] = exchanges
  expect(pair.upstream.last().body.toString()).toContain('whisper-1')
  expect(JSON.parse(textOf(sent?.request.body))).toEqual({ model: ['whisper-1'], language: ['de'] })
  expect(sent?.request.files).toEqual(files)
})
