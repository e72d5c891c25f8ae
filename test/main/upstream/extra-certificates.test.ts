import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ChannelSetting } from '../../../main/store/records/channels.ts'
import { connectSocket, refusedUpgrade } from '../../support/clients/socket-client.ts'
import { type Pair, startPair } from '../../support/gateway/pair.ts'
import { makeAuthority } from '../../support/network/own-authority.ts'
import { startConnectProxy } from '../../support/network/proxy-server.ts'
import { startTlsFront, type TlsFront } from '../../support/network/tls-front.ts'
import { startSocketUpstream } from '../../support/upstreams/socket-upstream.ts'

const { ca, server } = makeAuthority()
const other = makeAuthority('Another authority')
let pair: Pair
let front: TlsFront

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.gateway.set({ RetryTimes: 0, ChannelFailureCount: 0 })
  front = await startTlsFront(pair.upstream.url, server)
})
afterAll(() => Promise.all([pair.close(), front.close()]))

let models = 0

function channel(baseUrl: string, setting: ChannelSetting = {}, fields: object = {}): string {
  const model = `model-${++models}`
  pair.gateway.addChannel({ type: 1, baseUrl, models: [model], setting, ...fields })
  return model
}

const call = (model: string, fields: object = {}) =>
  pair.send('/v1/chat/completions', { body: { model, messages: [{ role: 'user' }], ...fields } })

function trust(ExtraCaCertificates: string): void {
  pair.gateway.set({ ExtraCaCertificates })
  onTestFinished(() => pair.gateway.set({ ExtraCaCertificates: '' }))
}

const answer = { choices: [{ message: { content: 'Hello' } }] }
const kept = { connection: 'keep-alive', 'keep-alive': 'timeout=30' }

function temporaryFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-certificates-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'authority.pem')
  writeFileSync(path, text)
  return path
}

test('an upstream of an own authority answers from the call on in which it is trusted, and only so long', async () => {
  const model = channel(front.url)
  const refused = await call(model)
  expect(refused.status).toBe(502)
  expect(refused.text).toMatch(/certificate.*Settings \(ExtraCaCertificates\)/)
  expect(refused.text).not.toContain('NODE_EXTRA_CA_CERTS')

  trust(`# ours\n${other.ca}\n${ca}`)
  pair.upstream.script({ body: answer, headers: kept }, { body: answer, headers: kept })
  expect((await call(model)).json()).toMatchObject(answer)
  expect((await call(model)).json()).toMatchObject(answer)
  expect(front.connections).toBe(1)

  // Neither the connection that is kept nor its TLS session may be used any more.
  pair.gateway.set({ ExtraCaCertificates: other.ca })
  expect((await call(model)).status).toBe(502)
  expect([front.resumed, pair.upstream.requests.length]).toEqual([0, 2])
  pair.gateway.set({ ExtraCaCertificates: '' })
  expect((await call(model)).status).toBe(502)
})

test('a stream under way goes on while what is trusted changes', async () => {
  const model = channel(front.url)
  trust(ca)
  const event = (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`
  const chunks = [event('one'), event('two'), 'data: [DONE]\n\n']
  pair.upstream.script({ chunks, pause: 300 })
  const count = pair.upstream.requests.length
  const streamed = call(model, { stream: true })
  await expect.poll(() => pair.upstream.requests).toHaveLength(count + 1)
  pair.gateway.set({ ExtraCaCertificates: '' })
  expect((await streamed).text).toMatch(/one.*two.*\[DONE\]/s)
})

test('a file is named by its path, and read again when it changes', async () => {
  const path = temporaryFile(other.ca)
  const model = channel(front.url)
  trust(path)
  expect((await call(model)).status).toBe(502)
  writeFileSync(path, `${other.ca}${ca}`)
  pair.upstream.script({ body: answer })
  await expect.poll(async () => (await call(model)).status).toBe(200)
})

test('what was trusted is no longer, when a file that cannot be read takes its place', async () => {
  const model = channel(front.url)
  trust(ca)
  pair.upstream.script({ body: answer })
  expect((await call(model)).status).toBe(200)
  pair.gateway.set({ ExtraCaCertificates: '/nowhere/authority.pem' })
  expect((await call(model)).status).toBe(502)
})

test('a WebSocket is opened to an upstream of an own authority', async () => {
  const upstream = await startSocketUpstream({
    onFrame: ({ data }, { socket }) => socket.send(data, { binary: false }),
  })
  const secure = await startTlsFront(upstream.url, server)
  onTestFinished(async () => void (await Promise.all([upstream.close(), secure.close()])))
  const model = channel(secure.url, {}, { settings: { endpoint_types: ['realtime'] } })
  const path = `/v1/realtime?model=${model}`
  const headers = { authorization: `Bearer ${pair.gateway.key}` }
  expect((await refusedUpgrade(pair.gateway.url, path, headers)).text).toContain(
    'ExtraCaCertificates',
  )
  trust(ca)
  const client = await connectSocket(pair.gateway.url, path, { headers })
  client.say({ type: 'session.update' })
  expect(await client.heard(1)).toEqual([{ type: 'session.update' }])
  client.raw.close()
  await client.ended
})

test('an HTTPS proxy of an own authority carries TLS to an upstream of one', async () => {
  const proxy = await startConnectProxy({ certificate: server, leadTo: front.port })
  onTestFinished(() => proxy.close())
  const model = channel('https://vendor.test', { proxy: proxy.url })
  expect((await call(model)).text).toMatch(/the proxy cannot be used: .*ExtraCaCertificates/)
  trust(ca)
  pair.upstream.script({ body: answer })
  expect((await call(model)).json()).toMatchObject(answer)
  expect(proxy.visits).toEqual([{ target: 'vendor.test:443', login: '' }])
})

const asker = fileURLToPath(new URL('../../support/network/ask-over-tls.ts', import.meta.url))

/** Results of a process of its own that asks servers of `authority`, of `other`, and of a third, unknown one. */
async function askedFrom(env: Record<string, string>): Promise<unknown> {
  const strange = makeAuthority('Nobody’s authority')
  const fronts = await Promise.all(
    [server, other.server, strange.server].map((one) => startTlsFront(pair.upstream.url, one)),
  )
  onTestFinished(async () => void (await Promise.all(fronts.map((one) => one.close()))))
  pair.upstream.script({ body: answer }, { body: answer })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', asker, ...fronts.map(({ url }) => `${url}/`)],
    { env: { PATH: process.env.PATH, ...env } },
  )
  return JSON.parse(stdout)
}

const unknownAuthority = expect.stringMatching(/^(UNABLE_TO_|SELF_SIGNED)/)

test('what is trusted is trusted besides NODE_EXTRA_CA_CERTS, not in its place', async () => {
  const env = { NODE_EXTRA_CA_CERTS: temporaryFile(other.ca), TRUST_ALSO: ca }
  expect(await askedFrom(env)).toEqual([200, 200, unknownAuthority])
})

// Node before 22.15 cannot list the system's certificates.
test.skipIf(!('getCACertificates' in tls) || process.platform !== 'linux')(
  'the system’s certificates are trusted, with and without further ones',
  async () => {
    const SSL_CERT_FILE = temporaryFile(other.ca)
    expect(await askedFrom({ SSL_CERT_FILE })).toEqual([unknownAuthority, 200, unknownAuthority])
    expect(await askedFrom({ SSL_CERT_FILE, TRUST_ALSO: ca })).toEqual([200, 200, unknownAuthority])
  },
)
