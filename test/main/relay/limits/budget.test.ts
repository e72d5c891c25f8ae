import { afterEach, beforeEach, expect, test } from 'vitest'
import { utcTime } from '../../../../main/base/text/utc-time.ts'
import { budgetState, periodEnd } from '../../../../main/relay/limits/budget.ts'
import { type Pair, startPair, type Whole } from '../../../support/gateway/pair.ts'

let pair: Pair
/** The upstream answers once this resolves. */
let gate: Promise<void> = Promise.resolve()

const answer = { choices: [], usage: { prompt_tokens: 50, completion_tokens: 50 } }
const call = (key: string, fields: object = {}) =>
  pair.send('/v1/chat/completions', {
    body: { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }], ...fields },
    headers: { authorization: `Bearer ${key}` },
  })
const errorOf = (one: Whole) => one.json<{ error: { code: string; message: string } }>().error
const notes = () => pair.gateway.rows().filter(({ type }) => type === 4)

beforeEach(async () => {
  gate = Promise.resolve()
  pair = await startPair({ handler: () => gate.then(() => ({ body: answer })) })
  pair.gateway.set({ ModelRatio: { 'chat-model': 1 }, PreConsumedQuota: 0 })
})
afterEach(() => pair.close())

test('a budget that is used up refuses until its day is over, and says so', async () => {
  const token = pair.gateway.addToken({ name: 'laptop', dayBudget: 200, budgetWarning: 100 })
  expect((await call(token.full)).status).toBe(200)
  expect((await call(token.full)).status).toBe(200)
  const refused = await call(token.full)
  expect(refused.status).toBe(403)
  expect(errorOf(refused).code).toBe('budget_exceeded')
  expect(errorOf(refused).message).toMatch(
    /"laptop" may use \$0\.0004 a day and has used \$0\.0004/,
  )
  const end = new Date()
  end.setHours(24, 0, 0, 0)
  expect(errorOf(refused).message).toContain(`ends at ${utcTime(end.getTime() / 1000)}.`)
  const wait = Number(refused.headers['retry-after'])
  expect(Math.abs(wait - (end.getTime() - Date.now()) / 1000)).toBeLessThan(5)
  expect(refused.headers['x-should-retry']).toBe('false')
  expect(pair.upstream.requests).toHaveLength(2)
})

test('a month’s budget holds beside the day’s, and both for a token without a quota', async () => {
  const token = pair.gateway.addToken({ dayBudget: 10_000, monthBudget: 100 })
  expect((await call(token.full)).status).toBe(200)
  expect(errorOf(await call(token.full)).message).toContain('a month')
  expect(budgetState(token, pair.gateway.parts.ledger)).toBe('exhausted')
})

test('fifty calls at once do not overspend a budget', async () => {
  const token = pair.gateway.addToken({ dayBudget: 520 })
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  let refusals = 0
  const calls = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const one = await call(token.full, { max_tokens: 80 })
      if (one.status !== 200 && ++refusals === 45) open()
      return one
    }),
  )
  expect(calls.filter(({ status }) => status === 200)).toHaveLength(5)
  const refused = calls.find(({ status }) => status === 403)
  expect(refused && errorOf(refused).code).toBe('budget_exceeded')
  expect(refused && errorOf(refused).message).toContain('held for running calls')
  expect(pair.gateway.parts.ledger.spent(token.id)).toEqual({ day: 500, month: 500 })
})

test('past the warning level answers carry a header, and the log has one row', async () => {
  const token = pair.gateway.addToken({ name: 'laptop', dayBudget: 400, budgetWarning: 50 })
  expect((await call(token.full)).headers['x-switchyard-budget']).toBeUndefined()
  expect(notes()).toEqual([])
  expect((await call(token.full)).headers['x-switchyard-budget']).toBeUndefined()
  await expect.poll(notes).toHaveLength(1)
  expect(notes()[0]).toMatchObject({ tokenName: 'laptop', quota: 0, model: 'chat-model' })
  expect(notes()[0]?.content).toMatch(
    /"laptop" has used \$0\.0004 of its budget of \$0\.0008 for the day/,
  )
  expect(budgetState(token, pair.gateway.parts.ledger)).toBe('warning')
  const third = await call(token.full)
  const end = new Date()
  end.setHours(24, 0, 0, 0)
  expect(third.headers['x-switchyard-budget']).toBe(
    `day;used=200;limit=400;reset=${end.getTime() / 1000}`,
  )
  expect(notes()).toHaveLength(1)
  await call(token.full)
  await expect.poll(notes).toHaveLength(2)
  expect(notes()[0]?.content).toContain('used up its budget of the day')
})

test('past the warning level the answer of a free model carries the header too', async () => {
  const token = pair.gateway.addToken({ dayBudget: 400, budgetWarning: 25 })
  await call(token.full)
  pair.gateway.set({ ModelRatio: { 'chat-model': 0 } })
  const free = await call(token.full)
  expect(free.headers['x-switchyard-budget']).toMatch(/^day;used=100;limit=400;/)
})

test('a call that may cost more than is left of a budget is refused before it is sent', async () => {
  const token = pair.gateway.addToken({ dayBudget: 150 })
  await call(token.full)
  expect(budgetState(token, pair.gateway.parts.ledger)).toBe('ok')
  expect(errorOf(await call(token.full, { max_tokens: 50 })).message).toContain('may cost')
  expect((await call(token.full, { max_tokens: 10 })).status).toBe(200)
  expect(budgetState({ ...token, dayBudget: null }, pair.gateway.parts.ledger)).toBeNull()
})

test('a budget of more than ten dollars is no less the most that may be spent', async () => {
  const token = pair.gateway.addToken({ dayBudget: 20 * 500_000 })
  const refused = await call(token.full, { max_tokens: 21 * 500_000 })
  expect(errorOf(refused).code).toBe('budget_exceeded')
})

test('a month ends with its last day, whatever its length', () => {
  const at = (text: string) => new Date(text).getTime() / 1000
  expect(periodEnd('month', at('2028-02-29T12:00:00'))).toBe(at('2028-03-01T00:00:00'))
  expect(periodEnd('month', at('2026-12-31T23:59:59'))).toBe(at('2027-01-01T00:00:00'))
  expect(periodEnd('day', at('2026-12-31T00:00:00'))).toBe(at('2027-01-01T00:00:00'))
})
