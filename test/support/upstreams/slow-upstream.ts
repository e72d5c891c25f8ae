import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  const page = await desktop.page()
  const { key, url } = await page.evaluate(async (base_url) => {
    const ask = async (name: string, input: unknown) => {
      const answer = await window.switchyard?.call(name, input)
      if (!answer?.ok) throw new Error(answer?.error.message)
      return answer.data as { key: string; url: string }
    }
    await ask('setup.run', {})
    await ask('channel.create', {
      mode: 'single',
      channel: { type: 1, name: 'Slow', key: 'k', base_url, models: 'slow', group: 'default' },
    })
    const token = await ask('token.create', { name: 'mine', unlimited_quota: true })
    return { key: token.key, url: (await ask('server.get', {})).url }
  }, `http://127.0.0.1:${port}`)

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
