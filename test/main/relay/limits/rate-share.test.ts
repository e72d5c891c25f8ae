import { afterEach, expect, test, vi } from 'vitest'
import type { Usage } from '../../../../main/convert/exchange.ts'
import type { Call } from '../../../../main/relay/call/call.ts'
import { TokenRates } from '../../../../main/relay/limits/token-rate.ts'

const used = (output: number): Usage => ({
  ...{ input: 0, cachedInput: 0, cacheWrite: 0, reasoning: 0 },
  output,
})

/** A call of a token that may make so many requests a minute. */
const callOf = (requestsPerMinute: number, id = 1) => {
  const token = { id, name: 'ada', requestsPerMinute, tokensPerMinute: null as number | null }
  return { token, call: { verb: 'generate', model: 'm', caller: { token } } as unknown as Call }
}

let now = 1_000_000
const clock = () => vi.spyOn(performance, 'now').mockImplementation(() => now)
afterEach(() => void vi.restoreAllMocks())

test('a session whose vendor corrects its usage downwards gets nothing back', () => {
  clock()
  const rates = new TokenRates()
  const { token, call } = callOf(10)
  const first = rates.begin(call)
  const second = rates.begin(call)
  token.tokensPerMinute = 1000
  first?.checkUsed(used(900))
  first?.checkUsed(used(100))
  expect(() => second?.checkUsed(used(200))).toThrow('use 1000 tokens in a minute')
})

test('a session that tells all it has used so far, time and again, is counted once', () => {
  clock()
  const rates = new TokenRates()
  const { token, call } = callOf(10)
  const share = rates.begin(call)
  token.tokensPerMinute = 1000
  for (const output of [400, 700, 1000]) share?.checkUsed(used(output))
  expect(() => share?.checkUsed(used(1001))).toThrow('use 1000 tokens in a minute')
})

test('a token is refused until the last part of a millisecond of its minute', () => {
  clock()
  const rates = new TokenRates()
  const { call } = callOf(1)
  expect(rates.begin(call)).not.toBeNull()
  now += 59_999.5
  expect(() => rates.begin(call)).toThrow(/make 1 request in a minute.* Try again in 1 s/)
  now += 0.5
  expect(rates.begin(call)).not.toBeNull()
})

test('a token is held to its limit however many others call in the same minute', () => {
  clock()
  const rates = new TokenRates()
  const { call } = callOf(1)
  rates.begin(call)?.end(null)
  for (let id = 2; id <= 1200; id++) rates.begin(callOf(1, id).call)?.end(null)
  expect(() => rates.begin(call)).toThrow('make 1 request in a minute')
})
