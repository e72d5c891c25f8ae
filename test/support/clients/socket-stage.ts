import { onTestFinished } from 'vitest'
import { startTestGateway } from '../gateway/start-test-gateway.ts'
import { startSocketUpstream } from '../upstreams/socket-upstream.ts'
import { connectSocket } from './socket-client.ts'

/** A gateway and an upstream for WebSockets of Responses, both closed when the test is over. */
export async function startSocketStage() {
  const [gateway, upstream] = await Promise.all([startTestGateway(), startSocketUpstream()])
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  /** A client with this key, and how it asks for a response. */
  async function connect(key = gateway.key) {
    const headers = { authorization: `Bearer ${key}` }
    const client = await connectSocket(gateway.url, '/v1/responses', { headers })
    const say = (more: object = {}) =>
      client.say({ type: 'response.create', model: 'gpt', input: 'hi', ...more })
    return { client, say }
  }
  return { gateway, upstream, connect }
}
