import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callOperation } from '../desktop/call-operation.ts'
import type { Desktop } from '../desktop/launch-desktop.ts'

/** An upstream that answers a call when the test says so, and a desktop's channel that leads to it. */
export interface SlowUpstream {
  /** Calls as a tool does; resolves when the upstream has been asked. */
  begin(): Promise<{ answer: Promise<Response> }>
  /** Lets all calls end whole. */
  release(): void
  close(): void
}

export async function openSlowUpstream(desktop: Desktop): Promise<SlowUpstream> {
  const held: ServerResponse[] = []
  let onAsked: () => void = () => {}
  const upstream = createServer((request, response) => {
    request.resume()
    held.push(response)
    onAsked()
  })
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const { port } = upstream.address() as AddressInfo
  const base_url = `http://127.0.0.1:${port}`
  await callOperation(desktop, 'setup.run', {})
  await callOperation(desktop, 'channel.create', {
    mode: 'single',
    channel: { type: 1, name: 'Slow', key: 'k', base_url, models: 'slow', group: 'default' },
  })
  const { key } = await callOperation(desktop, 'token.create', {
    name: 'mine',
    unlimited_quota: true,
  })
  const { url } = await callOperation(desktop, 'server.get', {})

  return {
    async begin() {
      const asked = new Promise<void>((resolve) => {
        onAsked = resolve
      })
      const answer = fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'slow', messages: [{ role: 'user', content: 'hi' }] }),
      })
      // Whether it fails is for who awaits it.
      answer.catch(() => {})
      await asked
      return { answer }
    },
    release() {
      for (const response of held.splice(0)) {
        response.setHeader('content-type', 'application/json')
        response.end('{"id":"1","object":"chat.completion","choices":[],"model":"slow"}')
      }
    },
    close() {
      upstream.closeAllConnections()
      upstream.close()
    },
  }
}
