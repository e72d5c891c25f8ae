import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireFormat } from '../../../main/convert/exchange.ts'

const root = join(import.meta.dirname, '../../fixtures')

export const readFixture = (name: string): Buffer => readFileSync(join(root, name))

/** A recorded stream as the bytes that came off the wire. */
export interface RecordedStream {
  name: string
  format: WireFormat
  bytes: Buffer
}

const folders: readonly [string, WireFormat][] = [
  ['anthropic-messages', 'messages'],
  ['openai-chat', 'chat'],
  ['gemini', 'generate-content'],
]

/** `.chunks.txt` files hold the payloads only; the framing is put back as the fixtures' README says. */
function frame(text: string, format: WireFormat): Buffer {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const events = lines.map((line) => {
    const { type } = JSON.parse(line) as { type?: string }
    return format === 'messages' ? `event: ${type}\ndata: ${line}\n\n` : `data: ${line}\n\n`
  })
  if (format === 'chat') events.push('data: [DONE]\n\n')
  return Buffer.from(events.join(''))
}

/** Every recorded stream of the three formats that are relayed. */
export const recordedStreams: readonly RecordedStream[] = folders.flatMap(([folder, format]) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.sse') || file.endsWith('.chunks.txt'))
    .map((file) => {
      const name = `${folder}/${file}`
      const bytes = readFixture(name)
      return { name, format, bytes: file.endsWith('.sse') ? bytes : frame(String(bytes), format) }
    }),
)
