import { expect, onTestFinished, test } from 'vitest'
import { type Reply, startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { vendorReply } from '../../../support/upstreams/vendor-replies.ts'
import { startManagement } from '../management.ts'

const MODEL = 'both'
const overloaded: Reply = { status: 503, body: { error: { message: 'overloaded' } } }

test('each attempt shows what its own conversion lost', async () => {
  const { gateway, owner } = await startManagement()
  const { parts } = gateway
  const channels = [
    { type: 1, name: 'chat', priority: 9, settings: { endpoint_types: ['openai'] } },
    { type: 14, name: 'messages', priority: 1 },
  ]
  for (const channel of channels) {
    const upstream = await startUpstream(channel.type === 1 ? () => overloaded : vendorReply)
    onTestFinished(() => upstream.close())
    parts.channels.create({
      ...{ key: 'k', baseUrl: upstream.url, models: [MODEL], groups: ['default'], ...channel },
    })
  }
  const token = parts.tokens.create({ userId: 1, name: 'laptop', unlimitedQuota: true })
  const body = { model: MODEL, max_tokens: 5, top_k: 7 }
  const answer = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': `sk-${token.key}`, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ ...body, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(answer.status, await answer.text()).toBe(200)
  const id = answer.headers.get('x-oneapi-request-id')
  const lossesOf = async (exchange: number): Promise<string[]> => {
    const reply = await owner.get(`/api/captures/${id}/diff?side=request&exchange=${exchange}`)
    return reply.body.data.losses.map(({ path }: { path: string }) => path)
  }
  expect(await lossesOf(0)).toContain('top_k')
  expect(await lossesOf(1)).toEqual([])
})
