import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { connectSocket, refusedUpgrade } from '../../support/socket-client.ts'
import { type SocketUpstream, startSocketUpstream } from '../../support/socket-upstream.ts'

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
  const settings = { endpoint_types: ['realtime'] }
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
