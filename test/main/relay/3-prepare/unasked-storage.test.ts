import { expect, onTestFinished, test } from 'vitest'
import { startPair } from '../../../support/gateway/pair.ts'
import { startSocksProxy } from '../../../support/network/proxy-server.ts'

const answer = { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }

test('Google keeps no request of a client that knows nothing of its logs', async () => {
  const pair = await startPair({ empty: true, handler: () => ({ body: answer }) })
  const proxy = await startSocksProxy({ leadTo: Number(new URL(pair.upstream.url).port) })
  onTestFinished(async () => {
    await Promise.all([pair.close(), proxy.close()])
  })
  pair.addChannelOf('generate-content', {
    baseUrl: 'http://generativelanguage.googleapis.com',
    setting: { proxy: proxy.url },
    models: ['gemini', 'gemini-3-flash-image', 'gemini-2.5-flash-preview-tts'],
  })
  const messages = [{ role: 'user', content: 'Hi' }]
  const sent = async (path: string, body: object) => {
    const { status } = await pair.send(path, {
      body,
      headers: { 'anthropic-version': '2023-06-01' },
    })
    expect(status).toBe(200)
    return (pair.upstream.last().json() as { store?: boolean }).store
  }
  expect(await sent('/v1/chat/completions', { model: 'gemini', messages })).toBe(false)
  expect(await sent('/v1/messages', { model: 'gemini', messages, max_tokens: 9 })).toBe(false)
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  expect(await sent('/v1beta/models/gemini:generateContent', { contents })).toBeUndefined()

  // Their answer has no picture and no sound, so only what was sent is looked at.
  const storeOf = async (path: string, body: object | FormData) => {
    const isForm = body instanceof FormData
    const before = pair.upstream.requests.length
    await fetch(pair.gateway.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${pair.gateway.key}`,
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    })
    expect(pair.upstream.requests.length, path).toBe(before + 1)
    return (pair.upstream.last().json() as { store?: boolean }).store
  }
  const picture = { model: 'gemini-3-flash-image', prompt: 'A hat' }
  expect(await storeOf('/v1/images/generations', picture)).toBe(false)
  const speech = { model: 'gemini-2.5-flash-preview-tts', input: 'Hi', voice: 'alloy' }
  expect(await storeOf('/v1/audio/speech', { ...speech, response_format: 'wav' })).toBe(false)
  const recording = new FormData()
  recording.set('model', 'gemini')
  recording.set('file', new Blob(['RIFF....WAVE'], { type: 'audio/wav' }), 'a.wav')
  expect(await storeOf('/v1/audio/transcriptions', recording)).toBe(false)
  expect(proxy.visits.map(({ target }) => target)).toContain('generativelanguage.googleapis.com:80')
})
