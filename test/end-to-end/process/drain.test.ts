import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { callModel, type ModelCall } from '../../support/clients/model-call.ts'
import { type GatewayProcess, runGateway } from '../../support/gateway/gateway-process.ts'
import { setUpOwner } from '../../support/gateway/owner-client.ts'
import {
  type Handler,
  type ScriptedUpstream,
  startUpstream,
} from '../../support/upstreams/scripted-upstream.ts'
import { tellableReply, vendorReply } from '../../support/upstreams/vendor-replies.ts'

interface Ready {
  gateway: GatewayProcess
  key: string
  upstream: ScriptedUpstream
}

async function readyGateway(
  flags: readonly string[],
  env = {},
  handler: Handler = vendorReply,
): Promise<Ready> {
  const upstream = await startUpstream(handler)
  onTestFinished(() => upstream.close())
  const gateway = await runGateway({ env, moreFlags: flags })
  const owner = await setUpOwner(gateway.url)
  for (const [type, format] of [
    [1, 'chat'],
    [14, 'messages'],
    [24, 'generate-content'],
  ]) {
    await owner.addChannel({ type, base_url: upstream.url, models: `${format}-model` })
  }
  return { gateway, key: await owner.addToken(), upstream }
}

const hasBegun = async (call: ModelCall): Promise<void> => {
  while (call.text === '') await sleep(10)
}

const ask = async (url: string, init: RequestInit = {}) => {
  const answer = await fetch(url, init)
  const { headers } = answer
  return {
    status: answer.status,
    retryAfter: headers.get('retry-after'),
    connection: headers.get('connection'),
    body: (await answer.json()) as Record<string, unknown>,
  }
}

/** The first line of the answer to a WebSocket upgrade. */
function upgrade(url: string, key: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => resolve('no connection'))
    socket.once('data', (bytes) => {
      resolve(String(bytes).split('\r\n')[0] ?? '')
      socket.destroy()
    })
    socket.write(
      [
        'GET /v1/realtime?model=chat-model HTTP/1.1',
        `Host: ${hostname}:${port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        `Authorization: Bearer ${key}`,
        '\r\n',
      ].join('\r\n'),
    )
  })
}

test('while calls end, everything new is told in its own format to come again', {
  timeout: 90_000,
}, async () => {
  const { reply, tell } = tellableReply()
  const { gateway, key } = await readyGateway(['--drain', '60'], {}, reply)
  const { url } = gateway
  const running = callModel(url, key, { stream: true, text: 'when told' })
  await hasBegun(running)
  const ending = gateway.stop()
  await gateway.stopping()

  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    ask(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const messages = [{ role: 'user', content: 'hi' }]
  const refused = { status: 503, retryAfter: '5', connection: 'close' }
  const message = expect.stringContaining('stopping')
  expect(await post('/v1/chat/completions', { model: 'chat-model', messages })).toEqual({
    ...refused,
    body: { error: expect.objectContaining({ code: 'shutting_down', message }) },
  })
  expect(await post('/v1/messages', { model: 'messages-model', messages })).toMatchObject({
    ...refused,
    body: { type: 'error', error: { type: 'overloaded_error', message } },
  })
  expect(
    await post('/v1beta/models/generate-content-model:generateContent', { contents: [] }),
  ).toMatchObject({ ...refused, body: { error: { status: 'UNAVAILABLE', message } } })
  for (const path of ['/api/status', '/api/status/test', '/api/channel/']) {
    expect(await ask(url + path)).toMatchObject({
      ...refused,
      body: { success: false, code: 'shutting_down', message },
    })
  }
  expect(await upgrade(url, key)).toMatch(/^HTTP\/1\.1 503 /)

  tell()
  await running.over
  expect(running).toMatchObject({ status: 200, isWhole: true, failure: null })
  expect(running.text).not.toContain('error')
  expect(await ending).toMatchObject({ code: 0 })
  await expect(fetch(`${url}/api/status`)).rejects.toThrow()
})

test.each([
  ['in JSON', 'application/json', '{"model": "chat-model", "messages": ['],
  ['in a form', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="'],
])(
  'a call that is still being sent %s is told to come again',
  {
    timeout: 90_000,
  },
  async (_how, type, begin) => {
    const { gateway, key } = await readyGateway([])
    const path = type.startsWith('multi') ? '/v1/audio/transcriptions' : '/v1/chat/completions'
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': type,
      expect: '100-continue',
    }
    const request = httpRequest(gateway.url + path, { method: 'POST', headers })
    const answered = new Promise((resolve, reject) => {
      request.on('error', reject)
      request.on('response', ({ statusCode, headers }) =>
        resolve([statusCode, headers['retry-after'], headers.connection]),
      )
    })
    // The gateway has the head when it says so.
    const goesOn = once(request, 'continue')
    request.flushHeaders()
    await goesOn
    request.write(begin)
    const ending = gateway.stop()
    expect(await answered).toEqual([503, '5', 'close'])
    expect(await ending).toMatchObject({ code: 0 })
  },
)

test('the time that calls have can be set, and a second SIGTERM ends it early but honestly', {
  timeout: 90_000,
}, async () => {
  const { gateway, key } = await readyGateway([], { SWITCHYARD_DRAIN_SECONDS: '600' })
  const hanging = callModel(gateway.url, key, { stream: true, text: 'hang' })
  await hasBegun(hanging)
  void gateway.stop('SIGTERM')
  // The same signal twice at once, from a process group and a script above it, counts once.
  await sleep(100)
  void gateway.stop('SIGTERM')
  await sleep(6000)
  expect(hanging.isWhole).toBe(false)
  const { code, after } = await gateway.stop('SIGTERM')
  expect(code).toBe(0)
  expect(after).toBeLessThan(20_000)
  await hanging.over
  expect(hanging.failure).toBeNull()
  expect(hanging.text).toMatch(/data: \{"error":\{"message":"[^"]*stopping/)
})

test.each([
  ['--drain', 'soon'],
  ['--drain', '3601'],
])('%s %s is refused with a sentence', async (...flags) => {
  const gateway = await runGateway({ moreFlags: flags })
  expect(await gateway.exited).toMatchObject({ code: 1 })
  expect(gateway.stderr()).toMatch(/--drain: .* Give a number of seconds from 0 to 3600/)
})
