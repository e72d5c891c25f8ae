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
    models: ['gemini'],
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
  expect(proxy.visits.map(({ target }) => target)).toContain('generativelanguage.googleapis.com:80')
})
