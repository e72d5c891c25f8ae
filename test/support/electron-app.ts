import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { App } from 'electron'
import { closeBrowser, openBrowser } from './electron-browser.ts'

interface Closable {
  isDestroyed(): boolean
  close(): void
  destroy(): void
}

/** What Electron hands to a listener that may say no. */
export interface StoppableEvent {
  readonly defaultPrevented: boolean
  preventDefault(): void
}

export function stoppableEvent<Details extends object>(details: Details): Details & StoppableEvent {
  let prevented = false
  return Object.defineProperty(
    Object.assign(details, {
      defaultPrevented: false,
      preventDefault() {
        prevented = true
      },
    }),
    'defaultPrevented',
    { get: () => prevented },
  )
}

const { name, productName, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'name' | 'productName' | 'version',
  string
>

/** `app`: its life runs as Electron's does, from `ready` to `quit`, in a process of its own. */
class StandInApp
  extends EventEmitter
  implements
    Pick<
      App,
      | 'enableSandbox'
      | 'exit'
      | 'getAppPath'
      | 'getLocale'
      | 'getName'
      | 'getPath'
      | 'getVersion'
      | 'isPackaged'
      | 'isReady'
      | 'quit'
      | 'requestSingleInstanceLock'
      | 'setPath'
      | 'whenReady'
    >
{
  readonly isPackaged = false
  readonly windows = new Set<Closable>()
  #ready = false
  #quitting = false
  #lock: string | undefined
  #paths = new Map<string, string>()
  #becomesReady: Promise<void> | undefined

  whenReady(): Promise<void> {
    this.#becomesReady ??= this.#start()
    return this.#becomesReady
  }

  async #start(): Promise<void> {
    await openBrowser()
    process.on('SIGTERM', () => this.quit())
    process.on('SIGINT', () => this.quit())
    this.#ready = true
    this.emit('ready')
  }

  isReady(): boolean {
    return this.#ready
  }

  enableSandbox(): void {
    this.onlyBeforeReady('app.enableSandbox')
  }

  onlyBeforeReady(call: string): void {
    if (this.#ready) throw new Error(`${call} can only be called before app is ready`)
  }

  onlyWhenReady(call: string): void {
    if (!this.#ready) throw new Error(`${call} cannot be used before app is ready`)
  }

  getName(): string {
    return productName || name
  }

  getVersion(): string {
    return version
  }

  getLocale(): string {
    return process.env.STAND_IN_LOCALE ?? 'en-US'
  }

  getAppPath(): string {
    return process.cwd()
  }

  getPath(wanted: string): string {
    const set = this.#paths.get(wanted)
    if (set) return set
    const appData = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config')
    if (wanted === 'appData') return appData
    if (wanted === 'userData') return join(appData, this.getName())
    throw new Error(`The stand-in knows no path '${wanted}'`)
  }

  setPath(wanted: string, path: string): void {
    this.#paths.set(wanted, path)
  }

  /** One lock a `userData` folder, as in Chromium; the signal is how the second process tells the first. */
  requestSingleInstanceLock(): boolean {
    const folder = this.getPath('userData')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'SingletonLock')
    const holder = existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined
    if (holder !== undefined && isAlive(holder)) {
      process.kill(holder, 'SIGUSR2')
      return false
    }
    writeFileSync(path, String(process.pid))
    this.#lock = path
    process.on('SIGUSR2', () => this.emit('second-instance', stoppableEvent({}), [], process.cwd()))
    return true
  }

  quit(): void {
    if (this.#quitting) return
    const before = stoppableEvent({})
    this.emit('before-quit', before)
    if (before.defaultPrevented) return
    for (const window of [...this.windows]) window.close()
    if (this.windows.size > 0) return
    const will = stoppableEvent({})
    this.emit('will-quit', will)
    if (!will.defaultPrevented) this.exit(0)
  }

  exit(code = 0): void {
    if (this.#quitting) return
    this.#quitting = true
    for (const window of [...this.windows]) window.destroy()
    this.emit('quit', stoppableEvent({}), code)
    if (this.#lock) rmSync(this.#lock, { force: true })
    void closeBrowser().finally(() => process.exit(code))
  }

  windowClosed(window: Closable): void {
    this.windows.delete(window)
    if (this.windows.size > 0 || this.#quitting) return
    if (!this.emit('window-all-closed')) this.quit()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const app = new StandInApp()
