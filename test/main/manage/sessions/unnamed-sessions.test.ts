import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { GatewayOptions } from '../../../../main/gateway.ts'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startSocketUpstream } from '../../../support/upstreams/socket-upstream.ts'
import { signInAs } from '../users/people.ts'
import { restartSessionStage, type SessionStage, startSessionStage } from './session-stage.ts'

const MODEL = 'gpt-5'
const sessionPath = (id: string) => `/api/sessions/${encodeURIComponent(id)}`
const say = (content: string) => ({ role: 'user', content })

async function start(options: Partial<GatewayOptions> = {}): Promise<SessionStage> {
  const stage = await startSessionStage(options)
  stage.addChannel({
    type: 1,
    models: [MODEL],
    settings: { endpoint_types: ['openai', 'openai-response'] },
  })
  return stage
}

const ask = (stage: SessionStage, messages: object[]) =>
  stage.call('/v1/chat/completions', { model: MODEL, messages })

/** A conversation of so many calls; gives their ids. */
async function converse(stage: SessionStage, first: string, calls: number): Promise<string[]> {
  const messages: object[] = [say(first)]
  const ids: string[] = []
  for (let round = 0; round < calls; round++) {
    ids.push(await ask(stage, messages))
    messages.push({ role: 'assistant', content: 'Done: hi.' }, say(`Go on, ${round}.`))
  }
  return ids
}

/** A call over a WebSocket, which is captured by its messages. */
async function askOverSocket(stage: SessionStage): Promise<void> {
  const usage = { input_tokens: 4, output_tokens: 2, total_tokens: 6 }
  const response = { id: 'resp_socket', object: 'response', model: 'gpt-socket', output: [], usage }
  const completed = { type: 'response.completed', response: { ...response, status: 'completed' } }
  const vendor = await startSocketUpstream({
    onFrame: (_frame, { socket }) => socket.send(JSON.stringify(completed)),
  })
  onTestFinished(() => vendor.close())
  stage.addChannel({
    ...{ type: 1, models: ['gpt-socket'], baseUrl: vendor.url },
    settings: { endpoint_types: ['openai-response'] },
  })
  const client = await connectSocket(stage.gateway.url, '/v1/responses', {
    headers: { authorization: `Bearer ${stage.key}` },
  })
  client.say({ type: 'response.create', model: 'gpt-socket', input: 'Socket.' })
  expect(await client.heard(1)).toMatchObject([{ type: 'response.completed' }])
  client.raw.close()
}

/** Sessions are told a moment after their calls. */
const expectSessions = (stage: SessionStage, expected: object[], query = '') =>
  expect.poll(() => stage.sessions(stage.owner, query)).toMatchObject(expected)

test('a client that names no session has one as its conversation grows', async () => {
  const stage = await start()
  const [first] = await converse(stage, 'Count to two.', 2)
  await ask(stage, [say('Something else.')])
  await expectSessions(stage, [{ id: `calls:${first}`, calls: 2, title: 'Count to two.' }])
  const { body } = await stage.owner.get(sessionPath(`calls:${first}`))
  expect(body.data.calls[1].input).toMatchObject([{ role: 'user', text: 'Go on, 0.' }])
})

test('answers that follow each other by their ids are one session', async () => {
  const stage = await start()
  const first = await stage.call('/v1/responses', { model: MODEL, input: 'One.' })
  const next = { model: MODEL, input: 'Two.', previous_response_id: 'resp_0' }
  await stage.call('/v1/responses', next)
  await expectSessions(stage, [{ id: `calls:${first}`, calls: 2 }])
})

test('found by one of its calls, a session shows the figures of all, and opens', async () => {
  const stage = await start()
  const ids = await converse(stage, 'Count to four.', 4)
  await expectSessions(stage, [{ id: `calls:${ids[0]}`, calls: 4 }])
  const [whole] = await stage.sessions()
  const [found] = await stage.sessions(stage.owner, `?q=id:${ids[2]}`)
  expect(found).toEqual(whole)
  const { status, body } = await stage.owner.get(sessionPath(found.id))
  expect({ status, session: body.data.session }).toEqual({ status: 200, session: whole })
})

test('a session stays, whole and under its id, when its captures are gone', async () => {
  const stage = await start()
  const [first] = await converse(stage, 'Count to two.', 2)
  await expectSessions(stage, [{ id: `calls:${first}`, calls: 2 }])
  await stage.owner.send('DELETE', '/api/captures')
  const [session] = await stage.sessions()
  expect(session).toMatchObject({ id: `calls:${first}`, calls: 2, title: null })
  const { body } = await stage.owner.get(sessionPath(session.id))
  expect(body.data.calls.map(({ input }: { input: unknown }) => input)).toEqual([null, null])
  // Also of what goes on from it.
  await ask(stage, [say('Count to two.'), { role: 'assistant', content: 'x' }, say('More.')])
  await expectSessions(stage, [{ id: `calls:${first}`, calls: 3 }])
})

