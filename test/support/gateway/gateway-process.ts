import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { gatewayCommand, projectFolder } from './gateway-command.ts'

/** How a process ended: one of the two is null. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  /** Milliseconds since the signal that `stop` sent, else since the start. */
  after: number
}

/** The headless gateway in a process of its own, as `npm run gateway` runs it. */
export interface GatewayProcess {
  /** From its line on stdout; '' when it ended before it was ready. */
  url: string
  pid: number
  dataFolder: string
  /** All that it wrote so far. */
  stdout(): string
  stderr(): string
  exited: Promise<Ending>
  /** Resolves once it takes no calls any more. */
  stopping(): Promise<void>
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ending>
}

export interface GatewayProcessOptions {
  dataFolder?: string
  /** In place of `--port 0 --data-dir <dataFolder>`. */
  flags?: readonly string[]
  /** Beside those. */
  moreFlags?: readonly string[]
  env?: Record<string, string>
  /** Run this built file, whatever the sources say. */
  entry?: string
}

/** An empty folder, removed after the test. */
export function temporaryDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-process-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** This process's environment without what is meant for a gateway or for tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const isOurs = (name: string) => name.startsWith('SWITCHYARD_') || name === 'NODE_ENV'
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)))
}

/** Starts one and resolves when it is ready or has ended; it is killed after the test at the latest. */
export async function runGateway(options: GatewayProcessOptions = {}): Promise<GatewayProcess> {
  const { dataFolder = temporaryDataFolder(), env = {} } = options
  const { flags = ['--port', '0', '--data-dir', dataFolder], moreFlags = [] } = options
  const entry = options.entry === undefined ? gatewayCommand() : [options.entry]
  let since = performance.now()
  const child: ChildProcess = spawn(process.execPath, [...entry, ...flags, ...moreFlags], {
    cwd: projectFolder,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { stdout: '', stderr: '' }
  let isReady: () => void = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
  })
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      if (name === 'stdout' && text.includes('\n')) isReady()
    })
  }
  // `close` comes after the last output, `exit` may come before it.
  const exited = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) =>
      resolve({ code, signal, after: performance.now() - since }),
    )
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  await Promise.race([ready, exited])
  const url = /http:\/\/\S+/.exec(written.stdout)?.[0] ?? ''
  const takesCalls = () =>
    fetch(`${url}/api/status`).then(
      ({ ok }) => ok,
      () => false,
    )
  return {
    url,
    pid: child.pid ?? 0,
    dataFolder,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    exited,
    async stopping() {
      while (await takesCalls()) await sleep(10)
    },
    stop(signal = 'SIGTERM') {
      since = performance.now()
      child.kill(signal)
      return exited
    },
  }
}
