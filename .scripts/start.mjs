// npm start: the desktop application; where it cannot open, the same gateway with its console in a browser.
import './require-node.mjs'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { obtainElectron } from './electron.mjs'
import { prepare } from './prepare.mjs'
import { at, follow, stopWithParent } from './run.mjs'

const flags = process.argv.slice(2).filter((flag) => flag !== '--no-open')
const isQuiet = ['--no-open', '--hidden'].some((flag) => process.argv.includes(flag))
const mayOpen = !isQuiet && !process.env.CI
const hasDisplay =
  ['darwin', 'win32'].includes(process.platform) ||
  Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
/** Somebody ended Electron by these; by any other signal it ended itself. */
const meantSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL']

stopWithParent('start')
await prepare()
const electron = hasDisplay ? await obtainElectron() : null
if (electron) startDesktop(electron)
else if (hasDisplay) startHeadless('Electron is not installed and could not be downloaded')
else startHeadless('There is no display here')

function startDesktop(executable) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-start-'))
  // Written by main/desktop/report-to-starter.ts when the window is there, or the gateway will not start.
  const outcome = join(folder, 'outcome')
  const environment = { ...process.env, SWITCHYARD_START_OUTCOME: outcome }
  delete environment.ELECTRON_RUN_AS_NODE
  let isAskedToStop = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      isAskedToStop = true
    })
  }
  // Chromium refuses to run as root inside its sandbox.
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(executable, [...asRoot, at(), ...flags], {
    stdio: 'inherit',
    env: environment,
  })
  follow(child, (code, signal) => {
    const isHeard = existsSync(outcome)
    rmSync(folder, { recursive: true, force: true })
    const isMeant = code === 0 || isAskedToStop || meantSignals.includes(signal)
    if (isHeard || isMeant) process.exit(code)
    startHeadless('Electron could not start on this system (its own words are above)')
  })
}

function startHeadless(reason) {
  console.error(`${reason}: Switchyard runs without its window, and its console is in the browser.`)
  const child = spawn(process.execPath, [at('dist/main/headless.js'), ...flags], {
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line)
    const url = /^Switchyard is ready at (\S+)$/.exec(line)?.[1]
    if (!url) return
    console.log(`Console: ${url}/console/`)
    if (hasDisplay && mayOpen) openInBrowser(`${url}/console/`)
  })
  follow(child)
}

function openInBrowser(url) {
  const [command, ...args] = {
    darwin: ['open', url],
    win32: ['cmd.exe', '/d', '/s', '/c', 'start', '""', url],
  }[process.platform] ?? ['xdg-open', url]
  // Without a browser the printed URL is enough.
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
