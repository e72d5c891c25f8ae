import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startPair } from '../../../support/gateway/pair.ts'

test('an upstream that takes a long body slowly is not silent', async () => {
  const pair = await startPair({ empty: true })
  onTestFinished(() => pair.close())
  pair.gateway.set({ UpstreamIdleSeconds: 2, RetryTimes: 0 })
  let length: string | undefined
  const server = createServer(async (incoming, outgoing) => {
    length = incoming.headers['content-length']
    let size = 0
    let next = 0
    for await (const chunk of incoming) {
      size += chunk.length
      if (size < next) continue
      next += 800_000
      await sleep(80)
    }
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify({ choices: [], size }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  pair.gateway.addChannel({ baseUrl: `http://127.0.0.1:${port}`, models: ['vision'] })
  const content = 'x'.repeat(40_000_000)
  const body = JSON.stringify({ model: 'vision', messages: [{ role: 'user', content }] })
  const answer = await pair.send('/v1/chat/completions', { body })
  expect(answer.json()).toMatchObject({ size: body.length })
  expect(length).toBe(String(body.length))
})
