import { expect, onTestFinished, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type HeardSession,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

/** A vendor that answers each response.create with fifty words, and then as `end` does. */
async function startVendor(end: (session: HeardSession) => void) {
  const gateway = await startTestGateway()
  gateway.set({ ChannelFailureCount: 0 })
  const upstream = await startSocketUpstream({
    onFrame(_frame, session) {
      for (let count = 0; count < 50; count++) {
        session.socket.send(text({ type: 'response.output_text.delta', delta: 'some words ' }))
      }
      end(session)
    },
  })
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  const settings = { endpoint_types: ['openai-response'] }
  gateway.addChannel({ baseUrl: upstream.url, models: ['gpt'], settings })
  return { gateway, upstream }
}

const text = (event: object) => JSON.stringify(event)
const usage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 }
const completed = (fields: object = { usage }) =>
  text({ type: 'response.completed', response: { id: 'resp_1', status: 'completed', ...fields } })

/** Asks once; gives the client when it has heard an event of this type, or that it is over. */
async function ask(gateway: { url: string; key: string }, type: string) {
  const client = await connectSocket(gateway.url, '/v1/responses', {
    headers: { authorization: `Bearer ${gateway.key}` },
  })
  client.say({ type: 'response.create', model: 'gpt', input: 'Tell me.' })
  await Promise.race([client.event(type).catch(() => null), client.ended])
  return { client }
}

test.each([
  ['says goodbye', ({ socket }: HeardSession) => socket.close(1000)],
  ['breaks the connection off', ({ socket }: HeardSession) => socket.terminate()],
])('a vendor that %s right behind its answer takes nothing of it away', async (_, leave) => {
  const { gateway } = await startVendor((session) => {
    session.socket.send(completed())
    leave(session)
  })
  // Rows of many calls are written together, so that each waits for a turn or two.
  const clients = await Promise.all(
    Array.from({ length: 60 }, () => ask(gateway, 'response.completed')),
  )
  const ends = await Promise.all(
    clients.map(async ({ client }) => {
      await client.ended
      return JSON.parse(String(client.frames.at(-1)?.data)).type
    }),
  )
  expect(new Set(ends)).toEqual(new Set(['response.completed']))
  const rows = await gateway.rowsWhen(60)
  for (const row of rows) {
    expect(row).toMatchObject({ promptTokens: 7, completionTokens: 5, status: 200, content: '' })
  }
})

test.each([
  [
    'fails',
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'No.' } } },
  ],
  [
    'tells an error',
    { type: 'error', status: 500, error: { code: 'server_error', message: 'No.' } },
  ],
  ['tells an error as a stream does', { type: 'error', code: 'server_error', message: 'No.' }],
])('what was said before an answer %s is counted', async (_, event) => {
  const { gateway } = await startVendor(({ socket }) => socket.send(text(event)))
  const { client } = await ask(gateway, event.type)
  client.raw.close()
  const [row] = await gateway.rowsWhen(1)
  expect(row).toMatchObject({ content: 'No.' })
  expect(row?.completionTokens).toBeGreaterThan(80)
  expect(JSON.parse(row?.other ?? '')).toMatchObject({ estimated: true })
})

test.each([
  ['no usage', {}],
  ['an empty usage', { usage: {} }],
  ['a usage of zeros', { usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } }],
])('an answer whose vendor tells %s is counted by its words', async (_, fields) => {
  const { gateway } = await startVendor(({ socket }) => socket.send(completed(fields)))
  const { client } = await ask(gateway, 'response.completed')
  client.raw.close()
  const [row] = await gateway.rowsWhen(1)
  expect(row?.completionTokens).toBeGreaterThan(80)
  expect(JSON.parse(row?.other ?? '')).toMatchObject({ estimated: true })
})
