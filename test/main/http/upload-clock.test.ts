import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { GatewayError } from '../../../main/base/errors.ts'
import { watchUpload } from '../../../main/http/model/upload-clock.ts'

const SILENCE = 600

/** Sends the head and a piece of a body; gives what the server makes of it. */
async function stall(
  onRequest: (request: IncomingMessage, refuse: () => void) => void,
  length = 20,
) {
  // As the gateway keeps connections: by default Node closes one 5 seconds after its answer.
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) =>
    onRequest(request, () => response.writeHead(408).end()),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.write(`POST / HTTP/1.1\r\nhost: test\r\ncontent-length: ${length}\r\n\r\n12345`)
  return client
}

test('a client that stalls in its request is told so with 408, and its connection is closed', async () => {
  let told: GatewayError | null = null
  const client = await stall((request, refuse) => {
    request.resume()
    watchUpload(
      request,
      (error) => {
        told = error
        refuse()
      },
      { silence: SILENCE },
    )
  })
  const [answer] = await once(client, 'data')
  expect(String(answer)).toContain('408')
  expect(told).toMatchObject({ code: 'request_timeout', status: 408 })
  client.resume()
  await once(client, 'close')
})

test('a client that sends slowly, or waits for us to read, is left alone', async () => {
  let errors = 0
  const ended = new Promise<void>((resolve) => {
    void stall((request) => {
      request.on('data', () => {})
      watchUpload(request, () => errors++, { silence: SILENCE })
      request.pause()
      setTimeout(() => request.resume(), 3 * SILENCE)
      request.on('end', resolve)
    }).then(async (client) => {
      await sleep(3 * SILENCE)
      for (let sent = 5; sent < 20; sent += 5) {
        await sleep(SILENCE / 2)
        client.write('12345')
      }
    })
  })
  await ended
  expect(errors).toBe(0)
})

test('a body that drips on and on is ended, however steadily it drips, and so is its connection', async () => {
  let closed: Promise<unknown> | undefined
  const told = new Promise<GatewayError>((resolve) => {
    void stall((request, refuse) => {
      request.resume()
      const end = (error: GatewayError) => {
        refuse()
        resolve(error)
      }
      watchUpload(request, end, { silence: SILENCE, longest: SILENCE })
    }, 1e6).then((client) => {
      const dripping = setInterval(() => client.write('1'), SILENCE / 6)
      closed = once(client, 'close')
      client.on('close', () => clearInterval(dripping)).resume()
    })
  })
  expect(await told).toMatchObject({
    code: 'request_timeout',
    message: expect.stringContaining('took longer than 0.6 seconds'),
  })
  await closed
})

test('a body that takes too long in all is ended where we don’t read on, too', async () => {
  const told = new Promise<GatewayError>((resolve) => {
    void stall((request) => {
      request.on('data', () => {})
      watchUpload(request, resolve, { longest: SILENCE })
      request.pause()
    })
  })
  expect(await told).toMatchObject({ code: 'request_timeout' })
})
