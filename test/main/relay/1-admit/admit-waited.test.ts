import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Token } from '../../../../main/store/records/tokens.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair
/** Answers the calls that the vendor has kept waiting, oldest first. */
let held: (() => void)[]

const whole = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }

const call = (key: string) =>
  pair.send('/v1/chat/completions', {
    body: { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }] },
    headers: { authorization: `Bearer ${key}` },
  })

beforeEach(async () => {
  held = []
  pair = await startPair({
    handler: () => new Promise((resolve) => held.push(() => resolve({ body: whole }))),
  })
  pair.gateway.set({ MaxConcurrentCalls: 1, ModelRatio: { 'chat-model': 1 } })
})
afterEach(async () => {
  for (const answer of held) answer()
  await pair.close()
})

/** A call that waits behind another, which ends once `change` has been made. */
async function waitingWhile(change: (token: Token) => void) {
  const { parts } = pair.gateway
  const bob = parts.users.create({ username: 'bob', quota: 10_000_000 })
  const token = pair.gateway.addToken({ userId: bob.id })
  const first = call(pair.gateway.key)
  await expect.poll(() => held.length).toBe(1)
  const second = call(token.full)
  await expect.poll(() => parts.slots.waiting).toBe(1)
  change(token)
  held[0]?.()
  await first
  return second
}

const changes: Record<string, { change: (token: Token) => void; status: number; code: string }> = {
  'its token was disabled': {
    change: ({ id }) => pair.gateway.parts.tokens.update(id, { status: 2 }),
    ...{ status: 401, code: 'token_disabled' },
  },
  'its token was deleted': {
    change: ({ id }) => pair.gateway.parts.tokens.remove([id]),
    ...{ status: 401, code: 'unknown_token' },
  },
  'its token has expired': {
    change: ({ id }) => pair.gateway.parts.tokens.update(id, { expiredTime: 1_700_000_000 }),
    ...{ status: 401, code: 'token_expired' },
  },
  'its token may use other models only': {
    change: ({ id }) =>
      pair.gateway.parts.tokens.update(id, { modelLimitsEnabled: true, modelLimits: ['other'] }),
    ...{ status: 403, code: 'model_not_allowed' },
  },
  'its token’s group is not to be used any more': {
    change: ({ id }) => pair.gateway.parts.tokens.update(id, { group: 'gone' }),
    ...{ status: 403, code: 'group_not_allowed' },
  },
  'its user was disabled': {
    change: ({ userId }) => pair.gateway.parts.users.update(userId, { status: 2 }),
    ...{ status: 403, code: 'user_disabled' },
  },
  'the gateway was paused': {
    change: () => pair.gateway.set({ PausedSince: 1_700_000_000 }),
    ...{ status: 503, code: 'gateway_paused' },
  },
}

test.each(Object.entries(changes))(
  'a call is not made when its turn comes after %s',
  async (_, { change, status, code }) => {
    const answer = await waitingWhile(change)
    expect(answer.status).toBe(status)
    expect(pair.upstream.requests).toHaveLength(1)
    const [row] = pair.rowsOf(answer)
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ error_code: code })
    expect(pair.gateway.parts.slots.active).toBe(0)
  },
)

test('a call whose token was given another name meanwhile is made all the same', async () => {
  const answer = waitingWhile(({ id }) => pair.gateway.parts.tokens.update(id, { name: 'new' }))
  await expect.poll(() => held.length).toBe(2)
  held[1]?.()
  expect((await answer).status).toBe(200)
})
