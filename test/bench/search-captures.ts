import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { createLog } from '../../main/base/log/log.ts'
import { CaptureDisk } from '../../main/capture/capture-disk.ts'
import { Captures } from '../../main/capture/captures.ts'
import { encodeCapture, encodedBodies } from '../../main/capture/encode-capture.ts'
import { TextIndex } from '../../main/capture/text-index.ts'
import { CaptureFile, type StoredCapture } from '../../main/store/captures/capture-file.ts'
import { createSecretBox } from '../../main/store/secret-key/secret-box.ts'
import { defaultSettings } from '../../main/store/state/default-settings.ts'
import { captureOf } from '../main/capture/capture-of.ts'
import { shown, type Taken, timed } from './timed.ts'

const ROUNDS = 15
const ROOT = join(import.meta.dirname, '../..')
/** Calls of a session, each of which brings some more text. */
const CALLS = 20
const BLOCK = 64
const RARE = 'the harbour master counted ships'

/** Text as agents read it: the project's own sources. */
const sources = JSON.stringify(
  ['main', 'renderer']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(ts|tsx|md)$/.test(path))
        .sort()
        .map((path) => readFileSync(join(ROOT, folder, path), 'utf8')),
    )
    .join('\n'),
)
const PROMPT = JSON.stringify(readFileSync(join(ROOT, 'main/README.md'), 'utf8')).slice(0, 4000)

let seed = 1
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const piece = (length: number): string => {
  const from = random(sources.length - length)
  return sources.slice(from, from + length)
}

/** Four sessions at a time, call by call, as several agents are at work. */
function* sessions(count: number): Generator<{ id: string; sent: string; got: string }> {
  const texts: string[] = []
  for (let index = 0; index < count; index++) {
    const session = index % 4
    if (Math.floor(index / 4) % CALLS === 0) texts[session] = PROMPT
    const got = piece(200 + random(300))
    const rare = index === Math.floor(count * 0.4) ? RARE : ''
    texts[session] += got + piece(random(300)) + rare
    yield { id: `call-${index}`, sent: texts[session] ?? '', got }
  }
}

/** How soon the texts of so many captures on disk are searched. */
export async function searchCaptures(folder: string, count: number): Promise<void> {
  const path = join(folder, 'captures.db')
  const box = createSecretBox({ current: randomBytes(32) })
  const texts = new TextIndex()
  const file = new CaptureFile(path, box, (error) => {
    throw error
  })
  let indexed = 0
  let characters = 0
  let waiting: StoredCapture[] = []
  const write = () => {
    const first = file.nextNumber
    file.write(waiting)
    waiting = []
    const before = performance.now()
    texts.wrote(first, file)
    indexed += performance.now() - before
  }
  for (const { id, sent, got } of sessions(count)) {
    const bytes = Buffer.concat(encodeCapture(captureOf(id, sent, got, 100_000)))
    const before = performance.now()
    texts.addAtOnce(encodedBodies(bytes))
    indexed += performance.now() - before
    characters += sent.length + got.length
    const packed = deflateRawSync(bytes, { level: 1 })
    waiting.push({ id, receivedAt: Date.now(), userId: 1, bytes: packed })
    if (waiting.length === BLOCK) write()
  }
  write()
  texts.finish(file)
  const { bytes } = file.size()
  const pieces = file.filters.blocks.reduce((sum, block) => sum + block.pieces, 0)
  file.close()
  console.log(
    `${count} captures of ${(characters / count / 1000).toFixed(1)} KB: captures.db ${(bytes / 1e6).toFixed(0)} MB, ` +
      `filters in it ${((pieces * 4124) / 1e6).toFixed(0)} MB, made in ${((indexed / characters) * 30e6).toFixed(0)} µs for 30 KB`,
  )
  const settings = { current: { ...defaultSettings, CaptureLevel: 'all' as const } }
  let disk!: CaptureDisk
  shown('the file of captures is opened', [
    await timed(async () => {
      disk = new CaptureDisk(path, box, settings, createLog('silent'))
    }),
  ])
  const captures = new Captures(settings, disk)
  const ids = Array.from({ length: 100 }, () => `call-${random(count)}`)
  const works: Record<string, () => unknown> = {
    'text in one capture': () => captures.search(RARE),
    'text in none, of common words': () => captures.search('the connection counted requests'),
    'text in none, 3 characters': () => captures.search('qzx'),
    'text in most captures': () => captures.search('gateway'),
    'one capture opened': () => captures.find(ids[random(100)] ?? ''),
    'which of 100 calls have captures': () => captures.has(ids),
  }
  for (const [name, work] of Object.entries(works)) {
    const times: Taken[] = []
    let found = 0
    for (let round = 0; round < ROUNDS; round++)
      times.push(
        await timed(async () => {
          const result = await work()
          found = Array.isArray(result) ? result.length : 1
        }),
      )
    shown(`${name} (${found})`, times)
  }
  captures.close()
}
