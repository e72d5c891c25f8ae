#!/usr/bin/env node
// Compares the built gateway with others by the project's benchmark harness: same mock vendor, same load,
// alternating windows. The harness is a folder of its own beside the project (`../shared/bench`, or
// $BENCH_HARNESS); it is copied before it is used, because it installs packages into itself.
//
//   npm run bench                            the table of the README, about ten minutes
//   npm run bench -- --rounds 1 --duration 1 any option of the harness's compare.mjs
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort, setUpGateway, startGateway } from './built-gateway.mjs'

const root = resolve(import.meta.dirname, '../..')
const harness = process.env.BENCH_HARNESS ?? resolve(root, '../shared/bench')
const built = join(root, 'dist/main/headless.js')
const MODELS = 'mock-t100-d0,mock-t100-d10'

/** Starts the gateway with an empty folder; gives its process, URL and milliseconds until it was ready. */
async function startTimed(folder) {
  const began = performance.now()
  const started = await startGateway(built, folder)
  return { ...started, ready: performance.now() - began }
}

async function run() {
  if (!existsSync(join(harness, 'compare.mjs'))) {
    console.error(
      `No harness at ${harness}. Set BENCH_HARNESS to the folder that holds compare.mjs.`,
    )
    return 2
  }
  if (!existsSync(built)) {
    console.error('The gateway is not built. Run "npm run build" first.')
    return 2
  }
  const scratch = mkdtempSync(join(tmpdir(), 'switchyard-bench-'))
  const copy = join(scratch, 'harness')
  let gateway
  try {
    cpSync(harness, copy, { recursive: true, filter: (path) => !path.includes('node_modules') })
    spawnSync('chmod', ['-R', 'u+w', copy])
    console.error('Installing the harness …')
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    spawnSync('npm', ['install', '--prefix', copy, ...quiet], { stdio: 'inherit' })
    const starts = []
    for (let index = 0; index < 5; index++) {
      const one = await startTimed(join(scratch, `start-${index}`))
      starts.push(one.ready)
      one.child.kill('SIGTERM')
      await new Promise((gone) => one.child.once('exit', gone))
    }
    const port = await freePort()
    gateway = await startGateway(built, join(scratch, 'data'))
    const base_url = `http://127.0.0.1:${port}`
    const key = await setUpGateway(gateway.url, { name: 'mock', base_url, models: MODELS })
    const own = `name=ours,url=${gateway.url},pid=${gateway.child.pid},header=authorization: Bearer ${key}`
    const defaults = [
      '--targets',
      'direct,raw-http,http-undici,express5-undici',
      '--concurrency',
      '16',
    ]
    const given = process.argv.slice(2)
    const flags = [...defaults, '--upstream-port', String(port), '--focus', 'ours', '--add', own]
    const compare = spawn(process.execPath, ['compare.mjs', ...flags, ...given], {
      cwd: copy,
      stdio: 'inherit',
    })
    const code = await new Promise((done) => compare.once('exit', done))
    starts.sort((one, other) => one - other)
    console.log(
      `\nReady after ${Math.round(starts[2])} ms (median of 5 starts with an empty folder).`,
    )
    return code ?? 1
  } finally {
    gateway?.child.kill('SIGTERM')
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exitCode = await run()
