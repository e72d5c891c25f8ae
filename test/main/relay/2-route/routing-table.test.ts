import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { Settings } from '../../../../main/store/state/settings.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { readStream, smallStreams } from '../../../support/upstreams/small-streams.ts'
import { goodStream, refusal, type Stage, speaking, startStage } from './routing-stage.ts'

const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']

/** The first of two channels fails so, in the words of its format where these differ. */
type Failing = (format: WireFormat) => Reply

const hidden =
  (error: object): Failing =>
  () => ({ body: { error } })

/** Failures after which another channel can help any client. */
const passing: Readonly<Record<string, Failing>> = {
  'a limit of rates': () => refusal(429, 'Slow down.', { code: 'rate_limit_exceeded' }),
  'an account without money, as OpenAI says it': () =>
    refusal(429, 'You exceeded your current quota.', { type: 'insufficient_quota' }),
  'an account without money, as Anthropic says it': () =>
    refusal(400, 'Your credit balance is too low to access the API.', {
      type: 'invalid_request_error',
    }),
  'a spend limit, as Anthropic says it': () =>
    refusal(400, 'You have reached your specified API usage limits.', {
      type: 'invalid_request_error',
    }),
  'a key that is refused': () => refusal(401, 'Incorrect API key.', { code: 'invalid_api_key' }),
  'a key that Google refuses': () =>
    refusal(400, 'API key not valid.', { details: [{ reason: 'API_KEY_INVALID' }] }),
  'a key that may not use the model': () =>
    refusal(403, 'No access.', { type: 'permission_error' }),
  'a model that the vendor has not': () =>
    refusal(404, 'The model does not exist.', { code: 'model_not_found' }),
  'a model that Mistral does not know': () =>
    refusal(400, 'Invalid model: model-a', { type: 'invalid_model' }),
  'an overload': () => refusal(529, 'Overloaded', { type: 'overloaded_error' }),
  'an error of the vendor’s': () => refusal(500, 'Oops.'),
  'a bad gateway of Cloudflare’s': () => ({ status: 522, body: '<html>Timed out</html>' }),
  'a connection that breaks': () => ({ ending: 'reset-before-headers' }),
  'a page with status 200': () => ({
    body: '<html>Welcome</html>',
    headers: { 'content-type': 'text/html' },
  }),
  'an error inside 200': hidden({ message: 'Overloaded.', type: 'overloaded_error' }),
  'a limit of rates inside 200': hidden({ message: 'Slow.', code: 'rate_limit_exceeded' }),
}

/** The same of a stream alone. */
const passingStreams: Readonly<Record<string, Failing>> = {
  'an error as first event': (format) => ({ chunks: [smallStreams[format].error] }),
  'an end before the first event': () => ({ chunks: [': hello\n\n'] }),
  'a cut before the first event': () => ({ chunks: [': hello\n\n'], ending: 'cut' }),
}

describe.each(formats)('%s: the client sees nothing of', (format) => {
  let stage: Stage
  let cases = 0

  beforeAll(async () => {
    stage = await startStage({}, false)
  })
  afterAll(() => stage.pair.close())

  /** Two channels with a model of their own, the first of which fails so. */
  async function expectNothing(failing: Failing, stream: boolean): Promise<void> {
    const { add, call, asked, pair } = stage
    const model = `model-${++cases}`
    const fields = { ...speaking(format), models: [model] }
    add(`first-${cases}`, { ...fields, priority: 1 }, failing(format))
    add(`second-${cases}`, fields)
    asked.length = 0
    const answer = await call(format, { stream, model })
    expect(answer.status).toBe(200)
    if (stream && format === 'responses')
      expect(answer.text).toBe(goodStream(format).chunks?.join(''))
    else if (stream)
      expect(readStream(format, answer.text)).toMatchObject({ text: 'ok', ending: 'whole' })
    expect(asked).toEqual([`first-${cases}`, `second-${cases}`])
    // Only who has answered is paid.
    expect(pair.rowsOf(answer)).toMatchObject([
      { channelId: cases * 2, promptTokens: 10, completionTokens: 20, type: 2, status: 200 },
    ])
  }

  test.each(Object.entries(passing))('%s', async (_, failing) => {
    await expectNothing(failing, false)
    await expectNothing(failing, true)
  })

  test.each(Object.entries(passingStreams))('%s of a stream', async (_, failing) => {
    await expectNothing(failing, true)
  })
})

describe('no other channel is asked for', () => {
  test.each([
    ['a mistake of the client', refusal(400, 'max_tokens: too small'), 400],
    [
      'a conversation that is too long',
      refusal(429, 'Too long.', { code: 'context_length_exceeded' }),
      429,
    ],
    ['what vendors forbid', refusal(451, 'Not this.', { code: 'content_policy_violation' }), 451],
    ['a text that was flagged', refusal(403, 'Your input was flagged.'), 403],
    [
      'a mistake inside 200',
      { body: { error: { message: 'No.', type: 'invalid_request_error' } } },
      400,
    ],
  ] satisfies [string, Reply, number][])('%s', async (_, reply, status) => {
    const { add, call, asked, routeOf } = await startStage()
    add('first', { priority: 1 }, reply)
    add('second')
    const answer = await call()
    expect([answer.status, asked]).toEqual([status, ['first']])
    expect(routeOf(answer).attempts).toMatchObject([{ after: 'final' }])
  })
})

describe('the owner’s rules go before all others', () => {
  const ways: [string, Settings['RetryRules'][number], Reply, 'first' | 'second'][] = [
    ['by status', { status: '418-420', action: 'stop' }, refusal(419, 'So.'), 'first'],
    ['a 400 after all', { status: '400', action: 'next' }, refusal(400, 'So.'), 'second'],
    [
      'by code',
      { codes: ['Odd_Code'], action: 'stop' },
      refusal(500, 'x', { code: 'odd_code' }),
      'first',
    ],
    ['by text', { text: 'WEIRD mood', action: 'next' }, refusal(400, 'A weird mood.'), 'second'],
    ['by kind', { kind: 'cut', action: 'stop' }, { chunks: [': hi\n\n'] }, 'first'],
    [
      'where all of it holds only',
      { status: '500', text: 'other words', action: 'stop' },
      refusal(500, 'These words.'),
      'second',
    ],
  ]
  test.each(ways)('%s', async (_, rule, reply, expected) => {
    const { add, call, asked } = await startStage({ RetryRules: [rule] })
    add('first', { priority: 1 }, reply)
    add('second')
    await call('chat', { stream: true })
    expect(asked.at(-1)).toBe(expected)
  })
})
