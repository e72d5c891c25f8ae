#!/usr/bin/env node
// Compares the built gateway with others by the project's benchmark harness: same mock vendor, same load,
// alternating windows. The harness is a folder of its own beside the project (`../shared/bench`, or
// $BENCH_HARNESS); it is copied before it is used, because it installs packages into itself.
//
//   npm run bench                            every run below, about fifteen minutes
//   npm run bench -- --only slow,messages    some of them
//   npm run bench -- --rounds 1 --duration 1 any option of the harness's compare.mjs
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort, setUpGateway, startGateway } from './built-gateway.mjs'

const root = resolve(import.meta.dirname, '../..')
const harness = process.env.BENCH_HARNESS ?? resolve(root, '../shared/bench')
const built = join(root, 'dist/main/headless.js')
const MODELS = ['mock-t100-d0', 'mock-t100-d10']
/** Stands before the names of the models whose channel speaks Anthropic's Messages. */
const MESSAGES = 'messages-'

/**
 * Runs of the harness, each with the client's format. The gateway takes part twice: `ours` passes through, `converted`
 * has a channel of the other format.
 */
const runs = {
  chat: {
    format: 'openai',
    targets: 'direct,raw-http,http-undici,express5-undici',
    scenarios: 'json1k,json100k,json1m,stream0',
    concurrency: '16',
  },
  messages: {
    format: 'anthropic',
    targets: 'direct,raw-http',
    scenarios: 'json1k,json100k,stream0',
    concurrency: '16',
  },
  slow: {
    format: 'openai',
    targets: 'direct,raw-http',
    scenarios: 'stream10',
    concurrency: '256',
  },
}

/** Starts the gateway with an empty folder; gives its process, URL and milliseconds until it was ready. */
async function startTimed(folder) {
  const began = performance.now()
  const started = await startGateway(built, folder)
  return { ...started, ready: performance.now() - began }
}

async function run() {
  const given = process.argv.slice(2)
  const flag = given.indexOf('--only')
  const only = flag < 0 ? Object.keys(runs) : given.splice(flag, 2)[1].split(',')
  const unknown = only.filter((name) => !(name in runs))
  if (unknown.length > 0) {
    console.error(`--only: no run ${unknown}; there are ${Object.keys(runs).join(', ')}.`)
    return 2
  }
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
    const { rssOf } = await import(pathToFileURL(join(copy, 'lib/proc.mjs')).href)
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
    await new Promise((rested) => setTimeout(rested, 3000))
    const atRest = rssOf(gateway.child.pid)
    const channel = { base_url: `http://127.0.0.1:${port}` }
    const channels = [
      { ...channel, name: 'chat', models: MODELS.join() },
      {
        ...channel,
        name: 'messages',
        type: 14,
        models: MODELS.map((model) => MESSAGES + model).join(),
      },
    ]
    const key = await setUpGateway(gateway.url, channels, { CaptureLevel: 'off' })
    let code = 0
    for (const name of only) {
      const { format, ...options } = runs[name]
      const own = `url=${gateway.url},pid=${gateway.child.pid},header=authorization: Bearer ${key},header=anthropic-version: 2023-06-01`
      const models = format === 'openai' ? ['%s', `${MESSAGES}%s`] : [`${MESSAGES}%s`, '%s']
      const flags = { ...options, format, 'upstream-port': port, focus: 'ours' }
      const compare = spawn(
        process.execPath,
        [
          'compare.mjs',
          ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
          ...['ours', 'converted'].flatMap((target, at) => [
            '--add',
            `name=${target},model=${models[at]},${own}`,
          ]),
          ...given,
        ],
        { cwd: copy, stdio: 'inherit' },
      )
      code ||= await new Promise((done) => compare.once('exit', done))
    }
    starts.sort((one, other) => one - other)
    console.log(
      `\nReady after ${Math.round(starts[2])} ms (median of 5 starts with an empty folder), then ${Math.round(atRest / 1e6)} MB at rest.`,
    )
    return code
  } finally {
    gateway?.child.kill('SIGTERM')
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exitCode = await run()
