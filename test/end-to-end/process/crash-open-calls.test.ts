import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteDriver } from '../../../main/store/ledger/sqlite-driver.ts'
import { callModel, type ModelCall } from '../../support/clients/model-call.ts'
import { connectSocket } from '../../support/clients/socket-client.ts'
import { runGateway } from '../../support/gateway/gateway-process.ts'
import { type OwnerClient, setUpOwner, signInOwner } from '../../support/gateway/owner-client.ts'
import { startUpstream } from '../../support/upstreams/scripted-upstream.ts'
import { startSocketUpstream } from '../../support/upstreams/socket-upstream.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

interface Row {
  request_id: string
  type: number
  content: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  model_name: string
  channel: number
  token_name: string
  status: number
  other: string
}

const rowsOf = async (owner: OwnerClient): Promise<Row[]> =>
  (await owner.ask<{ items: Row[] }>('GET', '/api/log/?page_size=100')).items

const usedOf = async (owner: OwnerClient): Promise<number> => {
  const { items } = await owner.ask<{ items: { used_quota: number }[] }>('GET', '/api/token/')
  return items.reduce((sum, { used_quota }) => sum + used_quota, 0)
}

const hasBegun = async (calls: readonly ModelCall[]): Promise<void> => {
  while (calls.some((call) => call.text === '')) await sleep(10)
}

/** Waits until the file of a gateway that runs has so many calls under way. */
async function keptCalls(dataFolder: string, count: number): Promise<void> {
  const file = new (sqliteDriver().Database)(join(dataFolder, 'ledger.db'))
  onTestFinished(() => file.close())
  while (file.prepare('SELECT 1 FROM open_calls').all().length < count) await sleep(50)
}

test('what was under way when the process was killed has one row each, and holds nothing back', {
  timeout: 90_000,
}, async () => {
  const upstream = await startUpstream(vendorReply)
  onTestFinished(() => upstream.close())
  const sockets = await startSocketUpstream()
  onTestFinished(() => sockets.close())
  const first = await runGateway()
  const { url, dataFolder } = first
  const owner = await setUpOwner(url)
  const messages = await owner.addChannel({
    ...{ type: 14, base_url: upstream.url, models: 'messages-model' },
  })
  const chat = await owner.addChannel({ base_url: upstream.url, models: 'chat-model' })
  const realtime = await owner.addChannel({
    base_url: sockets.url,
    models: 'talk',
    settings: '{"endpoint_types":["realtime"]}',
  })
  const ratios = { 'messages-model': 1, 'chat-model': 1, talk: 1 }
  await owner.ask('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify(ratios) })
  const fields = { name: 'limited', unlimited_quota: false, remain_quota: 5_000_000 }
  const { key } = await owner.ask<{ key: string }>('POST', '/api/token/', fields)

  const done = callModel(url, key, { stream: true })
  await done.over
  const cut = [
    callModel(url, key, { format: 'messages', stream: true, text: 'hang' }),
    callModel(url, key, { stream: true, text: 'hang' }),
  ]
  const whole = callModel(url, key, { text: 'hang' })
  const headers = { authorization: `Bearer ${key}` }
  const client = await connectSocket(url, '/v1/realtime?model=talk', { headers })
  client.raw.on('error', () => {})
  const session = await sockets.session(1)
  const usage = { input_tokens: 30, output_tokens: 40, total_tokens: 70 }
  session.socket.send(JSON.stringify({ type: 'response.done', response: { id: 'r', usage } }))
  await client.event('response.done')
  await hasBegun(cut)
  // Calls are kept once they are a second old, looked at every second.
  await keptCalls(dataFolder, 4)
  await sleep(1500)
  const short = callModel(url, key, {})
  await short.over
  expect(await rowsOf(owner)).toHaveLength(2)
  expect(await first.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
  await Promise.all([...cut, whole].map(({ over }) => over))

  const next = await runGateway({ dataFolder })
  const again = await signInOwner(next.url)
  const rows = await rowsOf(again)
  expect(rows).toHaveLength(6)
  expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(6)
  const left = rows.filter(({ type }) => type === 5)
  expect(left).toHaveLength(4)
  for (const row of left) {
    expect(row.content).toBe('The gateway ended in the middle of this call.')
    expect(JSON.parse(row.other)).toMatchObject({ error_code: 'gateway_ended' })
    expect(row.token_name).toBe('limited')
  }
  const rowOf = (id: string) => left.find(({ request_id }) => request_id === id)
  const [ofMessages, ofChat] = cut.map(({ id }) => rowOf(id))
  // This vendor tells at the beginning what it has read.
  expect(ofMessages).toMatchObject({ channel: messages, prompt_tokens: 10, status: 200 })
  expect(ofMessages?.quota).toBeGreaterThan(0)
  expect(JSON.parse(ofMessages?.other ?? '{}')).toMatchObject({ estimated: true })
  expect(ofChat).toMatchObject({ channel: chat, prompt_tokens: 0, quota: 0 })
  expect(JSON.parse(ofChat?.other ?? '{}')).toMatchObject({ usage_unknown: true })
  const ofSession = left.find(({ model_name }) => model_name === 'talk')
  expect(ofSession).toMatchObject({
    ...{ channel: realtime, prompt_tokens: 30, completion_tokens: 40, status: 101 },
  })
  expect(left.find(({ status }) => status === 0)).toMatchObject({ channel: chat, quota: 0 })
  expect(await usedOf(again)).toBe(rows.reduce((sum, { quota }) => sum + quota, 0))
  const { items } = await again.ask<{ items: { remain_quota: number }[] }>('GET', '/api/token/')
  expect(items[0]?.remain_quota).toBe(5_000_000 - (await usedOf(again)))

  // A stop and a start later nothing has become more.
  await next.stop()
  const third = await runGateway({ dataFolder })
  expect(await rowsOf(await signInOwner(third.url))).toHaveLength(6)
})
