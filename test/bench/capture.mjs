#!/usr/bin/env node
// The cost of capturing calls: the built gateway with `CaptureLevel` off and memory side by side, in windows that
// alternate, as long as the harness has them, as calls per second of processor time. A second gateway with `off` shows
// the noise. Needs the harness (see README.md) and a build.
//
//   node test/bench/capture.mjs                          8 windows of 3 s each
//   node test/bench/capture.mjs --rounds 20 --seconds 1
//   node test/bench/capture.mjs --before OTHER_BUILD     also against the headless.js of another build
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort, setUpGateway, startGateway } from './built-gateway.mjs'

const root = resolve(import.meta.dirname, '../..')
const harness = process.env.BENCH_HARNESS ?? resolve(root, '../shared/bench')
const load = (file) => import(pathToFileURL(join(harness, file)).href)
const { runLoad, chatBody } = await load('load.mjs')
const { cpuOf } = await load('lib/proc.mjs')

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '3' },
    before: { type: 'string' },
  },
})

const model = 'mock-t100-d0'
const cases = {
  '1 KB': { size: 1024, stream: false },
  '100 KB': { size: 102_400, stream: false },
  streams: { size: 1024, stream: true },
}

const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1]

const scratch = mkdtempSync(join(tmpdir(), 'switchyard-capture-'))
const children = []

async function startTarget(name, entry, level, upstream) {
  const { child, url } = await startGateway(entry, join(scratch, name))
  children.push(child)
  const channel = { name: 'mock', base_url: upstream, models: model }
  const key = await setUpGateway(url, channel, level ? { CaptureLevel: level } : {})
  return { name, url, pid: child.pid, key }
}

async function callsPerSecond({ url, pid, key }, { size, stream }, seconds) {
  const before = cpuOf(pid)
  const result = await runLoad({
    url: `${url}/v1/chat/completions`,
    body: chatBody({ model, size, stream }),
    headers: { authorization: `Bearer ${key}` },
    connections: 16,
    duration: seconds,
    warmup: 0,
    stream,
  })
  return result.ok / (cpuOf(pid) - before)
}

try {
  const port = await freePort()
  const mock = `http://127.0.0.1:${port}`
  children.push(
    spawn(process.execPath, [join(harness, 'upstream.mjs'), '--port', String(port)], {
      stdio: 'ignore',
    }),
  )
  const built = join(root, 'dist/main/headless.js')
  const targets = [
    await startTarget('off', built, 'off', mock),
    await startTarget('off again', built, 'off', mock),
    await startTarget('memory', built, 'memory', mock),
  ]
  if (values.before) targets.push(await startTarget('before', values.before, null, mock))
  for (const [title, one] of Object.entries(cases)) {
    for (const target of targets) await callsPerSecond(target, one, 1.5)
    const ratios = new Map(targets.map(({ name }) => [name, []]))
    for (let round = 0; round < Number(values.rounds); round++) {
      const rates = new Map()
      const turn = round % targets.length
      const order = [...targets.slice(turn), ...targets.slice(0, turn)]
      for (const target of order)
        rates.set(target.name, await callsPerSecond(target, one, Number(values.seconds)))
      const off = (rates.get('off') + rates.get('off again')) / 2
      for (const [name, rate] of rates) ratios.get(name).push(rate / off)
    }
    const told = [...ratios].map(
      ([name, list]) => `${name} ${((median(list) - 1) * 100).toFixed(1)} %`,
    )
    console.log(`${title.padEnd(8)} against the mean of both off: ${told.join(', ')}`)
  }
} finally {
  for (const child of children) child.kill('SIGTERM')
  rmSync(scratch, { recursive: true, force: true })
}
