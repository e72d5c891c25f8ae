#!/usr/bin/env node
// How long the built gateway holds a realtime message up: 200 sessions at once send small messages to an
// upstream that sends each back: directly, through a process that only pipes bytes, and over the gateway, in
// turns. Prints the median of each, and what the two processes in between add: the bare pipe tells what any
// hop costs on this machine. On a busy machine the difference is mostly waiting for a processor; the
// gateway's own processor time for a message does not depend on that (told on Linux only).
//
//   node test/bench/realtime.mjs                       200 sessions, 20 messages each a round, 5 rounds
//   node test/bench/realtime.mjs --sessions 50 --rounds 3 --pause 100 --entry dist/main/headless.js
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { setUpGateway, startGateway, startProcess } from './built-gateway.mjs'

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '200' },
    messages: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '5' },
    pause: { type: 'string', default: '50' },
    entry: { type: 'string', default: join(root, 'dist/main/headless.js') },
  },
})
const SESSIONS = Math.min(Number(values.sessions), 1000)
const MESSAGES = Math.min(Number(values.messages), 1000)
const ROUNDS = Math.min(Number(values.rounds), 20)
/** Milliseconds between two messages of one session: with 50, 200 sessions make 4000 messages a second. */
const PAUSE = Math.max(1, Number(values.pause))
/** About a fiftieth of a second of sound, in base64, within an event. */
const MESSAGE = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(1280) })
const MODEL = 'echoing'

const UPSTREAM = `
  import { WebSocketServer } from 'ws'
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  server.on('connection', (socket) => {
    socket.on('message', (data, binary) => socket.send(data, { binary }))
  })
  server.on('listening', () => console.log('http://127.0.0.1:' + server.address().port))
`

/** The cost of any process in between: bytes from one connection to the other, looked at by nobody. */
const PIPE = `
  import net from 'node:net'
  const to = new URL(process.argv[1])
  const server = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ port: Number(to.port), host: to.hostname, noDelay: true })
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))
`

const open = (url, key) =>
  new Promise((opened, failed) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`, {
      headers: { authorization: `Bearer ${key}` },
      perMessageDeflate: false,
    })
    socket.on('open', () => opened(socket))
    socket.on('error', failed)
  })

const sleep = (time) => new Promise((done) => setTimeout(done, time))

/** Milliseconds that each message of one session took there and back. */
async function talk(socket, delay) {
  const times = []
  await sleep(delay)
  for (let index = 0; index < MESSAGES; index++) {
    const from = performance.now()
    const heard = new Promise((done) => socket.once('message', done))
    socket.send(MESSAGE)
    await heard
    const took = performance.now() - from
    times.push(took)
    await sleep(Math.max(0, PAUSE - took))
  }
  return times
}

async function round(sockets) {
  // Evenly over the pause, as sessions that know nothing of each other are.
  const all = await Promise.all(
    sockets.map((socket, index) => talk(socket, (index * PAUSE) / sockets.length)),
  )
  return all.flat()
}

/** Processor time that a process has had so far, in milliseconds; NaN where /proc does not tell it. */
function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

const quantile = (sorted, part) => sorted[Math.floor((sorted.length - 1) * part)]

function report(name, times) {
  const sorted = times.toSorted((one, other) => one - other)
  const [median, high] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  console.log(
    `${name.padEnd(8)} median ${median.toFixed(3)} ms, 99 % within ${high.toFixed(3)} ms (${sorted.length} messages)`,
  )
  return median
}

async function run() {
  if (!existsSync(values.entry)) {
    console.error(`No gateway at ${values.entry}. Run "npm run build" first.`)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-realtime-'))
  const children = []
  try {
    const upstream = await startProcess(['--input-type=module', '-e', UPSTREAM])
    children.push(upstream.child)
    const pipe = await startProcess(['--input-type=module', '-e', PIPE, upstream.url])
    children.push(pipe.child)
    const gateway = await startGateway(values.entry, folder)
    children.push(gateway.child)
    const key = await setUpGateway(gateway.url, {
      ...{ name: 'echoing', base_url: upstream.url, models: MODEL },
      settings: JSON.stringify({ endpoint_types: ['realtime'] }),
    })
    const ways = {
      direct: { url: upstream.url, sockets: [], times: [] },
      pipe: { url: pipe.url, sockets: [], times: [] },
      gateway: { url: gateway.url, sockets: [], times: [] },
    }
    for (const way of Object.values(ways)) {
      for (let index = 0; index < SESSIONS; index++) way.sockets.push(await open(way.url, key))
      await round(way.sockets)
    }
    const before = processorTime(gateway.child.pid)
    for (let count = 0; count < ROUNDS; count++) {
      for (const way of Object.values(ways)) way.times.push(...(await round(way.sockets)))
    }
    const used = processorTime(gateway.child.pid) - before
    const direct = report('direct', ways.direct.times)
    const piped = report('pipe', ways.pipe.times)
    const through = report('gateway', ways.gateway.times)
    const added = (median) => ((median - direct) / 2).toFixed(3)
    console.log(
      `\n${SESSIONS} sessions: the gateway adds ${added(through)} ms a message, the bare pipe ${added(piped)} ms.`,
    )
    const each = used / (ways.gateway.times.length * 2)
    console.log(`The gateway's processor time: ${each.toFixed(3)} ms a message.`)
    for (const way of Object.values(ways)) for (const socket of way.sockets) socket.terminate()
    return 0
  } finally {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await run()
