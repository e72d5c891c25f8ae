import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { refusal, type Stage, startStage } from '../2-route/routing-stage.ts'

/** Seconds. */
const COOLDOWN = 100

interface Expected {
  /** Is another channel asked? `as-options`: only if the options list the status or time limits. */
  retry: 'next' | 'as-options' | 'stop'
  /** The circuit that it counts against. */
  blame: 'channel' | 'key' | 'model' | null
  /** Seconds of the cooldown after one failure, or `counted` where one failure begins none. */
  wait?: number | 'counted'
}

const anthropicRefusal = (status: number, type: string, code: string): Reply => ({
  status,
  body: { type: 'error', error: { type, message: 'No.', details: { error_code: code } } },
})

/** The vendor's answer, and the consequences. */
const rules: readonly [string, Reply, Expected][] = [
  [
    'a request that is too long',
    refusal(400, 'Too long.', { code: 'context_length_exceeded' }),
    { retry: 'stop', blame: null },
  ],
  [
    'a text that was flagged',
    refusal(403, 'Your input was flagged.'),
    { retry: 'stop', blame: null },
  ],
  [
    'an agent that OpenAI stopped',
    refusal(403, 'Stopped.', { code: 'misalignment_policy_violation' }),
    { retry: 'stop', blame: null },
  ],
  [
    'a customer of Anthropic’s user profiles without money',
    anthropicRefusal(402, 'billing_error', 'linked_organization_spend_limit_reached'),
    { retry: 'stop', blame: null },
  ],
  [
    'an item of another account',
    refusal(404, "Item with id 'rs_1' not found."),
    { retry: 'as-options', blame: null },
  ],
  [
    'a file of another account',
    refusal(403, 'You do not have permission to access the File abc.'),
    { retry: 'as-options', blame: null },
  ],
  [
    'an unknown model, by its code',
    refusal(400, 'Unknown.', { code: 'invalid_model' }),
    { retry: 'next', blame: 'model', wait: COOLDOWN },
  ],
  [
    'an unknown model at GLM',
    refusal(400, '模型不存在，请检查模型代码', { code: '1211' }),
    { retry: 'next', blame: 'model', wait: COOLDOWN },
  ],
  [
    'an unknown model, by its sentence',
    refusal(404, 'model: some-model'),
    { retry: 'next', blame: 'model', wait: COOLDOWN },
  ],
  [
    'an account without money, by its code',
    refusal(429, 'You exceeded your current quota.', { code: 'insufficient_quota' }),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  [
    'an account without money, by its sentence',
    refusal(400, 'Your credit balance is too low to access the API.'),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  [
    'an account at the limit of its contract',
    anthropicRefusal(429, 'rate_limit_error', 'contract_spend_limit_reached'),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  [
    'an account without money at GLM',
    refusal(429, '您的账户已欠费，请充值后重试', { code: '1113' }),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  [
    'an account without money at Volcengine',
    refusal(403, 'Your account has an overdue balance.', { code: 'AccountOverdueError' }),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  [
    'an account without money at Novita',
    { status: 403, body: { code: 403, reason: 'NOT_ENOUGH_BALANCE', message: 'No money.' } },
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  ...[
    "Your newly created team doesn't have any credits or licenses yet. You can purchase those.",
    'Your team 16f2151a-40f4-4a80-8ad0-cae00c27e8dd has either used all available credits or …',
    'You have run out of credits or need a Grok subscription.',
  ].map((error): [string, Reply, Expected] => [
    `an account without money at xAI: ${error}`,
    { status: 403, body: { code: 'permission-denied', error } },
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ]),
  [
    'an account without money at Fireworks',
    refusal(
      412,
      'Account acme-7 is suspended, possibly due to reaching the monthly spending limit or failure to pay.',
    ),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  ...['total', 'daily'].map((limit): [string, Reply, Expected] => [
    `a key at its ${limit} limit at OpenRouter`,
    {
      status: 403,
      body: { error: { message: `Key limit exceeded (${limit} limit).`, code: 403 } },
    },
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ]),
  [
    'a request above Groq’s limit of a minute',
    refusal(413, 'Request too large for model `qwen` on tokens per minute (TPM): Limit 6000.', {
      code: 'rate_limit_exceeded',
    }),
    { retry: 'as-options', blame: null },
  ],
  [
    'a plan that is used up at Kimi',
    refusal(403, "You've reached your usage limit for this billing cycle.", {
      type: 'permission_error',
    }),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  ['402', refusal(402, 'Pay.'), { retry: 'as-options', blame: 'key', wait: COOLDOWN }],
  [
    'a bad key, by its code',
    refusal(400, 'Bad key.', { code: 'invalid_api_key' }),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  [
    'a bad key, by Google’s code within a list',
    {
      status: 400,
      body: [{ error: { message: 'Not so.', details: [{ reason: 'API_KEY_INVALID' }] } }],
    },
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  [
    'a bad key at xAI',
    {
      status: 400,
      body: { code: 'invalid-argument', error: 'Incorrect API key provided. You can obtain one.' },
    },
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  [
    'an account that Anthropic put on hold',
    anthropicRefusal(400, 'invalid_request_error', 'organization_on_hold'),
    { retry: 'next', blame: 'key', wait: COOLDOWN },
  ],
  ['401', refusal(401, 'No.'), { retry: 'next', blame: 'key', wait: COOLDOWN }],
  ['403', refusal(403, 'No access.'), { retry: 'next', blame: 'model', wait: COOLDOWN }],
  [
    'a request above the limit of a minute',
    refusal(429, 'Request too large for gpt-4o.'),
    { retry: 'as-options', blame: null },
  ],
  [
    'OpenAI’s flex tier without room',
    refusal(429, 'Try again later.', { code: 'flex_unavailable' }),
    { retry: 'as-options', blame: null },
  ],
  [
    'Claude’s fast mode at its limit',
    refusal(429, 'Slow down.', {
      headers: { 'retry-after': '90', 'anthropic-fast-output-tokens-remaining': '0' },
    }),
    { retry: 'as-options', blame: null },
  ],
  ['429', refusal(429, 'Slow down.'), { retry: 'as-options', blame: 'model', wait: COOLDOWN }],
  [
    '429 with a hint',
    refusal(429, 'Slow down.', { headers: { 'retry-after': '20' } }),
    { retry: 'as-options', blame: 'model', wait: 20 },
  ],
  [
    'a rate limit with another status',
    refusal(503, 'Slow down.', { code: 'slow_down' }),
    { retry: 'as-options', blame: 'model', wait: COOLDOWN },
  ],
  ['529', refusal(529, 'Overloaded.'), { retry: 'as-options', blame: 'model', wait: 'counted' }],
  [
    'an overload, by its code',
    refusal(503, 'Busy.', { code: 'overloaded_error' }),
    { retry: 'as-options', blame: 'model', wait: 'counted' },
  ],
  [
    '404 of a path',
    refusal(404, 'Not Found'),
    { retry: 'as-options', blame: 'model', wait: 'counted' },
  ],
  ['501', refusal(501, 'Not implemented.'), { retry: 'as-options', blame: null }],
  ['504', refusal(504, 'Too late.'), { retry: 'as-options', blame: 'channel', wait: COOLDOWN }],
  ['500', refusal(500, 'Oops.'), { retry: 'as-options', blame: 'channel', wait: 'counted' }],
  ['another 4xx', refusal(422, 'Not so.'), { retry: 'as-options', blame: null }],
  [
    'a connection that breaks',
    { ending: 'reset-before-headers' },
    { retry: 'next', blame: 'channel', wait: 'counted' },
  ],
]

let stage: Stage
let cases = 0

beforeAll(async () => {
  stage = await startStage({ ChannelCooldownSeconds: COOLDOWN, RetryWaitSeconds: 0 }, false)
})
afterAll(() => stage.pair.close())

/** Calls a model of two channels, the first of which answers so. */
async function outcome(reply: Reply, listed: string) {
  const { add, call, asked, pair, set } = stage
  set({ AutomaticRetryStatusCodes: listed, RetryOnTimeout: listed !== '' })
  const models = [`model-${++cases}`]
  const { id } = add(`first-${cases}`, { models, priority: 1 }, reply)
  add(`second-${cases}`, { models })
  asked.length = 0
  await call('chat', { model: `model-${cases}` })
  const [part] = pair.gateway.parts.health.circuits(id)
  return { isNext: asked.length === 2, part, at: performance.now() }
}

test.each(rules)('%s', async (_, reply, expected) => {
  const { isNext, part, at } = await outcome(reply, '')
  const isNextIfListed = (await outcome(reply, '400-599')).isNext
  const retry = isNext ? 'next' : isNextIfListed ? 'as-options' : 'stop'
  const own = part?.model === null ? (part.key === null ? 'channel' : 'key') : 'model'
  expect({ retry, blame: part ? own : null }).toEqual({
    retry: expected.retry,
    blame: expected.blame,
  })
  const { wait } = expected
  const circuit = part?.circuit
  if (wait === 'counted') expect(circuit).toEqual({ state: 'closed' })
  else if (wait !== undefined) {
    const seconds = circuit?.state === 'open' ? (circuit.until - at) / 1000 : 0
    expect(seconds).toBeLessThanOrEqual(wait)
    // A cooldown of our own is up to a fifth shorter.
    expect(seconds).toBeGreaterThan(wait * 0.8 - 2)
  }
})
