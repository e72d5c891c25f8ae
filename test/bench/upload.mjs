#!/usr/bin/env node
// The cost of an upload of 25 MiB on its way through the built gateway: time against a direct one, how soon
// its first bytes are at the vendor, and how much memory the gateway takes for it.
//
//   npm run build && node test/bench/upload.mjs [--rounds 9] [--entry <built headless.js>]
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setUpGateway, startGateway } from './built-gateway.mjs'

const MEBIBYTE = 1024 * 1024
const SIZE = 25 * MEBIBYTE
const BOUNDARY = 'upload-bench-0123456789abcdef'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    entry: {
      type: 'string',
      default: resolve(import.meta.dirname, '../../dist/main/headless.js'),
    },
  },
})
const rounds = Number(values.rounds)

/** A vendor that counts: `seen` holds the size and the time of the first byte of the last body. */
async function startVendor() {
  const seen = { bytes: 0, firstAt: 0, hasLength: false }
  const server = createServer((incoming, outgoing) => {
    Object.assign(seen, { bytes: 0, firstAt: 0, hasLength: 'content-length' in incoming.headers })
    incoming.on('data', (chunk) => {
      if (seen.bytes === 0) seen.firstAt = performance.now()
      seen.bytes += chunk.length
    })
    incoming.on('end', () => {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"heard"}')
    })
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  return { seen, server, url: `http://127.0.0.1:${server.address().port}` }
}

const sound = Buffer.alloc(MEBIBYTE)
for (let at = 0; at < sound.length; at += 4) sound.writeUInt32LE((at * 2654435761) >>> 0, at)

/** A form of `size` bytes of sound, in pieces. */
function formOf(model, isModelFirst, size) {
  const head = (line) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${line}\r\n`
  const field = [Buffer.from(`${head('name="model"')}\r\n${model}\r\n`)]
  const type = 'Content-Type: audio/wav\r\n'
  const start = Buffer.from(`${head('name="file"; filename="speech.wav"')}${type}\r\n`)
  const pieces = Array.from({ length: size / MEBIBYTE }, () => sound)
  const file = [
    start,
    ...(size < MEBIBYTE ? [sound.subarray(0, size)] : pieces),
    Buffer.from('\r\n'),
  ]
  const end = Buffer.from(`--${BOUNDARY}--\r\n`)
  return isModelFirst ? [...field, ...file, end] : [...file, ...field, end]
}

/** Sends a form, with a pause after each of its pieces; milliseconds until its answer was there. */
async function upload(url, key, pieces, pause = 0) {
  const began = performance.now()
  const outgoing = request(`${url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': pieces.reduce((sum, piece) => sum + piece.length, 0),
    },
  })
  const answered = new Promise((done, failed) => {
    outgoing.on('error', failed)
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
      })
      incoming.on('end', () =>
        incoming.statusCode === 200 ? done() : failed(new Error(`${incoming.statusCode} ${text}`)),
      )
    })
  })
  for (const piece of pieces) {
    if (!outgoing.write(piece)) await new Promise((drained) => outgoing.once('drain', drained))
    if (pause > 0) await sleep(pause)
  }
  outgoing.end()
  await answered
  return { began, took: performance.now() - began }
}

const median = (all) => all.sort((one, other) => one - other)[Math.floor(all.length / 2)]

/** MiB of the process in memory now, and at most since the last reset; null where the system hides it. */
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
    return { now: read('VmRSS'), most: read('VmHWM') }
  } catch {
    return null
  }
}

function resetMost(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // The peak then counts from the start of the process, which is more.
  }
}

async function run() {
  if (!existsSync(values.entry)) {
    console.error('The gateway is not built. Run "npm run build" first.')
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
  const vendor = await startVendor()
  const gateway = await startGateway(values.entry, folder)
  try {
    // A channel that knows `same` by its name and `mapped` by another.
    const key = await setUpGateway(gateway.url, {
      ...{ name: 'vendor', base_url: vendor.url, models: 'same,mapped' },
      model_mapping: JSON.stringify({ mapped: 'vendor-name' }),
    })
    const cases = [
      ['direct', vendor.url, 'same', true],
      ['model first, bytes as they are', gateway.url, 'same', true],
      ['model last, bytes as they are', gateway.url, 'same', false],
      ['model first, another name', gateway.url, 'mapped', true],
      ['model last, another name', gateway.url, 'mapped', false],
    ]
    // Code that has not run yet takes memory of its own: small calls come first.
    for (let index = 0; index < 50; index++) {
      for (const [, url, model, isFirst] of cases) {
        await upload(url, key, formOf(model, isFirst, 64 * 1024))
      }
    }
    const before = memoryOf(gateway.child.pid)
    let worst = 0
    const rows = []
    for (const [name, url, model, isFirst] of cases) {
      const pieces = formOf(model, isFirst, SIZE)
      resetMost(gateway.child.pid)
      const times = []
      for (let round = 0; round < rounds; round++) times.push((await upload(url, key, pieces)).took)
      const memory = memoryOf(gateway.child.pid)
      const more = before && memory ? memory.most - before.now : Number.NaN
      if (vendor.seen.bytes < SIZE)
        throw new Error(`${name}: only ${vendor.seen.bytes} bytes came.`)
      const slow = await upload(url, key, pieces, 20)
      worst = Math.max(worst, url === vendor.url ? 0 : more)
      rows.push({
        name,
        'ms (median)': Math.round(median(times)),
        'first byte at the vendor, ms': Math.round(vendor.seen.firstAt - slow.began),
        'of a slow upload of ms': Math.round(slow.took),
        'length known': vendor.seen.hasLength,
        'memory, MiB more': Math.round(more),
      })
    }
    const [direct] = rows
    for (const row of rows)
      row['times direct'] = +(row['ms (median)'] / direct['ms (median)']).toFixed(1)
    console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])))
    console.log(
      `An upload of 25 MiB takes at most ${Math.round(worst)} MiB more memory (40 allowed).`,
    )
    return worst < 40 ? 0 : 1
  } finally {
    gateway.child.kill('SIGTERM')
    vendor.server.close()
    vendor.server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await run()
