import { existsSync } from 'node:fs'
import { Agent, get, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CallRow } from '../../../main/store/ledger/ledger.ts'
import { openLedger } from '../../../main/store/ledger/open-ledger.ts'
import { callModel, type ModelCall } from '../../support/clients/model-call.ts'
import { type GatewayProcess, runGateway } from '../../support/gateway/gateway-process.ts'
import { setUpOwner } from '../../support/gateway/owner-client.ts'
import {
  type Handler,
  type ScriptedUpstream,
  startUpstream,
} from '../../support/upstreams/scripted-upstream.ts'
import { tellableReply, vendorReply } from '../../support/upstreams/vendor-replies.ts'

const formats = ['chat', 'messages', 'generate-content'] as const
const channelTypes = { chat: 1, messages: 14, 'generate-content': 24 }
/** Milliseconds that stopping may take in all, also on a slow machine: what hangs would hang for ever. */
const LIMIT = 20_000
/** With these a gateway that waits in vain takes longer than that. */
const patient = { SWITCHYARD_DRAIN_SECONDS: '60' }

/** Above what the kernel keeps for a connection. */
const LONG = 'long '.repeat(6_000_000)

interface Ready {
  gateway: GatewayProcess
  key: string
  upstream: ScriptedUpstream
}

async function readyGateway(
  handler: Handler = vendorReply,
  env: Record<string, string> = {},
): Promise<Ready> {
  const upstream = await startUpstream(handler)
  onTestFinished(() => upstream.close())
  const gateway = await runGateway({ env })
  const owner = await setUpOwner(gateway.url)
  for (const format of formats) {
    await owner.addChannel({
      type: channelTypes[format],
      base_url: upstream.url,
      models: `${format}-model`,
    })
  }
  return { gateway, key: await owner.addToken(), upstream }
}

