import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { withClock } from '../circuit/health-clock.ts'
import { goodAnswer, refusal, speaking, startStage } from './routing-stage.ts'

const limited = (seconds: number) =>
  refusal(429, 'Slow down.', { headers: { 'retry-after': String(seconds) } })

test('of many calls that waited for a vendor one asks first, the others when it is answered', async () => {
  const { add, script, call, asked } = await startStage()
  add('only', {}, limited(1))
  await call()
  let answerTrial: (reply: Reply) => void = () => {}
  script('only', new Promise<Reply>((resolve) => (answerTrial = resolve)))
  const calls = Array.from({ length: 12 }, () => call())
  while (asked.length < 2) await sleep(5)
  await sleep(300)
  expect(asked).toHaveLength(2)
  answerTrial({ body: goodAnswer.chat })
  const answers = await Promise.all(calls)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(asked).toHaveLength(13)
})

test('only the attempt before which a call has waited says so', async () => {
  const { add, script, call, asked, routeOf } = await startStage()
  add('first', { priority: 1 }, limited(1))
  add('second', {}, limited(1))
  await call()
  // By then both have had their rest.
  script(
    'first',
    sleep(1500).then(() => refusal(500, 'Broken.')),
  )
  const { attempts } = routeOf(await call())
  expect(asked).toEqual(['first', 'second', 'first', 'second'])
  expect(attempts.map(({ status }) => status)).toEqual([500, 200])
  expect(attempts[0]?.waited).toBeGreaterThan(0)
  expect(attempts[1]).not.toHaveProperty('waited')
})

test('a call that waits for a vendor is told at once that the gateway stops', async () => {
  const { add, call, asked, pair } = await startStage({ RetryWaitSeconds: 60 })
  add('only', {}, limited(50))
  await call()
  const { openCalls } = pair.gateway.parts
  const waiting = call()
  while (openCalls.size === 0) await sleep(5)
  await sleep(50)
  openCalls.refuseNew(new GatewayError('shutting_down', { message: 'Stopping.', retryAfter: 5 }))
  const told = await waiting
  expect([told.status, told.headers['retry-after']]).toEqual([503, '5'])
  expect(asked).toHaveLength(1)
  expect(pair.rowsOf(told)).toMatchObject([{ type: 5, status: 503, quota: 0 }])
  expect(openCalls.size).toBe(0)
})

test('a channel that is changed or disabled while a call waits is asked as it is then, or not at all', async () => {
  const { add, call, asked, pair } = await startStage()
  const changed = add('changed', { priority: 1 }, limited(2))
  const disabled = add('disabled', {}, limited(2))
  await call()
  const { channels, openCalls } = pair.gateway.parts
  const waiting = call()
  while (openCalls.size === 0) await sleep(5)
  await sleep(50)
  channels.update(disabled.id, { status: 2 })
  channels.update(changed.id, { key: 'key-of-new' })
  expect((await waiting).status).toBe(200)
  expect(asked).toEqual(['changed', 'disabled', 'new'])
})

test('a key that its vendor asked to leave alone is not asked early for a longer rest of its channel', () => {
  const { fail, health, pass } = withClock()
  fail({ blame: 'channel', isAtOnce: true })
  fail({ blame: 'model', isAtOnce: true, retryAfter: 3 })
  const circuit = () => health.ofChannel({ id: 1 }, ['a'], 'm')
  expect(circuit()).toMatchObject({ state: 'open', isHinted: true })
  pass(4)
  expect(circuit()).toMatchObject({ state: 'open', isHinted: false })
})

test('a file or conversation that is not there is not held against the channel', async () => {
  const { add, call, script, pair } = await startStage({ RetryTimes: 0 })
  const gemini = add('gemini', speaking('generate-content'))
  const missing = refusal(
    403,
    'You do not have permission to access the File abc or it may not exist.',
  )
  const unknown = refusal(404, "Item with id 'rs_1' not found.")
  const { health } = pair.gateway.parts
  for (const reply of [missing, unknown, missing, unknown, unknown, unknown]) {
    script('gemini', reply)
    await call('generate-content')
  }
  expect(health.circuits(gemini.id)).toEqual([])
})

test('what a vendor quotes of the client’s words puts no key to rest', async () => {
  const { add, call, pair } = await startStage({ RetryTimes: 0 })
  const channel = add(
    'only',
    {},
    refusal(400, "Invalid value: 'credit balance is too low'."),
    refusal(400, 'Invalid value: \'"reason": "API_KEY_INVALID"\'.'),
  )
  const [first, second] = [await call(), await call()]
  expect([first.status, second.status]).toEqual([400, 400])
  expect(pair.gateway.parts.health.circuits(channel.id)).toEqual([])
})
