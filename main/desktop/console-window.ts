import { BrowserWindow, nativeTheme } from 'electron'
import type { Log } from '../base/log.ts'
import { consoleUrl, isConsoleUrl } from './console-protocol.ts'

/** A page that crashes again and again is loaded anew at most this often in a minute. */
const MOST_RELOADS = 3
const MINUTE = 60_000

export interface ConsoleWindowOptions {
  /** Absolute path of the built preload. */
  preload: string
  /** Says whether the app is on its way out; until then closing only hides. */
  isQuitting(): boolean
  /** Hears of each window that is made, before it loads anything. */
  onMade(window: BrowserWindow): void
  log: Log
}

/**
 * The console's window: made when it is first shown, hidden when it is closed, and made anew where it was after
 * it had to go. Nothing here fails on a window that is gone.
 */
export class ConsoleWindow {
  readonly #options: ConsoleWindowOptions
  #window: BrowserWindow | undefined
  /** Whether its user wants to see it: also while it loads, leaves fullscreen or is made anew. */
  #isWanted = false
  #reloads: number[] = []

  constructor(options: ConsoleWindowOptions) {
    this.#options = options
  }

  get current(): BrowserWindow | undefined {
    return this.#window?.isDestroyed() ? undefined : this.#window
  }

  /** Brings the window to the front; makes it if there is none. `path` is a page of the console, like `/calls`. */
  show(path?: string): void {
    if (this.#options.isQuitting()) return
    this.#isWanted = true
    const window = this.current
    if (!window) {
      this.#make(path)
      return
    }
    const { webContents } = window
    if (path !== undefined) this.#open(window, path)
    else if (webContents.isCrashed()) webContents.reload()
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  hide(): void {
    this.#isWanted = false
    const window = this.current
    if (!window) return
    if (!window.isFullScreen()) {
      window.hide()
      return
    }
    // macOS leaves a black screen behind when a window is hidden in fullscreen, and leaves fullscreen slowly.
    window.once('leave-full-screen', () => {
      if (!this.#isWanted) this.current?.hide()
    })
    window.setFullScreen(false)
  }

  destroy(): void {
    this.#isWanted = false
    this.current?.destroy()
    this.#window = undefined
  }

  #make(path?: string): void {
    const window = new BrowserWindow({
      title: 'Switchyard',
      width: 1280,
      height: 820,
      minWidth: 900,
      minHeight: 600,
      show: false,
      // The page's own colours, so that nothing flashes before the first paint.
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
      webPreferences: {
        preload: this.#options.preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
      },
    })
    this.#window = window
    this.#options.onMade(window)
    window.once('ready-to-show', () => {
      if (this.#isWanted) this.current?.show()
    })
    window.on('close', (event) => {
      if (this.#options.isQuitting()) return
      event.preventDefault()
      this.hide()
    })
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      this.#options.log.error({ reason, exitCode }, 'the page of the console has crashed')
      this.#loadAnew(window)
    })
    this.#load(window, urlOf(path))
  }

  /** In the page itself, so that nothing in it is loaded anew; by loading where there is no page to ask. */
  #open(window: BrowserWindow, path: string): void {
    const { webContents } = window
    const url = urlOf(path)
    if (webContents.isCrashed() || webContents.isLoadingMainFrame()) {
      this.#load(window, url)
      return
    }
    if (!isConsoleUrl(webContents.getURL())) {
      this.#load(window, url)
      return
    }
    const { pathname, search, hash } = new URL(url)
    const target = JSON.stringify(pathname + search + hash)
    webContents.executeJavaScript(`history.pushState(null, '', ${target})`).catch(() => {
      this.#load(window, url)
    })
  }

  /** After a crash: a window that is looked at gets its page back; a hidden one when it is shown. */
  #loadAnew(window: BrowserWindow): void {
    if (!this.#isWanted || this.#options.isQuitting()) return
    const now = performance.now()
    this.#reloads = [...this.#reloads.filter((at) => now - at < MINUTE), now]
    if (this.#reloads.length > MOST_RELOADS) return
    // Not within the event itself, in which the contents are still those that crashed.
    setImmediate(() => {
      if (!window.isDestroyed()) window.webContents.reload()
    })
  }

  /** What cannot be loaded is no reason to end: the gateway works without its console. */
  #load(window: BrowserWindow, url: string): void {
    window.loadURL(url).catch((error: unknown) => {
      const isGone = window.isDestroyed() || this.#options.isQuitting()
      if (!isGone) this.#options.log.error({ err: error }, 'the console could not be loaded')
    })
  }
}

/** Throws for what is no page of the console. */
function urlOf(path = '/'): string {
  const url = new URL(`.${path}`, consoleUrl).href
  if (!path.startsWith('/') || !isConsoleUrl(url))
    throw new Error(`${path} is no page of the console`)
  return url
}