/** A call over a bare connection, which is read only as far as the test reads it. */
function rawCall(gatewayUrl: string, key: string, content: string, stream: boolean): Socket {
  const messages = [{ role: 'user', content }]
  const body = JSON.stringify({ model: 'chat-model', messages, stream })
  const { hostname, port } = new URL(gatewayUrl)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(
    [
      'POST /v1/chat/completions HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  )
  return socket
}

const hasBegun = async (calls: readonly ModelCall[]): Promise<void> => {
  while (calls.some((call) => call.text === '')) await sleep(10)
}

/** The rows that a gateway which has ended left behind. */
async function rowsIn(dataFolder: string): Promise<CallRow[]> {
  const ledger = await openLedger(join(dataFolder, 'ledger.db'))
  const { items } = ledger.list({}, { page: 1, pageSize: 1000 })
  ledger.close()
  return items
}

/** A call over a connection of `agent`; the status, or the code of the connection's failure. */
function callOver(agent: Agent, url: string, key: string, text: string): Promise<number | string> {
  return new Promise((resolve) => {
    const request = httpRequest(
      `${url}/v1/chat/completions`,
      {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      },
      (answer) => answer.resume().on('close', () => resolve(answer.statusCode ?? 0)),
    )
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    const messages = [{ role: 'user', content: text }]
    request.end(JSON.stringify({ model: 'chat-model', messages }))
  })
}

/** How each format says in a stream that the gateway stops. */
const lastWords: Record<(typeof formats)[number], RegExp> = {
  chat: /data: \{"error":\{"message":"[^"]*stopping[^"]*"[^\n]*\n\n/,
  messages:
    /event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"[^\n]*stopping[^\n]*\n\n$/,
  // Then once more as Google writes it.
  'generate-content': /data: (\{"error":\{"code":503,"message":"[^"]*stopping[^\n]*)\n\n\1$/,
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('lets calls end that can, ends the others honestly, and books each once', async () => {
    const { reply, tell } = tellableReply()
    const { gateway, key, upstream } = await readyGateway(reply, { SWITCHYARD_DRAIN_SECONDS: '6' })
    const { url, dataFolder } = gateway
    const call = (options: Parameters<typeof callModel>[2]) => callModel(url, key, options)
    const soon = formats.map((format) => call({ format, stream: true, text: 'when told' }))
    const never = formats.flatMap((format) =>
      Array.from({ length: 10 }, () => call({ format, stream: true, text: 'hang' })),
    )
    const wholeSoon = formats.map((format) => call({ format, text: 'when told' }))
    const wholeNever = formats.map((format) => call({ format, text: 'hang' }))
    const all = [...soon, ...never, ...wholeSoon, ...wholeNever]
    await hasBegun([...soon, ...never])
    while (upstream.requests.length < all.length) await sleep(10)
    const ending = gateway.stop(signal)

    await gateway.stopping()
    expect(await callOver(new Agent(), url, key, 'hi')).toBe(503)
    tell()

    await Promise.all(all.map(({ over }) => over))
    const { code, after } = await ending
    expect(code).toBe(0)
    expect(after).toBeLessThan(LIMIT)

    for (const one of [...soon, ...wholeSoon]) {
      expect(one).toMatchObject({ status: 200, isWhole: true, failure: null })
      expect(one.text).not.toContain('error')
    }
    for (const one of never) {
      expect(one).toMatchObject({ status: 200, failure: null })
      expect(one.text).toContain('word')
      expect(one.text).toMatch(lastWords[one.format])
    }
    for (const one of wholeNever) {
      expect(one.status).toBe(503)
      expect(JSON.parse(one.text).error.message).toContain('stopping')
    }

    const rows = await rowsIn(dataFolder)
    expect(rows.map(({ requestId }) => requestId).sort()).toEqual(all.map(({ id }) => id).sort())
    const rowOf = (one: ModelCall) => rows.find(({ requestId }) => requestId === one.id)
    for (const one of [...soon, ...wholeSoon]) {
      expect(rowOf(one)).toMatchObject({ type: 2, status: 200, completionTokens: 20, content: '' })
    }
    for (const one of [...never, ...wholeNever]) {
      expect(rowOf(one)?.content).toContain('stopping')
    }
    for (const one of wholeNever) expect(rowOf(one)).toMatchObject({ type: 5, status: 503 })
    expect(existsSync(join(dataFolder, 'lock'))).toBe(false)
    expect(gateway.stderr()).toBe('')
  })

  test('ends at once when nothing is under way, whatever connections are open', async () => {
    const { gateway, key } = await readyGateway(vendorReply, patient)
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    expect(await callOver(agent, gateway.url, key, 'hi')).toBe(200)
    const { hostname, port } = new URL(gateway.url)
    const silent = connect(Number(port), hostname)
    silent.on('error', () => {})
    silent.write('POST /v1/messages HTTP/1.1\r\nHost: ')
    onTestFinished(() => void silent.destroy())
    await sleep(100)
    const { code, after } = await gateway.stop(signal)
    expect(code).toBe(0)
    expect(after).toBeLessThan(LIMIT)
  })
})

describe('while it stops', () => {
  test('a connection that was open before takes no new call', async () => {
    const { reply, tell } = tellableReply()
    const { gateway, key, upstream } = await readyGateway(reply)
    const { url, dataFolder } = gateway
    // The second call waits for the first one's connection.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const stream = callModel(url, key, { stream: true, text: 'hang' })
    await hasBegun([stream])
    const first = callOver(agent, url, key, 'when told')
    while (upstream.requests.length < 2) await sleep(10)
    const ending = gateway.stop()
    await gateway.stopping()
    const second = callOver(agent, url, key, 'hi')
    tell()
    expect(await first).toBe(200)
    expect(await second).toBe(503)
    expect(await ending).toMatchObject({ code: 0 })
    const rows = await rowsIn(dataFolder)
    expect(rows.filter(({ status, content }) => status === 200 && content === '')).toHaveLength(1)
  })

  test('a client that does not read holds nothing up', async () => {
    const { gateway, key } = await readyGateway()
    const socket = rawCall(gateway.url, key, '200000 after 1', true)
    await new Promise((resolve) => socket.once('readable', resolve))
    await sleep(500)
    const { code, after } = await gateway.stop()
    expect(code).toBe(0)
    expect(after).toBeLessThan(LIMIT)
    expect(await rowsIn(gateway.dataFolder)).toHaveLength(1)
  })

  test('an answer that is booked still reaches a client that reads slowly', async () => {
    const content = LONG
    const { gateway, key } = await readyGateway(() => ({
      body: { id: 'c1', object: 'chat.completion', choices: [{ message: { content } }] },
    }))
    const socket = rawCall(gateway.url, key, 'hi', false)
    await new Promise((resolve) => socket.once('readable', resolve))
    const ending = gateway.stop()
    await sleep(400)
    let size = 0
    for await (const chunk of socket) size += (chunk as Buffer).length
    expect(size).toBeGreaterThan(LONG.length)
    expect(await ending).toMatchObject({ code: 0 })
    expect(await rowsIn(gateway.dataFolder)).toMatchObject([{ status: 200, content: '' }])
  })

  test('an upload that never ends holds nothing up', async () => {
    const { gateway, key } = await readyGateway()
    const request = httpRequest(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    request.on('error', () => {})
    request.write('{"model": "chat-model", "messages": [')
    await sleep(200)
    const { code, after } = await gateway.stop()
    expect(code).toBe(0)
    expect(after).toBeLessThan(LIMIT)
    request.destroy()
  })

  test('an open console holds nothing up', async () => {
    const gateway = await runGateway({ env: patient })
    const setup = await fetch(`${gateway.url}/api/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        username: 'owner',
        password: 'correct horse',
        confirmPassword: 'correct horse',
      }),
    })
    const cookie = setup.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const status = await new Promise((resolve) => {
      get(`${gateway.url}/api/events`, { headers: { cookie } }, (answer) => {
        answer.on('error', () => {}).resume()
        resolve(answer.statusCode)
      })
    })
    expect(status).toBe(200)
    const { code, after } = await gateway.stop()
    expect(code).toBe(0)
    expect(after).toBeLessThan(LIMIT)
  })

  test('a second signal ends it without waiting', async () => {
    const { gateway, key } = await readyGateway(vendorReply, patient)
    const stream = callModel(gateway.url, key, { stream: true, text: 'hang' })
    await hasBegun([stream])
    void gateway.stop('SIGINT')
    await gateway.stopping()
    // One that comes within a tenth of a second is the same one.
    await sleep(200)
    const { code, after } = await gateway.stop('SIGINT')
    expect(code).toBe(130)
    expect(after).toBeLessThan(LIMIT)
  })
})
