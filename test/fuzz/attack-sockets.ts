import { connect } from 'node:net'
import { readFixture } from '../support/recordings/fixtures.ts'
import type { Attack } from './fault.ts'
import { Fault } from './fault.ts'
import { judge } from './judge.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'
import { type Random, randomOf, seedOf } from './random.ts'
import type { Stage } from './stage.ts'

/** Events of realtime clients, as recorded, and events of Responses clients. */
const events: readonly unknown[] = [
  ...readFixture('openai-realtime/text-in-audio-out.jsonl')
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown),
  { type: 'response.create', response: { model: 'echo', input: 'hi' } },
  { type: 'response.create', model: 'echo', input: 'hi' },
  { type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } },
  { type: 'response.create' },
  { type: 'response.cancel' },
  { type: 'input_audio_buffer.append', audio: 'AAAA' },
  { type: 'input_audio_buffer.commit' },
]

/** A frame as a client writes it: masked, of any kind, its length told in any way. */
function frameOf(payload: Buffer, random: Random): Buffer {
  const opcode = random.chance(0.8) ? 1 : random.pick([0, 2, 3, 8, 9, 10, 11])
  const isLast = random.chance(0.9)
  const isMasked = random.chance(0.95)
  const mask = Buffer.from([1, 2, 3, 4])
  const length = random.chance(0.95) ? payload.length : random.pick([0, 5, 125, 70_000, 2 ** 31])
  const head = [(isLast ? 0x80 : 0) | (random.chance(0.03) ? 0x40 : 0) | opcode]
  const bit = isMasked ? 0x80 : 0
  let size: Buffer
  if (length < 126) size = Buffer.from([bit | length])
  else if (length < 65_536) size = Buffer.from([bit | 126, length >> 8, length & 255])
  else {
    size = Buffer.alloc(9)
    size[0] = bit | 127
    size.writeBigUInt64BE(BigInt(length), 1)
  }
  const masked = Buffer.from(payload)
  if (isMasked)
    for (let at = 0; at < masked.length; at++) masked[at] = (masked[at] ?? 0) ^ (mask[at % 4] ?? 0)
  return Buffer.concat([Buffer.from(head), size, isMasked ? mask : Buffer.alloc(0), masked])
}

function framesOf(random: Random): Buffer {
  const frames: Buffer[] = []
  for (let left = 1 + random.integer(6); left > 0; left--) {
    const event = random.chance(0.7) ? mutateJson(random.pick(events), random) : random.pick(events)
    const text = Buffer.from(JSON.stringify(event) ?? '')
    frames.push(frameOf(random.chance(0.15) ? mutateBytes(text, random) : text, random))
  }
  const all = Buffer.concat(frames)
  return random.chance(0.1) ? mutateBytes(all, random) : all
}

/** Opens a socket, says these bytes behind the handshake, and gives all that came back until it closed. */
function speak(port: number, path: string, key: string, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Fault('the socket was still open 30 s after its client had ended it'))
    }, 30_000)
    let hasSpoken = false
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (hasSpoken) return
      hasSpoken = true
      socket.write(bytes)
      setTimeout(() => socket.end(), 50)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks))
    })
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    )
  })
}

/** Frames of WebSockets: events with faults in them, frames of wrong kinds and lengths, and broken bytes. */
export const attackSockets = (stage: Stage, run: number): Attack => ({
  name: 'sockets',
  share: 0.07,
  async run(index) {
    const random = randomOf(seedOf(run, 'sockets', index))
    const path = random.chance(0.6) ? '/v1/realtime?model=echo' : '/v1/responses'
    const said = await speak(stage.gateway.port, path, stage.key, framesOf(random))
    const text = said.toString('latin1')
    if (/"code":"internal"|The gateway failed on this/.test(text)) throw new Fault(text.slice(-800))
    if (!text.startsWith('HTTP/1.1 101')) {
      const body = said.subarray(said.indexOf('\r\n\r\n') + 4)
      judge({ status: Number(text.slice(9, 12)), headers: {}, body, isWhole: true })
    }
  },
})
