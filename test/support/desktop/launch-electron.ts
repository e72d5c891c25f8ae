import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadPlaywright } from '../pages/load-playwright.ts'
import type { Desktop } from './launch-desktop.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The path of Electron's binary, if this machine has one; found as the `electron` package does. */
export const realElectron: string | undefined = findElectron()

function findElectron(): string | undefined {
  const electronPackage = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  const pathFile = join(electronPackage, 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : undefined
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const binary = override
    ? join(override, name ?? 'electron')
    : name && join(electronPackage, 'dist', name)
  return binary && existsSync(binary) ? binary : undefined
}

/** Starts the app as `electron .` does, under Xvfb where there is no display. */
export async function launchElectron(
  executablePath: string,
  env: Record<string, string>,
  flags: string[],
): Promise<Desktop> {
  const display = await openDisplay()
  const application = await loadPlaywright()._electron.launch({
    executablePath,
    cwd: root,
    args: electronFlags(flags),
    env: { ...env, ...display?.env },
  })
  const child = application.process()
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  void exited.then(() => display?.server.kill())

  return {
    exited,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    evaluate: (run, argument) =>
      application.evaluate(run as never, argument as never) as Promise<never>,
    page: () => application.firstWindow(),
    async close() {
      await application.evaluate(({ app }) => app.exit(0)).catch(() => {})
      await exited
    },
  }
}

/** Starts the app for as long as it runs by itself; Playwright cannot hold one that ends at once. */
export async function runElectron(
  executablePath: string,
  env: Record<string, string>,
): Promise<number | null> {
  const display = await openDisplay()
  const child = spawn(executablePath, electronFlags([]), {
    cwd: root,
    env: { ...env, ...display?.env },
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit')
  display?.server.kill()
  return code
}

/** Chromium's own sandbox does not start for root, which is who runs tests in a container. */
const electronFlags = (flags: string[]): string[] => [
  '.',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--password-store=basic',
  ...flags,
]

async function openDisplay(): Promise<
  { env: { DISPLAY: string }; server: ChildProcess } | undefined
> {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error('Electron needs a display or Xvfb', { cause })),
    )
    server.stdio[3]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
  })
  return { env: { DISPLAY: `:${number}` }, server }
}
