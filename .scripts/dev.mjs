// npm run dev: the console from Vite's own server, the gateway run from its sources and again on a change.
import './require-node.mjs'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { install } from './prepare.mjs'
import { at, follow } from './run.mjs'

if ((await install()) !== 0) process.exit(1)

const start = (script, args, options) =>
  spawn(process.execPath, [at(`node_modules/${script}`), ...args], { cwd: at(), ...options })

const gateway = start(
  'tsx/dist/cli.mjs',
  ['watch', '--clear-screen=false', 'main/headless.ts', ...process.argv.slice(2)],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
let pages
follow(gateway, (code) => {
  pages?.kill()
  process.exit(code)
})

createInterface({ input: gateway.stdout }).on('line', (line) => {
  console.log(line)
  const url = /^Switchyard is ready at (\S+)$/.exec(line)?.[1]
  if (!url || pages) return
  pages = start('vite/bin/vite.js', [], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, SWITCHYARD_DEV_GATEWAY: url },
  })
  pages.on('exit', () => gateway.kill())
})
