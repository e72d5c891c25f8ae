import { afterEach, beforeEach, expect, test } from 'vitest'
import { BodyMemory } from '../../../../main/relay/limits/body-memory.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

const whole = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }
let answering = true

const call = (size: number, more: object = {}, signal?: AbortSignal) =>
  pair.send('/v1/chat/completions', {
    body: {
      model: 'chat-model',
      messages: [{ role: 'user', content: 'a'.repeat(size) }],
      ...more,
    },
    ...(signal ? { signal } : {}),
  })
const bodies = () => pair.gateway.parts.bodies
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

beforeEach(async () => {
  answering = true
  pair = await startPair({
    handler: () => (answering ? { body: whole } : { ending: 'hang-before-headers' }),
  })
  pair.gateway.parts.bodies = new BodyMemory(1_000_000)
})
afterEach(() => pair.close())

test('large bodies at once are refused before they use up the memory, and taken again afterwards', async () => {
  answering = false
  const leaving = new AbortController()
  const first = call(600_000, {}, leaving.signal).catch(() => 'gone')
  await until(() => pair.upstream.requests.length === 1)
  const refused = await call(600_000)
  expect(refused.status).toBe(429)
  expect(refused.headers).toMatchObject({ 'retry-after': '5', 'x-should-retry': 'true' })
  expect(refused.json()).toMatchObject({ error: { code: 'gateway_busy' } })
  answering = true
  expect((await call(300_000)).status).toBe(200)
  leaving.abort()
  expect(await first).toBe('gone')
  await until(() => bodies().held === 0)
  expect((await call(600_000)).status).toBe(200)
})

test('whatever becomes of a call, its body is given back', async () => {
  await call(100_000)
  expect((await call(100_000, { messages: 'none' })).status).toBe(400)
  expect((await call(100_000, { model: '' })).status).toBe(400)
  expect((await call(100_000, { model: 'unknown' })).status).toBe(404)
  expect((await call(10)).status).toBe(200)
  const broken = await pair.send('/v1/chat/completions', { body: `{"a":[${'1,'.repeat(20_000)}}` })
  expect(broken.status).toBe(400)
  const strange = await pair.send('/v1/chat/completions', {
    body: 'x'.repeat(20_000),
    withoutKey: true,
  })
  expect(strange.status).toBe(401)
  await until(() => bodies().held === 0)
})