describe('after a restart', () => {
  const answered = { role: 'assistant', content: 'Done: hi.' }

  /** A session of two calls and one call alone, before it; gives the first call of each. */
  async function beforeRestart(level: 'all' | 'memory') {
    const dataFolder = mkdtempSync(join(tmpdir(), 'switchyard-sessions-'))
    onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
    const stage = await start({ dataFolder })
    stage.gateway.parts.settings.update({ CaptureLevel: level })
    const alone = await stage.call('/v1/responses', { model: MODEL, input: 'One.' })
    const [first] = await converse(stage, 'Count to two.', 2)
    await expectSessions(stage, [{ id: `calls:${first}`, calls: 2 }])
    await askOverSocket(stage)
    return { alone, first, stage: await restartSessionStage(stage, dataFolder) }
  }

  const goOn = (stage: SessionStage) =>
    ask(stage, [say('Count to two.'), answered, say('Go on, 0.'), answered, say('More.')])

  const chat = async (stage: SessionStage, messages: object[]): Promise<string> => {
    const input = { model: MODEL, messages, stream: false }
    const { status, headers } = await stage.owner.send('POST', '/pg/chat/completions', input)
    expect(status).toBe(200)
    return String(headers.get('x-oneapi-request-id'))
  }

  test('a chat of the playground goes on, though a test of its channel began as it did', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'switchyard-sessions-'))
    onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
    const earlier = await start({ dataFolder })
    earlier.gateway.parts.settings.update({ CaptureLevel: 'all' })
    const first = await chat(earlier, [say('hi')])
    const [channel] = earlier.gateway.parts.channels.all()
    const tested = await earlier.owner.get(`/api/channel/test/${channel?.id}?model=${MODEL}`)
    expect(tested.body).toMatchObject({ success: true })
    const stage = await restartSessionStage(earlier, dataFolder)
    await chat(stage, [say('hi'), answered, say('More.')])
    await expectSessions(stage, [{ id: `calls:${first}`, calls: 2 }])
  })

  test('a conversation whose captures are on disk goes on with its session', async () => {
    const { alone, first, stage } = await beforeRestart('all')
    await goOn(stage)
    await expectSessions(stage, [{ id: `calls:${first}`, calls: 3 }])
    const next = { model: MODEL, input: 'Two.', previous_response_id: 'resp_0' }
    await stage.call('/v1/responses', next)
    await expectSessions(stage, [
      { id: `calls:${alone}`, calls: 2 },
      { id: `calls:${first}`, calls: 3 },
    ])
  })

  test('one that was never on disk begins anew', async () => {
    const { first, stage } = await beforeRestart('memory')
    const later = await goOn(stage)
    await ask(stage, [
      ...[say('Count to two.'), answered, say('Go on, 0.'), answered, say('More.')],
      ...[answered, say('Still more.')],
    ])
    await expectSessions(stage, [
      { id: `calls:${later}`, calls: 2 },
      { id: `calls:${first}`, calls: 2 },
    ])
  })
})

test('without captures there are sessions of growing conversations all the same', async () => {
  const stage = await start()
  stage.gateway.parts.settings.update({ CaptureLevel: 'off' })
  const [first] = await converse(stage, 'Count to two.', 3)
  await expectSessions(stage, [{ id: `calls:${first}`, calls: 3, title: null }])
})

test('playground chats of two users with the same words are two sessions', async () => {
  const stage = await start()
  const user = await signInAs(stage, { username: 'bea', quota: 5_000_000 })
  for (const visitor of [stage.owner, user]) {
    const messages: object[] = [say('Hello')]
    for (let round = 0; round < 2; round++) {
      const input = { model: MODEL, messages, stream: false }
      const { status } = await visitor.send('POST', '/pg/chat/completions', input)
      expect(status).toBe(200)
      messages.push({ role: 'assistant', content: 'Done: hi.' }, say('Go on.'))
    }
  }
  await expectSessions(stage, [
    { username: 'bea', calls: 2 },
    { username: 'ada', calls: 2 },
  ])
  expect(await stage.sessions(user)).toMatchObject([{ username: 'bea', calls: 2 }])
})

test('the same question again begins a session of its own, and what is not repeated joins none', async () => {
  const stage = await start()
  await converse(stage, 'Count to two.', 2)
  const [second] = await converse(stage, 'Count to two.', 2)
  await expect.poll(async () => (await stage.sessions()).length).toBe(2)
  const sessions = await stage.sessions()
  expect(sessions[0]).toMatchObject({ id: `calls:${second}`, calls: 2 })
  expect(sessions[1]).toMatchObject({ calls: 2 })
})

test('sessions are found by what was said in them', async () => {
  const stage = await start()
  const [first] = await converse(stage, 'Where is the needle?', 2)
  await converse(stage, 'Nothing to be found here.', 2)
  await expect.poll(async () => (await stage.sessions()).length).toBe(2)
  const found = await stage.sessions(stage.owner, `?q=${encodeURIComponent('text:"the needle"')}`)
  expect(found).toMatchObject([{ id: `calls:${first}`, calls: 2 }])
})
