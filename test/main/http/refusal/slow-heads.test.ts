import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { createClientAddresses } from '../../../../main/base/net/client-address.ts'
import { RefusalRecorder } from '../../../../main/http/refusal/refusal-recorder.ts'
import { createWatchedServer } from '../../../../main/http/refusal/unread-requests.ts'
import type { RefusedRequest } from '../../../../main/store/refused/refused-request.ts'

test('a head that comes too slowly has a row, a connection that a browser opened for later has none', async () => {
  const rows: RefusedRequest[] = []
  const refusals = new RefusalRecorder({
    refused: { add: (_ip, describe) => void rows.push(describe()) },
    clients: createClientAddresses(() => []),
    address: () => ({ url: 'http://127.0.0.1:4747' }),
    log: createLog('silent'),
  })
  const options = { headersTimeout: 40, requestTimeout: 40, connectionsCheckingInterval: 20 }
  const server = createWatchedServer(options, () => {}, refusals).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const closedAfter = async (sent: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    if (sent !== '') socket.write(sent)
    await once(socket.resume(), 'close')
  }
  await closedAfter('')
  expect(rows).toEqual([])
  await closedAfter('POST /v1/messages HTTP/1.1\r\nHost:')
  expect(rows).toMatchObject([{ code: 'request_timeout', status: 408 }])
})
