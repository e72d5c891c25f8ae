import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSocket, refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

const SECRET = 'sk-vendor-Distinctive-8Kq2vYh1'
const model = 'gpt-realtime'
const path = `/v1/realtime?model=${model}`

let gateway: TestGateway
let upstream: SocketUpstream
const headers = () => ({ authorization: `Bearer ${gateway.key}` })

beforeAll(async () => {
  gateway = await startTestGateway()
  gateway.set({ ChannelFailureCount: 0 })
  upstream = await startSocketUpstream()
  const settings = { endpoint_types: ['realtime', 'openai-response'] }
  gateway.addChannel({ baseUrl: upstream.url, key: SECRET, models: [model], settings })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

test("a vendor's key is told to no client of a session whose vendor quotes it, nor to the log", async () => {
  const client = await connectSocket(gateway.url, path, { headers: headers() })
  const session = await upstream.session(1)
  const error = { type: 'invalid_request_error', message: `Incorrect API key: ${SECRET}.` }
  session.socket.send(JSON.stringify({ type: 'error', error }))
  const said = await client.event('error')
  session.socket.close(3000, `bad key ${SECRET}`)
  const end = await client.ended
  expect(JSON.stringify(said)).toContain('Incorrect API key: ***.')
  expect(end.reason).toBe('bad key ***')
  const [row] = await gateway.rowsWhen(1)
  expect(row?.content).toContain('bad key ***')
  expect(JSON.stringify([said, row])).not.toContain('Distinctive')
})

test('nor where its page is cut behind a few words', async () => {
  const body = `<html>${Array(20).fill(`no: ${SECRET}`).join(' ')}</html>`
  upstream.refuse({ status: 401, body })
  const refused = await refusedUpgrade(gateway.url, path, headers())
  expect(refused.text).toContain('no: ***')
  expect(refused.text).not.toContain('sk-')
})

const escaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** How a vendor may write it; a reason has 123 bytes, and some are cut there. */
const written: [how: string, said: string, shown: string][] = [
  ['with an escape', `bad ${SECRET.replace('-', escaped)} key`, 'bad *** key'],
  ['all in escapes', `bad ${escaped(SECRET.slice(0, 12))}${SECRET.slice(12)}`, 'bad ***'],
  ['in JSON in JSON', `bad ${SECRET.replace('-', '\\\\u002D')} key`, 'bad *** key'],
  ['cut', `${'.'.repeat(100)}${SECRET.slice(0, 23)}`, `${'.'.repeat(100)}***`],
]

test.each(written)('a goodbye that quotes it %s tells it to nobody', async (_, said, shown) => {
  const count = upstream.sessions.length + 1
  const before = gateway.rows().length
  const client = await connectSocket(gateway.url, path, { headers: headers() })
  const session = await upstream.session(count)
  session.socket.close(3000, said)
  expect((await client.ended).reason).toBe(shown)
  const [row] = await gateway.rowsWhen(before + 1)
  expect(row?.content).toContain(shown.slice(0, 60))
  expect(row?.content).not.toContain('Distinctive')
})

test.each(written)('a refusal that quotes it %s tells it to nobody', async (how, said, shown) => {
  const before = gateway.rows().length
  upstream.refuse({ status: 400, body: how === 'cut' ? said : `{"error":{"message":"${said}"}}` })
  const refused = await refusedUpgrade(gateway.url, path, headers())
  const [row] = await gateway.rowsWhen(before + 1)
  const read = (text: string) =>
    text.replace(/\\+u([0-9a-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  expect(refused.text).toContain(shown.slice(0, 60))
  expect(read(`${refused.text} ${JSON.stringify(row)}`)).not.toMatch(/Distinctive|sk-vendor/)
})

test.each(['/v1/realtime', '/v1/responses'])(
  'nor does a session tell it in its last event or its goodbye, %s',
  async (where) => {
    const count = upstream.sessions.length + 1
    const client = await connectSocket(gateway.url, `${where}?model=${model}`, {
      headers: headers(),
    })
    client.say({ type: 'response.create', model, input: 'hi' })
    const session = await upstream.session(count)
    await session.heard(1)
    session.socket.close(3000, written[0]?.[1])
    const { reason } = await client.ended
    const told = client.frames.map(({ data }) => String(data)).join()
    expect(`${reason} ${told}`).toContain('bad ***')
    expect(`${reason} ${told}`).not.toContain('Distinctive')
  },
)
