import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'

let pair: Pair
/** Lets the vendor answer the oldest call that it has kept waiting. */
let held: { model: string; answer: (reply?: Reply) => void }[]

const whole = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }

const call = (key = pair.gateway.key, signal?: AbortSignal) =>
  pair.send('/v1/chat/completions', {
    body: { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }] },
    headers: { authorization: `Bearer ${key}` },
    ...(signal ? { signal } : {}),
  })

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isSo(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  if (!isSo()) throw new Error('What was waited for has not come.')
}
const slots = () => pair.gateway.parts.slots

/** Sends a call and waits until it stands where it has to. */
async function sent(isThere: () => boolean, key?: string) {
  const answer = call(key)
  await until(isThere)
  return { answer }
}

beforeEach(async () => {
  held = []
  pair = await startPair({
    handler: (request) =>
      new Promise((resolve) => {
        const { model } = request.json() as { model: string }
        held.push({ model, answer: (reply = { body: whole }) => resolve(reply) })
      }),
  })
})
afterEach(async () => {
  for (const one of held) one.answer()
  await pair.close()
})

test('a call beyond the limit waits until another has ended, and says in its row how long', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1 })
  const first = await sent(() => held.length === 1)
  const second = await sent(() => slots().waiting === 1)
  expect([slots().active, pair.upstream.requests.length]).toEqual([1, 1])
  held[0]?.answer()
  expect((await first.answer).status).toBe(200)
  await until(() => held.length === 2)
  held[1]?.answer()
  const answered = await second.answer
  expect(answered.status).toBe(200)
  const [row] = pair.rowsOf(answered)
  expect(JSON.parse(row?.other ?? '')).toMatchObject({ waited_ms: expect.any(Number) })
  await until(() => slots().active === 0)
})

test('one token with many calls does not keep the first call of another waiting behind them', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1 })
  const ada = pair.gateway.addToken({ name: 'ada' }).full
  const bob = pair.gateway.addToken({ name: 'bob' }).full
  const answers: Promise<string>[] = []
  const send = async (name: string, key: string, isThere: () => boolean) => {
    const { answer } = await sent(isThere, key)
    answers.push(answer.then(() => name))
  }
  await send('ada 1', ada, () => held.length === 1)
  for (let count = 1; count <= 4; count++)
    await send(`ada ${count + 1}`, ada, () => slots().waiting === count)
  await send('bob 1', bob, () => slots().waiting === 5)
  const order: string[] = []
  for (const answer of answers) void answer.then((name) => order.push(name))
  for (let index = 0; index < 6; index++) {
    await until(() => held.length === index + 1)
    held[index]?.answer()
  }
  await Promise.all(answers)
  expect(order.indexOf('bob 1')).toBeLessThan(3)
})

test('a full queue is shared: who waits most gives a place to who has none', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1, MaxWaitingCalls: 2 })
  const ada = pair.gateway.addToken({ name: 'ada' }).full
  const bob = pair.gateway.addToken({ name: 'bob' }).full
  await sent(() => held.length === 1, ada)
  const second = await sent(() => slots().waiting === 1, ada)
  const third = await sent(() => slots().waiting === 2, ada)
  const other = call(bob)
  expect((await third.answer).status).toBe(429)
  expect((await call(ada)).status).toBe(429)
  expect(slots().waiting).toBe(2)
  for (let index = 0; index < 3; index++) {
    await until(() => held.length === index + 1)
    held[index]?.answer()
  }
  expect([(await second.answer).status, (await other).status]).toEqual([200, 200])
})

test('who waits no more than another loses no place to them', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1, MaxWaitingCalls: 1 })
  const ada = pair.gateway.addToken({ name: 'ada' }).full
  const bob = pair.gateway.addToken({ name: 'bob' }).full
  const first = await sent(() => held.length === 1, ada)
  const second = await sent(() => slots().waiting === 1, ada)
  expect((await call(bob)).status).toBe(429)
  held[0]?.answer()
  await until(() => held.length === 2)
  held[1]?.answer()
  expect([(await first.answer).status, (await second.answer).status]).toEqual([200, 200])
})

