import { BrowserWindow, nativeTheme } from 'electron'
import type { Log } from '../base/log/log.ts'
import { consoleUrl, isConsoleUrl } from './console-protocol.ts'
import type { DesktopTexts } from './desktop-texts.ts'
import { recoverPage } from './page-recovery.ts'
import { keepBounds, readBounds } from './window-bounds.ts'

/** A page that nobody looks at is let go after so many milliseconds, with the 100 MB and more that it takes. */
const LONGEST_HIDDEN = 600_000
/** While it is still at work it is looked at again after so many. */
const LOOK_AGAIN = 60_000
/** Milliseconds that a page has to say whether it holds edits; one that hangs never says. */
const ANSWER_LIMIT = 1_000

export interface ConsoleWindowOptions {
  /** Absolute path of the built preload. */
  preload: string
  /** Absolute path of the file that keeps where the window was. */
  boundsFile: string
  /** Says whether the app is on its way out; until then closing only hides. */
  isQuitting(): boolean
  /** Whether the page has running calls or streams. */
  isBusy(): boolean
  /** Hears of each window that is made, before it loads anything. */
  onMade(window: BrowserWindow): void
  texts: DesktopTexts
  log: Log
}

/**
 * The console's window: made when it is first shown, hidden when it is closed, let go when it is hidden for
 * long, and made anew where it was. Nothing here fails on a window that is gone.
 */
export class ConsoleWindow {
  readonly #options: ConsoleWindowOptions
  #window: BrowserWindow | undefined
  /** Whether its user wants to see it: also while it loads, leaves fullscreen or is made anew. */
  #isWanted = false
  #lastUrl = consoleUrl
  #letGoTimer: NodeJS.Timeout | undefined

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
    clearTimeout(this.#letGoTimer)
    const url = path === undefined ? undefined : urlOf(path)
    const window = this.current
    if (!window) {
      this.#make(url ?? this.#lastUrl)
      return
    }
    if (url !== undefined) this.#open(window, url)
    else if (window.webContents.isCrashed()) this.#load(window, this.#urlOf(window))
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  /** Whether its page holds what was typed and not saved; null where no page could. */
  hasEdits(): Promise<boolean> | null {
    const contents = this.current?.webContents
    if (!contents || contents.isCrashed() || !isConsoleUrl(contents.getURL())) return null
    const asked = contents
      .executeJavaScript("document.documentElement.hasAttribute('data-unsaved')")
      .then((has) => has === true)
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, ANSWER_LIMIT, false))
    return Promise.race([asked, late]).catch(() => false)
  }

  hide(): void {
    this.#isWanted = false
    const window = this.current
    if (!window) return
    this.#letGoIn(LONGEST_HIDDEN)
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
    clearTimeout(this.#letGoTimer)
    const window = this.current
    this.#window = undefined
    if (!window) return
    this.#lastUrl = this.#urlOf(window)
    window.destroy()
  }

  #make(url: string): void {
    const { preload, boundsFile, isQuitting, onMade, texts, log } = this.#options
    const bounds = readBounds(boundsFile)
    const window = new BrowserWindow({
      title: 'Switchyard',
      width: bounds?.width ?? 1280,
      height: bounds?.height ?? 820,
      ...(bounds && { x: bounds.x, y: bounds.y }),
      minWidth: 900,
      minHeight: 600,
      show: false,
      // The page's own colours, so that nothing flashes before the first paint.
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
      webPreferences: {
        preload,
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
    window.once('ready-to-show', () => {
      if (!this.#isWanted) return
      // Not before: maximizing shows a window.
      if (bounds?.isMaximized) window.maximize()
      window.show()
    })
    window.on('close', (event) => {
      if (isQuitting()) return
      event.preventDefault()
      this.hide()
    })
    keepBounds(window, boundsFile, log)
    recoverPage(window, {
      isWanted: () => this.#isWanted && !isQuitting(),
      loadAnew: () => this.#load(window, this.#urlOf(window)),
      texts,
      log,
    })
    onMade(window)
    this.#load(window, url)
  }

  /**
   * In the page itself, which asks about its edits first, so that nothing in it is lost; by loading where there is no
   * page to ask.
   */
  #open(window: BrowserWindow, url: string): void {
    const { webContents } = window
    const hasPage =
      !webContents.isCrashed() &&
      !webContents.isLoadingMainFrame() &&
      isConsoleUrl(webContents.getURL())
    if (!hasPage) {
      this.#load(window, url)
      return
    }
    const { pathname, search, hash } = new URL(url)
    const target = JSON.stringify(pathname + search + hash)
    const open = `dispatchEvent(new CustomEvent('console-open', { detail: ${target}, cancelable: true })) && history.pushState(null, '', ${target})`
    webContents.executeJavaScript(open).catch(() => {
      if (!window.isDestroyed()) this.#load(window, url)
    })
  }

  /** Where its page is, or is on its way to. */
  #urlOf(window: BrowserWindow): string {
    const url = window.webContents.getURL()
    return isConsoleUrl(url) ? url : this.#lastUrl
  }

  /** A page that cannot be loaded does not end the app: the gateway works without its console. */
  #load(window: BrowserWindow, url: string): void {
    this.#lastUrl = url
    window.loadURL(url).catch((error: unknown) => {
      const isGivenUp = window.isDestroyed() || this.#options.isQuitting()
      if (!isGivenUp) this.#options.log.warn({ err: error }, 'the console did not load')
    })
  }

  #letGoIn(milliseconds: number): void {
    clearTimeout(this.#letGoTimer)
    this.#letGoTimer = setTimeout(async () => {
      const isNeeded = this.#options.isBusy() || (await this.hasEdits())
      if (this.#isWanted) return
      if (isNeeded) this.#letGoIn(LOOK_AGAIN)
      else this.destroy()
    }, milliseconds)
  }
}

/** Throws if the path isn't a page of the console. */
function urlOf(path: string): string {
  const url = new URL(`.${path}`, consoleUrl).href
  if (!path.startsWith('/') || !isConsoleUrl(url))
    throw new Error(`${path} isn't a page of the console`)
  return url
}
