import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Electron from 'electron'
import type { Page } from 'playwright'
import { launchElectron, realElectron, runElectron } from './launch-electron.ts'
import { launchStandIn } from './launch-stand-in.ts'

/** The desktop app in a process of its own, on whichever Electron this machine has. */
export interface Desktop {
  /** The console's page; waits until the window has loaded it. */
  page(): Promise<Page>
  /** Runs a function in the main process; it is sent as text, so it sees only its two parameters. */
  evaluate<Value, Argument>(
    run: (electron: typeof Electron, argument: Argument) => Value | Promise<Value>,
    argument: Argument,
  ): Promise<Value>
  /** The exit code, once the process has ended by itself. */
  readonly exited: Promise<number | null>
  /** Sends the process a signal. */
  kill(signal: NodeJS.Signals): void
  /** The process's stderr so far. */
  stderr(): string
  /** Ends the process and whatever it started. */
  close(): Promise<void>
}

export interface LaunchOptions {
  /** The data folder. */
  folder: string
  env?: Record<string, string>
  /** Flags of the command line. */
  flags?: string[]
  /**
   * Less than the console in the stand-in's window, for tests that don't look at it; a real Electron shows the console.
   * `empty`: a page of a browser that is empty but for the preload, for a third of the processor time. `none`: no
   * browser, but the bridge, which `callOperation` asks, for half of that.
   */
  page?: 'empty' | 'none'
}

/** True where the suite runs on Electron itself. */
export const isRealElectron = realElectron !== undefined

/** Said once, at the top of the suite. */
export const desktopRanOn = isRealElectron
  ? `Desktop ran on: Electron (${realElectron})`
  : 'Desktop ran on: the stand-in (no Electron binary here)'

const environment = ({ folder, env, page }: LaunchOptions): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  ),
  SWITCHYARD_DATA_DIR: folder,
  SWITCHYARD_PORT: '0',
  ...(page && { STAND_IN_PAGE: page }),
  ...env,
})

export function launchDesktop(options: LaunchOptions): Promise<Desktop> {
  const { flags = [] } = options
  return realElectron === undefined
    ? launchStandIn(environment(options), flags)
    : launchElectron(realElectron, environment(options), flags)
}

/** Starts the app once more on a folder that is in use; gives its exit code. */
export async function launchAgain(options: LaunchOptions): Promise<number | null> {
  const env = environment(options)
  if (realElectron !== undefined) return runElectron(realElectron, env)
  const desktop = await launchStandIn(env, [])
  return desktop.exited
}

/** A data folder of its own, and what removes it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'switchyard-desktop-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}
