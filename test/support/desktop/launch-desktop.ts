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
   * True where the test asks the window's bridge and never looks at its console: the stand-in then shows a page that
   * is empty but for the preload, which takes a third of the processor time. A real Electron shows the console.
   */
  isBlank?: boolean
}

/** True where the suite runs on Electron itself. */
export const isRealElectron = realElectron !== undefined

/** Said once, at the top of the suite. */
export const desktopRanOn = isRealElectron
  ? `Desktop ran on: Electron (${realElectron})`
  : 'Desktop ran on: the stand-in (no Electron binary here)'

const environment = ({ folder, env, isBlank = false }: LaunchOptions): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  ),
  SWITCHYARD_DATA_DIR: folder,
  SWITCHYARD_PORT: '0',
  ...(isBlank && { STAND_IN_BLANK_PAGE: '1' }),
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
