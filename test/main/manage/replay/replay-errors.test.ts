import { describe, expect, test } from 'vitest'
import { logRow } from '../calls/log-rows.ts'
import { signInAs } from '../users/people.ts'
import { type Answered, callOf, type ReplayStage, startReplays } from './replay-stage.ts'

const errorOf = ({ status, text }: Answered) => ({ status, ...JSON.parse(text).error })

async function withCall(): Promise<ReplayStage & { id: string }> {
  const stage = await startReplays()
  stage.addVendor('chat')
  const { path, body } = callOf.chat('to-chat', false)
  const { id } = await stage.ask(path, body)
  return { ...stage, id }
}

/** Nothing reached the vendor but the original, and no row was written. */
function expectNothingSent({ upstream, gateway }: ReplayStage, answer: Answered): void {
  expect(upstream.requests).toHaveLength(1)
  expect(gateway.parts.ledger.list({}, { page: 1, pageSize: 10 }).total).toBe(1)
  expect(answer.headers.get('x-switchyard-replay')).toBeNull()
}

const message = (content: unknown) => ({ model: 'to-chat', messages: [content] })

describe('before anything is sent', () => {
  test.each<[string, Record<string, unknown>, number, string, RegExp]>([
    ['an unknown capture', { capture: 'none' }, 404, 'capture', /no capture of this call/],
    ['a body that is a list', { body: '[]' }, 400, 'body', /must be a JSON object/],
    ['broken JSON', { body: '{\n "model": "a",\n}' }, 400, 'body', /line 3, column 1/],
    ['a body that ends early', { body: '{"model":' }, 400, 'body', /ends too early/],
    ['a body without a model', { body: { messages: [] } }, 400, 'model', /is required/],
    ['no messages', { body: { model: 'to-chat' } }, 400, 'messages', /is required/],
    ['a message that is none', { body: message(7) }, 400, 'messages[0]', /must be an object/],
    [
      'a key that stands twice',
      { body: '{"model":"a","model":"b","messages":[{}]}' },
      ...([400, 'model', /twice/] as [number, string, RegExp]),
    ],
    ['an unknown channel', { channel: 99 }, 404, 'channel', /There is no channel 99/],
    ['a channel that is no number', { channel: 'B' }, 400, 'channel', /number of a record/],
    ['an empty model', { model: '' }, 400, 'model', /is empty/],
    ['an unknown field', { temperature: 1 }, 400, 'temperature', /temperature/],
  ])('%s is refused, and the field named', async (_what, input, status, field, words) => {
    const stage = await withCall()
    const answer = await stage.replay({ capture: stage.id, ...input })
    expect(errorOf(answer)).toMatchObject({ status, param: field })
    expect(errorOf(answer).message).toMatch(words)
    expectNothingSent(stage, answer)
  })

  test('a check tells what the endpoint would refuse, and sends nothing', async () => {
    const stage = await withCall()
    const check = async (input: object) => {
      const { body } = await stage.owner.send('POST', '/api/replays/check', {
        ...{ capture: stage.id, ...input },
      })
      return body.data.problem
    }
    expect(await check({ body: JSON.stringify(message(7)) })).toMatchObject({
      field: 'messages[0]',
      message: expect.stringContaining('must be an object'),
    })
    expect(await check({ body: '{"model":' })).toMatchObject({ field: 'body' })
    expect(
      await check({ body: JSON.stringify(message({ role: 'user', content: 'x' })) }),
    ).toBeNull()
    expect(stage.upstream.requests).toHaveLength(1)
    expect(stage.gateway.parts.ledger.list({}, { page: 1, pageSize: 10 }).total).toBe(1)
  })

  test('a disabled channel is named', async () => {
    const stage = await withCall()
    const { id } = stage.addVendor('chat', { name: 'Resting', status: 2 })
    const answer = await stage.replay({ capture: stage.id, channel: id })
    expect(errorOf(answer)).toMatchObject({ status: 409, param: 'channel' })
    expect(errorOf(answer).message).toContain('The channel "Resting" is disabled')
    expectNothingSent(stage, answer)
  })

  test('a body that was cut says at how many bytes; a whole body of one’s own is sent', async () => {
    const stage = await startReplays()
    stage.addVendor('chat')
    stage.gateway.parts.settings.update({ CaptureBodyMegabytes: 1 })
    const { path } = callOf.chat('to-chat', false)
    const long = message({ role: 'user', content: 'x'.repeat(1_100_000) })
    const { id } = await stage.ask(path, long)
    const refused = await stage.replay({ capture: id })
    expect(errorOf(refused)).toMatchObject({ status: 409, param: 'capture' })
    expect(errorOf(refused).message).toMatch(/cut at 1,048,576 of 1,100,0\d\d bytes/)
    expectNothingSent(stage, refused)
    const own = { capture: id, body: message({ role: 'user', content: 'short' }) }
    expect((await stage.replay(own)).status).toBe(200)
  })

  test('a form says which of its files were not kept', async () => {
    const stage = await startReplays()
    stage.addVendor('chat', { models: ['whisper'], settings: { endpoint_types: ['audio'] } })
    stage.upstream.script({ body: { text: 'Hello' } })
    const form = new FormData()
    form.set('model', 'whisper')
    form.set('file', new Blob([new Uint8Array(2048)], { type: 'audio/mpeg' }), 'talk.mp3')
    const response = await fetch(`${stage.gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer sk-${stage.gateway.parts.tokens.create({ userId: 1, name: 'F', unlimitedQuota: true }).key}`,
      },
      body: form,
    })
    expect(response.status).toBe(200)
    const answer = await stage.replay({
      capture: response.headers.get('x-oneapi-request-id'),
    })
    expect(errorOf(answer)).toMatchObject({ status: 409, param: 'capture' })
    expect(errorOf(answer).message).toContain('file (“talk.mp3”, 2,048 bytes)')
  })

  test('a request that was refused says why', async () => {
    const stage = await withCall()
    const refused = await fetch(`${stage.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-wrong', 'content-type': 'application/json' },
      body: '{}',
    })
    const answer = await stage.replay({ capture: refused.headers.get('x-oneapi-request-id') })
    expect(errorOf(answer)).toMatchObject({ status: 409, param: 'capture' })
    expect(errorOf(answer).message).toMatch(
      /refused before it became a call \(401: This key is not/,
    )
  })

  test('a WebSocket session says that it is one', async () => {
    const stage = await startReplays()
    const row = logRow('session-1', { other: { wire_format: 'realtime' } })
    await stage.gateway.parts.ledger.record(row)
    const answer = await stage.replay({ capture: 'session-1' })
    expect(errorOf(answer)).toMatchObject({ status: 409, param: 'capture' })
    expect(errorOf(answer).message).toContain('This was a WebSocket session.')
  })

  test('a call refused for its body can be replayed once that is mended', async () => {
    const stage = await withCall()
    const { id } = await stage.ask('/v1/chat/completions', '{"model":"to-chat"')
    expect(errorOf(await stage.replay({ capture: id }))).toMatchObject({ param: 'body' })
    const { body } = callOf.chat('to-chat', false)
    expect((await stage.replay({ capture: id, body })).status).toBe(200)
  })
})

describe('a refusal by the relay', () => {
  test('comes in the original’s format, with a row and a capture', async () => {
    const stage = await startReplays()
    stage.addVendor('messages')
    const { path, body } = callOf.messages('to-messages', true)
    const original = await stage.ask(path, body)
    const answer = await stage.replay({ capture: original.id, model: 'unheard-of' })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error', message: expect.stringContaining('unheard-of') },
    })
    const id = answer.headers.get('x-switchyard-replay') ?? ''
    expect(stage.rowOf(id)).toMatchObject({ type: 5, status: 404, tokenName: 'replay' })
    const view = await stage.owner.get(`/api/captures/${id}`)
    expect(view.body.data.client.answer).toMatchObject({ status: 404 })
  })

  test('a balance that the replay may use up refuses it, and so does one that is used up', async () => {
    const stage = await startReplays()
    stage.addVendor('chat', { models: ['gpt-4o'] })
    const { path, body } = callOf.chat('gpt-4o', false)
    const { id } = await stage.ask(path, { ...body, max_tokens: 1000 })
    const { settings, users } = stage.gateway.parts
    settings.update({ SelfUseModeEnabled: false })
    users.update(1, { quota: stage.rowOf(id).quota + 1000 })
    const dear = errorOf(await stage.replay({ capture: id }))
    expect(dear).toMatchObject({ status: 403, code: 'insufficient_quota' })
    expect(dear.message).toMatch(/has \$0\.002 left and the call may cost/)
    users.update(1, { quota: 0 })
    expect(errorOf(await stage.replay({ capture: id })).message).toMatch(/used up its quota/)
    expect(stage.upstream.requests).toHaveLength(1)
  })
})

describe('who may replay', () => {
  test('users see none of it while captures are the administrators’', async () => {
    const stage = await withCall()
    const person = await signInAs(stage, { username: 'bob', role: 1 })
    const answer = await stage.replay({ capture: stage.id }, person)
    expect(errorOf(answer)).toMatchObject({ status: 403 })
    expect((await person.get('/api/replays/failures')).status).toBe(403)
  })

  test('with the owner’s leave users replay their own calls, on no channel of their choice', async () => {
    const stage = await withCall()
    stage.gateway.parts.settings.update({ CaptureForUsers: true })
    const person = await signInAs(stage, { username: 'bob', role: 1, quota: 1_000_000 })
    expect(errorOf(await stage.replay({ capture: stage.id }, person)).status).toBe(404)
    const asked = await person.send('POST', '/pg/chat/completions', {
      model: 'to-chat',
      messages: [{ role: 'user', content: 'Größe?' }],
    })
    const capture = asked.headers.get('x-oneapi-request-id')
    const pinned = await stage.replay({ capture, channel: 1 }, person)
    expect(errorOf(pinned)).toMatchObject({ status: 403, param: 'channel' })
    stage.upstream.script({ status: 400, body: { error: { message: 'No such tool.' } } })
    const body = { model: 'to-chat', messages: [{ role: 'user', content: 'Again' }] }
    expect((await person.send('POST', '/pg/chat/completions', body)).status).toBe(400)
    const { failures } = (await person.get('/api/replays/failures')).body.data
    expect(failures).toMatchObject([{ message: expect.any(String), channel_name: '' }])
    const again = await stage.replay({ capture }, person)
    expect(stage.rowOf(again.id)).toMatchObject({ username: 'bob', tokenName: 'replay' })
  })

  test('an access token is not enough', async () => {
    const stage = await withCall()
    const authorization = (await stage.owner.send('POST', '/api/user/token')).body.data
    const { status } = await stage
      .visitor()
      .send('POST', '/api/replays', { capture: stage.id }, { authorization })
    expect(status).toBe(403)
  })
})
