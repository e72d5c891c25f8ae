import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Reply, startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { chat, KEYS, reasonOf, withVendor } from '../channels/vendor-by-key.ts'
import { startManagement } from '../management.ts'

test('a key that was replaced while its call was under way is in no row, though its vendor quotes it', async () => {
  const key = 'sk-replaced-4Kq2vYh19Zw03bXc7'
  let answer: (reply: Reply) => void = () => {}
  let asked: () => void = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const upstream = await startUpstream(() => {
    asked()
    return new Promise<Reply>((resolve) => {
      answer = resolve
    })
  })
  onTestFinished(() => upstream.close())
  const management = await startManagement()
  const { channels, ledger } = management.gateway.parts
  const fields = { type: 1, name: 'Vendor', baseUrl: upstream.url, models: ['gpt-a'] }
  const { id } = channels.create({ ...fields, key })
  const called = chat(management)
  await isAsked
  channels.update(id, { key: KEYS[1] })
  answer({ status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } })
  expect(await called).toBe(502)
  const [row] = ledger.list({}, { page: 1, pageSize: 1 }).items
  expect(row?.content).toContain('Incorrect API key provided: ***')
  expect(JSON.stringify(row)).not.toContain(key)
})

/** A sentence that is cut, wherever that is, in the middle of a secret. */
const longSentence = (secret: string): string =>
  `Not with these: ${Array(100).fill(secret).join(' ')}`

test('a long sentence in which a vendor quotes a header leaves no part of it in why a channel was disabled', async () => {
  const secret = 'Distinctive-header-4Rfv5Tgb6YhnDistinctive'
  const error = { message: longSentence(secret), code: 'insufficient_quota' }
  const management = await withVendor({ [KEYS[0]]: { status: 200, body: { error } } })
  const id = management.add({ headerOverride: { 'X-Extra-Key': secret } })
  management.add({ key: KEYS[1], priority: -1 })
  expect(await chat(management)).toBe(200)
  expect(reasonOf(management, id)).toContain('Not with these: ***')
  expect(reasonOf(management, id)).not.toContain('Dist')
})

test('nor in what the console is told where the vendor is asked for its models', async () => {
  const upstream = await startUpstream(() => ({
    status: 401,
    body: { error: { message: longSentence(KEYS[0]) } },
  }))
  onTestFinished(() => upstream.close())
  const management = await startManagement()
  const fields = { type: 1, name: 'Vendor', baseUrl: upstream.url, models: ['gpt-a'] }
  const { id } = management.gateway.parts.channels.create({ ...fields, key: KEYS[0] })
  const { body } = await management.owner.get(`/api/channel/fetch_models/${id}`)
  expect(body.message).toContain('Not with these: ***')
  expect(body.message).not.toContain('sk-f')
})

test('nor in what is told of a proxy that quotes how it was logged in to', async () => {
  const login = Buffer.from('ada:Distinctive-4Rfv5Tgb').toString('base64')
  const proxy = createServer((socket) => {
    socket.on('error', () => {})
    const words = Array(10).fill(`no ${login}`).join(' ')
    socket.once('data', () => socket.end(`HTTP/1.1 403 ${words}\r\n\r\n`))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  const management = await withVendor()
  management.add({
    baseUrl: 'http://vendor.test',
    setting: { proxy: `http://ada:Distinctive-4Rfv5Tgb@127.0.0.1:${port}` },
  })
  expect(await chat(management)).toBe(502)
  const [row] = management.gateway.parts.ledger.list({}, { page: 1, pageSize: 1 }).items
  expect(row?.content).toContain('status 403')
  expect(row?.other).toContain('status 403 no ***')
  expect(`${row?.content} ${row?.other}`).not.toContain(login.slice(0, 6))
})