test('a call that finds no place is refused in its own format, with a hint, and is in the log', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1, MaxWaitingCalls: 0 })
  await sent(() => held.length === 1)
  const refused = await call()
  expect(refused.status).toBe(429)
  expect(refused.headers).toMatchObject({
    'x-should-retry': 'true',
    'retry-after': expect.stringMatching(/^[1-9]\d?$/),
  })
  expect(refused.json()).toMatchObject({
    error: { code: 'gateway_busy', type: 'rate_limit_error' },
  })
  const claude = await pair.send('/v1/messages', {
    body: { model: 'messages-model', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] },
    headers: { 'anthropic-version': '2023-06-01' },
  })
  expect(claude.json()).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
  expect(pair.rowsOf(refused)).toMatchObject([{ status: 429, quota: 0 }])
  expect(pair.upstream.requests).toHaveLength(1)
})

test('once nobody waits any more, how fast calls ended before says nothing of the next wait', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1 })
  const answers = [await sent(() => held.length === 1)]
  for (let count = 1; count <= 3; count++) answers.push(await sent(() => slots().waiting === count))
  for (let index = 0; index < 4; index++) {
    await until(() => held.length === index + 1)
    held[index]?.answer()
  }
  for (const { answer } of answers) expect((await answer).status).toBe(200)
  await sent(() => held.length === 5)
  pair.gateway.set({ MaxWaitingCalls: 0 })
  expect((await call()).headers['retry-after']).toBe('5')
})

test('a call that has waited too long is refused', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1, MaxWaitingSeconds: 1 })
  await sent(() => held.length === 1)
  const refused = await call()
  expect(refused.json()).toMatchObject({ error: { code: 'gateway_busy' } })
  expect(slots().waiting).toBe(0)
})

test('a client that leaves while it waits frees its place, and nothing is sent for it', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1 })
  const first = await sent(() => held.length === 1)
  const leaving = new AbortController()
  const gone = call(undefined, leaving.signal).catch(() => 'gone')
  await until(() => slots().waiting === 1)
  leaving.abort()
  expect(await gone).toBe('gone')
  await until(() => slots().waiting === 0)
  held[0]?.answer()
  expect((await first.answer).status).toBe(200)
  await until(() => slots().active === 0)
  expect(pair.upstream.requests).toHaveLength(1)
})

test('a gateway that stops tells those that wait at once', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1 })
  const first = await sent(() => held.length === 1)
  const waiting = await sent(() => slots().waiting === 1)
  const closing = pair.gateway.close()
  const refused = await waiting.answer
  expect(refused.status).toBe(503)
  expect(refused.json()).toMatchObject({ error: { code: 'shutting_down' } })
  held[0]?.answer()
  expect((await first.answer).status).toBe(200)
  await closing
})

test('a slot is given back once, whichever way its call ends', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 3 })
  const replies: Reply[] = [
    { body: whole },
    { status: 400, body: { error: { message: 'Broken.' } } },
    { ending: 'reset-before-headers' },
    { headers: { 'content-type': 'text/event-stream' }, chunks: ['data: {"choices":[]}\n\n'] },
  ]
  for (const reply of replies) {
    const from = held.length
    const answer = call().catch(() => null)
    await until(() => held.length > from)
    held.at(-1)?.answer(reply)
    await answer
  }
  const leaving = new AbortController()
  const from = held.length
  const gone = call(undefined, leaving.signal).catch(() => null)
  await until(() => held.length > from)
  leaving.abort()
  await gone
  await call('sk-none')
  await until(() => slots().active === 0)
  // One given back twice would let a fourth call in.
  const before = held.length
  const calls = [call(), call(), call(), call()]
  await until(() => slots().waiting === 1 && held.length - before === 3)
  expect(slots().active).toBe(3)
  for (const one of held.slice(before)) one.answer()
  await until(() => held.length - before === 4)
  held.at(-1)?.answer()
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('a limit that is raised lets those in that wait', async () => {
  pair.gateway.set({ MaxConcurrentCalls: 1 })
  await sent(() => held.length === 1)
  await sent(() => slots().waiting === 1)
  pair.gateway.set({ MaxConcurrentCalls: 2 })
  await until(() => held.length === 2)
  expect([slots().active, slots().waiting]).toEqual([2, 0])
})
