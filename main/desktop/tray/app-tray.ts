import { Menu, type MenuItemConstructorOptions, type NativeImage, Tray } from 'electron'
import type { Log } from '../../base/log/log.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import { createTraySummary, type TraySummary } from '../../manage/server/tray-summary.ts'
import type { ConsoleCalls } from '../console-calls.ts'
import type { DesktopTexts } from '../desktop-texts.ts'
import { type TrayActions, trayMenu } from './tray-menu.ts'

export interface AppTrayOptions {
  parts: GatewayParts
  calls: Pick<ConsoleCalls, 'call'>
  image: NativeImage
  /** The default port, where another program had it. */
  takenPort: number | null
  texts: DesktopTexts
  locale: string
  log: Log
  open(path?: string): void
  copyBaseUrl(): void
  quit(): void
  platform?: NodeJS.Platform
}

/** Milliseconds: figures that change with every call are read this often at most. */
const PACE = 2_000
/** Milliseconds after which a menu that was never said to be closed counts as closed. */
const LONGEST_OPEN = 60_000

/**
 * The icon that stays while the window is hidden; its maker keeps it, or it vanishes. Its menu is
 * read anew when something happens, and set only when it has changed and nobody is looking at it: a menu that
 * is replaced while it is open closes or misses its clicks.
 *
 * https://www.electronjs.org/docs/latest/api/tray
 */
export class AppTray {
  readonly #options: AppTrayOptions
  readonly #platform: NodeJS.Platform
  readonly #tray: Tray
  readonly #read: () => TraySummary
  readonly #endings: (() => void)[]
  #shown = ''
  /** When the menu was opened, `performance.now()`; null while it is closed. */
  #openedAt: number | null = null
  #timer: NodeJS.Timeout | undefined
  #dayTimer: NodeJS.Timeout | undefined

  constructor(options: AppTrayOptions) {
    const { parts, image, platform = process.platform } = options
    this.#options = options
    this.#platform = platform
    this.#read = createTraySummary(parts)
    this.#tray = new Tray(image)
    // macOS shows the menu on every click. Elsewhere this comes of the left button on Windows, and on Linux of an
    // activation, with which the desktop shows no menu.
    if (platform !== 'darwin') this.#tray.on('click', () => options.open())
    const soon = () => this.#refreshIn(PACE)
    this.#endings = [
      parts.events.on('calls', soon),
      parts.events.on('server', soon),
      parts.openCalls.onChange(soon),
    ]
    this.refresh()
    this.#atMidnight()
  }

  /** Reads the figures, and sets the menu if it says something else now. */
  refresh(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#tray.isDestroyed()) return
    if (this.#isOpen) {
      this.#refreshIn(PACE)
      return
    }
    const { texts, locale, takenPort, log } = this.#options
    try {
      const glance = this.#read()
      const facts = { glance, takenPort, texts, locale, platform: this.#platform }
      const paused = glance.pausedSince === null ? '' : ` · ${texts.paused}`
      this.#show(trayMenu(facts, this.#actions), `Switchyard · ${glance.url}${paused}`)
    } catch (error) {
      log.error({ err: error }, 'the tray menu could not be made')
    }
  }

  destroy(): void {
    for (const end of this.#endings) end()
    clearTimeout(this.#timer)
    clearTimeout(this.#dayTimer)
    if (!this.#tray.isDestroyed()) this.#tray.destroy()
  }

  get #isOpen(): boolean {
    return this.#openedAt !== null && performance.now() - this.#openedAt < LONGEST_OPEN
  }

  get #actions(): TrayActions {
    const { open, copyBaseUrl, quit } = this.#options
    return {
      open,
      copyBaseUrl,
      quit,
      setPaused: (isPaused) => this.#run(isPaused ? 'server.pause' : 'server.resume', {}),
      setChannel: (id, isOn) => this.#run('channel.status', { id, status: isOn ? 1 : 2 }),
    }
  }

  /** The same operation as the console's, so that its rules and its log are. */
  #run(name: string, input: object): void {
    const { calls, log, open } = this.#options
    void calls.call(name, input).then((result) => {
      if (!result.ok) {
        log.warn({ operation: name, code: result.error.code }, 'an action of the tray failed')
        open()
      }
      // A checkbox has changed by itself: the menu is set again also where nothing else did.
      this.#shown = ''
      this.refresh()
    })
  }

  #show(items: MenuItemConstructorOptions[], toolTip: string): void {
    const text = JSON.stringify([items, toolTip])
    if (text === this.#shown) return
    this.#shown = text
    const menu = Menu.buildFromTemplate(items)
    menu.on('menu-will-show', () => {
      this.#openedAt = performance.now()
    })
    menu.on('menu-will-close', () => {
      this.#openedAt = null
      this.#refreshIn(0)
    })
    this.#openedAt = null
    this.#tray.setToolTip(toolTip)
    this.#tray.setContextMenu(menu)
  }

  /** A wait that has begun is not made longer, so that steady traffic does not put it off for ever. */
  #refreshIn(milliseconds: number): void {
    if (this.#timer && milliseconds > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.refresh(), milliseconds)
    this.#timer.unref()
  }

  #atMidnight(): void {
    const midnight = new Date().setHours(24, 0, 1, 0)
    this.#dayTimer = setTimeout(() => {
      this.refresh()
      this.#atMidnight()
    }, midnight - Date.now())
    this.#dayTimer.unref()
  }
}
