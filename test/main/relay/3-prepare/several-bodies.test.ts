import { expect, onTestFinished, test } from 'vitest'
import { startPair } from '../../../support/gateway/pair.ts'

/** More texts than Gemini takes at once: four bodies. */
const input = Array.from({ length: 350 }, (_, index) => `text ${index}`)

test('when one of several bodies fails, its own reason is told, not that the others were ended', async () => {
  const pair = await startPair({ empty: true })
  onTestFinished(() => pair.close())
  pair.gateway.set({ RetryTimes: 0 })
  pair.gateway.addChannel({ type: 24, baseUrl: pair.upstream.url, models: ['embedding'] })
  const hang = { ending: 'hang-before-headers' } as const
  pair.upstream.script(hang, hang, { ending: 'reset-before-headers' }, hang)
  const answer = await pair.send('/v1/embeddings', { body: { model: 'embedding', input } })
  expect(answer.status).toBe(502)
  expect(answer.text).toContain('the connection was reset')
  expect(pair.rowsOf(answer)).toMatchObject([{ status: 502, type: 5 }])
  for (const { ended } of pair.upstream.requests) expect(await ended).toBe('gone')
})

test('another channel answers a call one of whose bodies broke off', async () => {
  const pair = await startPair({
    empty: true,
    handler: ({ json }) => {
      const { requests } = json() as { requests: unknown[] }
      return { body: { embeddings: requests.map(() => ({ values: [1, 0] })) } }
    },
  })
  onTestFinished(() => pair.close())
  for (const name of ['one', 'two']) {
    pair.gateway.addChannel({ type: 24, name, baseUrl: pair.upstream.url, models: ['embedding'] })
  }
  const hang = { ending: 'hang-before-headers' } as const
  pair.upstream.script(hang, hang, { ending: 'reset-before-headers' }, hang)
  const answer = await pair.send('/v1/embeddings', { body: { model: 'embedding', input } })
  expect(answer.status).toBe(200)
  expect(answer.json<{ data: unknown[] }>().data).toHaveLength(input.length)
})
