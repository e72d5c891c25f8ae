import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { App } from 'electron'
import { closeBrowser } from './browser.ts'
import { getLoginItemSettings, setLoginItemSettings } from './login-items.ts'

interface Closable {
  isDestroyed(): boolean
  close(): void
  destroy(): void
}

/** An event whose listeners may prevent its default. */
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

/** Prefix of the files in which second processes leave their news for the first. */
const SECOND = 'SecondInstance-'

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
      | 'getLoginItemSettings'
      | 'getName'
      | 'getPath'
      | 'getVersion'
      | 'isPackaged'
      | 'isReady'
      | 'quit'
      | 'requestSingleInstanceLock'
      | 'setAsDefaultProtocolClient'
      | 'setLoginItemSettings'
      | 'setPath'
      | 'whenReady'
    >
{
  /** STAND_IN_PACKAGED=1 is an installed app. */
  readonly isPackaged = process.env.STAND_IN_PACKAGED === '1'
  readonly getLoginItemSettings = getLoginItemSettings
  readonly setLoginItemSettings = setLoginItemSettings
  readonly windows = new Set<Closable>()
  #ready = false
  #quitting = false
  #exiting = false
  #lock: string | undefined
  #paths = new Map<string, string>()

  whenReady(): Promise<void> {
    if (this.#ready) return Promise.resolve()
    return new Promise((resolve) => this.once('ready', () => resolve()))
  }

  /** Called once the entry has run to its end: an entry that waits for it at its top level waits forever. */
  async becomeReady(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) this.#takeOver(signal)
    const platform = process.env.STAND_IN_PLATFORM
    if (platform !== undefined) {
      // Modules compiled for this machine are looked up under its real platform's name.
      process.env.npm_config_platform = process.platform
      Object.defineProperty(process, 'platform', { value: platform })
    }
    this.#ready = true
    this.emit('ready', stoppableEvent({}), {})
  }

  /**
   * Chromium takes a signal from listeners set before it was ready, quits at the first, and leaves the second to
   * the system, which kills. A listener set from then on takes it from Chromium.
   */
  #takeOver(signal: NodeJS.Signals): void {
    process.removeAllListeners(signal)
    const quit = () => {
      if (process.listenerCount(signal) > 1) return
      process.off(signal, quit)
      this.quit()
    }
    process.on(signal, quit)
  }

  isReady(): boolean {
    return this.#ready
  }

  /** It also takes `--no-sandbox` back, without which Chromium starts nothing for root. */
  enableSandbox(): void {
    this.onlyBeforeReady('app.enableSandbox')
    if (process.platform === 'linux' && process.getuid?.() === 0) {
      process.stderr.write('Running as root without --no-sandbox is not supported.\n')
      process.exit(1)
    }
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
    return this.#ready ? (process.env.STAND_IN_LOCALE ?? 'en-US') : ''
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
    if (!isAbsolute(path)) throw new Error('Path must be absolute')
    if (!existsSync(path)) throw new Error('Failed to set path')
    this.#paths.set(wanted, path)
  }

  /** One lock a `userData` folder, as in Chromium; the signal is how the second process tells the first. */
  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    const folder = this.getPath('userData')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'SingletonLock')
    const holder = existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined
    if (holder !== undefined && isAlive(holder)) {
      const second = { argv: process.argv, cwd: process.cwd(), additionalData }
      writeFileSync(join(folder, `${SECOND}${process.pid}`), JSON.stringify(second))
      process.kill(holder, 'SIGUSR2')
      return false
    }
    writeFileSync(path, String(process.pid))
    this.#lock = path
    process.on('SIGUSR2', () => this.#tellOfSeconds(folder))
    return true
  }

  /** Signals may come twice or as one: what counts is what the second processes left. */
  #tellOfSeconds(folder: string): void {
    for (const left of readdirSync(folder).filter((name) => name.startsWith(SECOND))) {
      const { argv, cwd, additionalData } = JSON.parse(readFileSync(join(folder, left), 'utf8'))
      rmSync(join(folder, left))
      // "This event is guaranteed to be emitted after the `ready` event of `app` gets emitted."
      void this.whenReady().then(() =>
        this.emit('second-instance', stoppableEvent({}), argv, cwd, additionalData),
      )
    }
  }

  /** The protocols of this app, with their command lines. */
  readonly protocolClients = new Map<string, readonly string[]>()

  setAsDefaultProtocolClient(protocol: string, path = process.execPath, args: string[] = []) {
    if (!/^[a-z][a-z\d+.-]*$/i.test(protocol)) throw new Error('The protocol goes without ://')
    this.protocolClients.set(protocol, [path, ...args])
    return true
  }

  quit(): void {
    if (this.#quitting) return
    const before = stoppableEvent({})
    this.emit('before-quit', before)
    if (before.defaultPrevented) return
    this.#quitting = true
    if (this.windows.size === 0) this.#notifyAndExit()
    else for (const window of [...this.windows]) if (this.#quitting) window.close()
  }

  #notifyAndExit(): void {
    const will = stoppableEvent({})
    this.emit('will-quit', will)
    if (will.defaultPrevented) this.#quitting = false
    else this.exit(0)
  }

  exit(code = 0): void {
    if (this.#exiting) return
    this.#exiting = true
    this.#quitting = true
    for (const window of [...this.windows]) window.destroy()
    this.emit('quit', stoppableEvent({}), code)
    if (this.#lock) rmSync(this.#lock, { force: true })
    void closeBrowser().finally(() => process.exit(code))
  }

  /** A window that stays keeps the app from quitting. */
  closeCancelled(): void {
    this.#quitting = false
  }

  windowClosed(window: Closable): void {
    this.windows.delete(window)
    if (this.windows.size > 0 || this.#exiting) return
    if (this.#quitting) this.#notifyAndExit()
    else if (!this.emit('window-all-closed')) this.quit()
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
