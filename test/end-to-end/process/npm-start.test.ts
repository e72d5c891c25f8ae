import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 20_000 })

const root = fileURLToPath(new URL('../../..', import.meta.url))
const isRoot = process.getuid?.() === 0
const fallback = 'Switchyard runs without its window, and its console is in the browser.'
const ready =
  /^Switchyard is ready at http:\/\/127\.0\.0\.1:(\d+)\nConsole: http:\/\/127\.0\.0\.1:\1\/console\/$/m

let work: string
const started: ChildProcess[] = []

beforeAll(async () => {
  // As `npm start` does: nothing where the build is as new as the sources.
  // A build for a test is not the application (vite.config.ts).
  vi.stubEnv('VITEST', undefined)
  const { build } = await import(new URL('../../../.scripts/prepare.mjs', import.meta.url).href)
  expect(await build()).toBe(0)
}, 120_000)

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'switchyard-npm-start-'))
  chmodSync(work, 0o777)
})

afterEach(async () => {
  for (const child of started.splice(0)) {
    endGroup(child, 'SIGKILL')
  }
  rmSync(work, { recursive: true, force: true })
})

/** Ends the starter and all processes that it started. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid as number), signal)
  } catch {
    // All have ended.
  }
}

/** Puts a shell script in the place of Electron's executable. */
function putElectron(script: string): void {
  writeFileSync(join(work, 'electron'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(work, 'electron'), 0o755)
}

/** How the application says that its window is there, or that its gateway will not start. */
const tells = (outcome: string) => `printf ${outcome} > "$SWITCHYARD_START_OUTCOME"`

interface Start {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Until the gateway has said that it is ready, or the process has ended. */
  settled(): Promise<void>
  exited: Promise<{ code: number | null }>
}

/** `npm start`, without npm. */
function start({
  env = {},
  as = '',
  display = ':99',
  quiet = '--no-open',
}: {
  env?: Record<string, string>
  as?: string
  display?: string
  quiet?: string
} = {}): Start {
  const flags = [...(quiet ? [quiet] : []), '--port', '0', '--data-dir', join(work, 'data')]
  const node = [process.execPath, join(root, '.scripts/start.mjs'), ...flags]
  const [command, ...args] = as ? ['runuser', '-u', as, '--', ...node] : node
  const child = spawn(command as string, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: work,
      DISPLAY: display,
      ELECTRON_OVERRIDE_DIST_PATH: work,
      // Nothing may be downloaded.
      ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.push(child)
  const text = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => {
      text[stream] += chunk.toString()
    })
  }
  const exited = once(child, 'close').then(([code]) => ({ code: code as number | null }))
  const isReady = new Promise<void>((resolve) => {
    child.stdout.on('data', () => {
      if (ready.test(text.stdout)) resolve()
    })
  })
  return {
    child,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    settled: () => Promise.race([isReady, exited.then(() => {})]),
    exited,
  }
}

/** The gateway runs without a window, said in one line, and ends when it is told to; its exit code. */
async function expectHeadless(running: Start, reason: string): Promise<number | null> {
  await running.settled()
  expect(running.stderr()).toContain(`${reason}: ${fallback}`)
  expect(running.stdout()).toMatch(ready)
  running.child.kill('SIGTERM')
  return (await running.exited).code
}

async function expectNoSecondStart(running: Start, code: number): Promise<void> {
  expect((await running.exited).code).toBe(code)
  expect(running.stderr()).not.toContain(fallback)
  expect(running.stdout()).not.toMatch(ready)
}

const cannotRun = 'Electron could not start on this system (its own words are above)'

