import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Attack } from './fault.ts'
import { Fault } from './fault.ts'
import { judge } from './judge.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { type Random, randomOf, seedOf } from './random.ts'
import type { Stage } from './stage.ts'

const NAMES = [
  'Authorization',
  'x-api-key',
  'x-goog-api-key',
  'Content-Type',
  'Content-Encoding',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'Upgrade',
  'Connection',
  'Sec-WebSocket-Key',
  'Sec-WebSocket-Protocol',
  'Sec-WebSocket-Version',
  'Origin',
  'Sec-Fetch-Site',
  'Cookie',
  'New-Api-User',
  'anthropic-version',
  'anthropic-beta',
  'session-id',
  'Host',
  'Accept',
  'Range',
  'If-None-Match',
  'X-Forwarded-For',
]
const VALUES = [
  '',
  'null',
  'gzip',
  'gzip, br',
  'gzip, gzip, gzip',
  'zstd',
  'application/json',
  'application/json; charset=utf-7',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  'text/event-stream',
  'chunked',
  '100-continue',
  'websocket',
  'Upgrade, keep-alive',
  'Bearer ',
  'Bearer sk-',
  'Basic YTpi',
  'session=s%3Aabc.def',
  'session=%zz',
  '-1',
  '0',
  '18446744073709551616',
  'http://evil.example',
  'a'.repeat(9000),
  '\u00e9\u00ff',
  'realtime, openai-insecure-api-key.sk-x',
]
const PATHS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/responses',
  '/v1beta/models/echo:generateContent',
  '/v1beta/models/%ZZ:generateContent',
  '/v1/realtime?model=echo',
  '/v1/models?limit=-1',
  '/v1/audio/transcriptions',
  '/v1/embeddings?key=%00',
  '/api/status',
  '/api/user/self',
  '/api/log/?p=1e9&page_size=-5',
  '/console/../../etc/passwd',
  '/console/%2e%2e/%2e%2e/package.json',
  '/%',
  '//v1//models',
  '*',
]
const METHODS = [
  'POST',
  'POST',
  'POST',
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'TRACE',
]

/** The bytes of a request, which need not be one. */
function requestBytes(port: number, key: string, random: Random): Buffer {
  const body = Buffer.from('{"model":"echo","messages":[{"role":"user","content":"hi"}]}')
  const sent = random.chance(0.2) ? gzipSync(body) : body
  const lines = [
    `${random.pick(METHODS)} ${random.pick(PATHS)} HTTP/1.1`,
    ...(random.chance(0.9) ? [`Host: 127.0.0.1:${port}`] : []),
    ...(random.chance(0.7) ? [`Authorization: Bearer ${key}`] : []),
    ...(random.chance(0.7) ? ['Content-Type: application/json'] : []),
    ...(random.chance(0.7) ? [`Content-Length: ${sent.length}`] : []),
    'Connection: close',
  ]
  for (let left = random.integer(5); left > 0; left--)
    lines.push(`${random.pick(NAMES)}: ${random.pick(VALUES)}`)
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), sent])
  return random.chance(0.2) ? mutateBytes(bytes, random) : bytes
}

/** All that the gateway says to these bytes until it closes; the client says no more after a moment. */
function say(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Fault('the connection was still open after 30 s'))
    }, 30_000)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // The gateway waits for an announced body that never comes: the head of an answer is enough here.
      if (chunk.includes('\r\n\r\n')) setTimeout(() => socket.end(), 20)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks))
    })
    socket.write(bytes)
    setTimeout(() => socket.end(), 300)
  })
}

/** Heads of requests: names, values, lengths, codings and upgrades that do not fit together, and broken bytes. */
export const attackHeaders = (stage: Stage, run: number): Attack => ({
  name: 'headers',
  share: 0.15,
  async run(index) {
    const random = randomOf(seedOf(run, 'headers', index))
    const { port } = stage.gateway
    const said = await say(port, requestBytes(port, stage.key, random))
    const head = said.indexOf('\r\n\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(said.toString('latin1', 0, 20))?.[1] ?? 0)
    // Node itself refuses bytes that are no HTTP at all, with an empty body.
    if (status === 0 || head < 0) return
    const body = said.subarray(head + 4)
    judge({ status, headers: {}, body, isWhole: false })
  },
})
