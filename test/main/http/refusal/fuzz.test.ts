import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Random, randomOf } from '../../../fuzz/random.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'

/** Milliseconds after which the client has nothing more to say. */
const PATIENCE = 150

/** Sends bytes, ends its side, and hears the connection to its end; null where that never comes. */
function exchange(port: number, bytes: Buffer): Promise<string | null> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1')
    const giveUp = setTimeout(() => {
      socket.destroy()
      resolve(null)
    }, 30_000)
    const ending = setTimeout(() => socket.end(), PATIENCE)
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      heard += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(giveUp)
      clearTimeout(ending)
      resolve(heard)
    })
    socket.write(bytes)
  })
}

const statusesIn = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'PROPFIND', 'BREW', 'get']
const PATHS = [
  ...['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/realtime?model=m'],
  ...['/v1/v1/messages', '/chat/completions', '/v1beta/models/m:generateContent', '/v1/%zz'],
  ...['/v1/models', '/v1/', '//v1/messages', '/api/nothing', '/nothing', '/%', '/v1/audio/speech'],
]
const BODIES = ['', '{', '{}', '[]', 'null', '{"model":1}', '{"model":"m"', '\0\xff', 'model=m']
const HEADERS = [
  ...['Expect: cake', 'Expect: 100-continue', 'Content-Encoding: snappy', 'Content-Encoding: gzip'],
  ...['Content-Type: multipart/form-data; boundary=b', 'Content-Type: text/plain', 'Accept: */*'],
  ...['Origin: https://evil.example', 'Upgrade: websocket', 'Connection: Upgrade', 'X-Api-Key: x'],
  ...['Host : x', 'no header', 'User-Agent: fuzz', 'Sec-WebSocket-Version: 13', 'Cookie: a=b'],
  ...['Transfer-Encoding: gzip', 'Content-Length: -1', 'Sec-Fetch-Site: cross-site'],
]

/** A request that cannot become a call: each has at least one thing wrong. */
function badRequest(random: Random, { port, key }: Pick<TestGateway, 'port' | 'key'>): Buffer {
  const kind = random.integer(10)
  if (kind === 0) {
    // Blank lines before a request are passed over, and these are nobody's request.
    const bytes = Array.from({ length: 1 + random.integer(200) }, () => 33 + random.integer(222))
    return Buffer.from(bytes)
  }
  if (kind === 1) return Buffer.from('CONNECT api.openai.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  const hasToken = random.chance(0.5)
  // With a token a call of a known path would be relayed, were its body right, and a list served.
  const body = random.pick(BODIES)
  const path = random.pick(hasToken ? PATHS.filter((one) => !one.includes('models')) : PATHS)
  const method = path.includes('realtime') ? 'GET' : random.pick(METHODS)
  const lines = [`${method} ${path} HTTP/1.1`]
  const name = random.chance(0.8) ? `127.0.0.1:${port}` : 'evil.example'
  if (random.chance(0.9)) lines.push(`Host: ${name}`)
  if (hasToken) lines.push(`Authorization: Bearer ${key}`)
  for (let count = random.integer(4); count > 0; count--) lines.push(random.pick(HEADERS))
  const length = Buffer.byteLength(body, 'latin1')
  const isChunked = kind === 2
  if (isChunked) lines.push('Transfer-Encoding: chunked')
  else if (kind === 3) lines.push(`Content-Length: ${length + 5}`)
  else if (length > 0 || method === 'POST') lines.push(`Content-Length: ${length}`)
  const whole = `${lines.join('\r\n')}\r\n\r\n${isChunked ? 'zz\r\n' : body}`
  const cut = kind === 4 ? 1 + random.integer(whole.length) : whole.length
  return Buffer.from(whole.slice(0, cut), 'latin1')
}

test('500 requests that are wrong: each is answered or closed, and each is counted', async () => {
  const gateway = await startTestGateway()
  onTestFinished(() => gateway.close())
  const random = randomOf(19)
  let refused = 0
  const counted = (): number =>
    gateway.parts.refused.list({ limit: 5000 }).reduce((sum, { more }) => sum + 1 + more, 0)
  for (let round = 0; round < 50; round++) {
    const sent = Array.from({ length: 10 }, () => badRequest(random, gateway))
    const answers = await Promise.all(sent.map((bytes) => exchange(gateway.port, bytes)))
    for (const [index, heard] of answers.entries()) {
      const text = sent[index]?.toString('latin1')
      expect(heard, `never closed: ${text}`).not.toBeNull()
      // Node answers a body that breaks off once more, after the refusal of its request.
      if (heard === '' || statusesIn(heard ?? '').some((status) => status >= 400)) refused++
    }
    const text = sent.map((bytes, index) => [bytes.toString('latin1'), answers[index]])
    // The first of the management API waits until that is loaded, also when its client has left by then.
    await expect.poll(counted, { message: JSON.stringify(text, null, 2) }).toBe(refused)
  }
  expect(refused).toBeGreaterThan(450)
  expect(gateway.rows()).toEqual([])
})

test('what Node answers by itself is answered to the byte as Node does', async () => {
  const gateway = await startTestGateway()
  const plain = createServer((_request, response) => response.end())
  onTestFinished(() => gateway.close())
  onTestFinished(() => void plain.close())
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = plain.address() as AddressInfo
  const host = (of: number) => `Host: 127.0.0.1:${of}`
  const requests: ((of: number) => string)[] = [
    () => 'hello\r\n\r\n',
    () => 'GET / HTTP/1.1\r\n\r\n',
    () => 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    () => 'POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n',
    () => 'POST / HTTP/1.1\r\nExpect: cake\r\nContent-Length: 1\r\n\r\nx',
    (of) => `POST / HTTP/1.1\r\n${host(of)}\r\nExpect: cake\r\nContent-Length: 1\r\n\r\nx`,
    (of) => `GET / HTTP/1.1\r\n${host(of)}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    (of) => `GET / HTTP/1.1\r\n${host(of)}\r\nBad Name: x\r\n\r\n`,
    (of) => `CONNECT a:1 HTTP/1.1\r\n${host(of)}\r\n\r\n`,
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => '\x16\x03\x01\x02\x00\x01\x00',
  ]
  const without = (heard: string | null) => heard?.replace(/Date: [^\r]*/g, 'Date: …')
  for (const request of requests) {
    const ours = await exchange(gateway.port, Buffer.from(request(gateway.port), 'latin1'))
    const nodes = await exchange(port, Buffer.from(request(port), 'latin1'))
    const timeout = (heard: string | null) => without(heard)?.replace(/timeout=\d+/, 'timeout=…')
    expect(timeout(ours), request(0)).toBe(timeout(nodes))
  }
})