describe.runIf(process.platform === 'linux')('npm start', () => {
  test('without a display runs without a window', async () => {
    putElectron('echo must not run >&2')
    const running = start({ display: '' })
    expect(await expectHeadless(running, 'There is no display here')).toBe(0)
    expect(running.stderr()).not.toContain('must not run')
  })

  test('without Electron runs without a window', async () => {
    await expectHeadless(start(), 'Electron is not installed and could not be downloaded')
  })

  test.each([
    ['', true],
    ['--hidden', false],
  ])(
    'opens the browser in the place of the window, and not for a hidden start: %s',
    async (quiet, isOpened) => {
      const opened = join(work, 'opened')
      writeFileSync(join(work, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`)
      chmodSync(join(work, 'xdg-open'), 0o755)
      const running = start({ quiet, env: { PATH: `${work}:${process.env.PATH}` } })
      await running.settled()
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(existsSync(opened)).toBe(isOpened)
      if (isOpened)
        expect(readFileSync(opened, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/$/)
    },
  )

  test.each([
    ['a library is missing', 'echo "error while loading shared libraries" >&2; exit 127'],
    ['its sandbox is refused', 'echo "FATAL: no usable sandbox" >&2; kill -TRAP $$'],
    ['it aborts', 'kill -ABRT $$'],
    ['it crashes', 'kill -SEGV $$'],
    ['it ends with 1 before there is a window', 'exit 1'],
    ['it is slow to fail', 'sleep 2; exit 133'],
  ])('with an Electron that cannot run here runs without a window: %s', async (_why, script) => {
    putElectron(script)
    expect(await expectHeadless(start(), cannotRun)).toBe(0)
  })

  test('with a file that is no program in its place runs without a window', async () => {
    mkdirSync(join(work, 'electron'))
    expect(await expectHeadless(start(), cannotRun)).toBe(0)
  })

  test('starts nothing else after the user has quit', async () => {
    putElectron('exit 0')
    await expectNoSecondStart(start(), 0)
  })

  test('starts nothing else when the application fails later on', async () => {
    putElectron(`${tells('running')}; exit 1`)
    await expectNoSecondStart(start(), 1)
    putElectron(`${tells('running')}; kill -SEGV $$`)
    await expectNoSecondStart(start(), 139)
  })

  test('starts nothing else when the gateway refuses, and lets its message through', async () => {
    putElectron(`${tells('refused')}; echo "The data folder is in use by process 1" >&2; exit 1`)
    const running = start()
    await expectNoSecondStart(running, 1)
    expect(running.stderr()).toBe('The data folder is in use by process 1\n')
  })

  test.each(['TERM', 'KILL', 'INT', 'HUP'] as const)(
    'starts nothing else when somebody ends Electron by SIG%s',
    async (signal) => {
      putElectron(`kill -${signal} $$; sleep 5`)
      await expectNoSecondStart(start(), 128 + constants.signals[`SIG${signal}`])
    },
  )

  test('hands a signal on, and starts nothing else whatever Electron ends with', async () => {
    putElectron("trap 'exit 1' TERM; echo here; sleep 20 > /dev/null 2>&1 & wait")
    const running = start()
    await once(running.child.stdout as NodeJS.ReadableStream, 'data')
    running.child.kill('SIGTERM')
    await expectNoSecondStart(running, 1)
  })

  test('takes Chromium out of its sandbox as root, and never as another user', async () => {
    putElectron(`echo "flags: $*"; ${tells('running')}`)
    const running = start()
    await running.exited
    expect(running.stdout().includes('--no-sandbox')).toBe(isRoot)
    expect(running.stdout()).toContain('--data-dir')
  })
})

/** Why another user cannot be tried here, or null. */
function whyNoOther(): string | null {
  if (!isRoot) return 'only root may start a process as another user'
  try {
    execFileSync('runuser', ['-u', 'nobody', '--', 'test', '-r', join(root, 'package.json')])
    return null
  } catch {
    return 'no runuser, or the project lies where other users may not read'
  }
}

describe.runIf(process.platform === 'linux')('npm start as a user whom the project is not', () => {
  test('runs in the sandbox, and without a window where Electron cannot', async (context) => {
    const why = whyNoOther()
    if (why) context.skip(why)
    putElectron('echo "flags: $*"; exit 1')
    const running = start({ as: 'nobody' })
    await expectHeadless(running, cannotRun)
    expect(running.stdout()).toContain('flags:')
    expect(running.stdout()).not.toContain('--no-sandbox')
  })

  test('minds no folder that it may not write', async (context) => {
    const why = whyNoOther()
    if (why) context.skip(why)
    // A mirror of one's own is asked straight away; nothing listens there.
    const env = { ELECTRON_SKIP_BINARY_DOWNLOAD: '', ELECTRON_MIRROR: 'http://127.0.0.1:9/' }
    const running = start({ as: 'nobody', env })
    await expectHeadless(running, 'Electron is not installed and could not be downloaded')
  })
})
