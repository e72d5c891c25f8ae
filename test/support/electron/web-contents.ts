import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { WebContents, WebPreferences } from 'electron'
import type { Page, Route } from 'playwright'
import { PreloadWorld, type WorldListener } from '../desktop/preload-world.ts'
import { app, stoppableEvent } from './app.ts'
import { openPage, toAppUrl, toBrowserUrl } from './browser.ts'
import { destroyable } from './destroyable.ts'
import { assertCloneable, ipcMain } from './ipc.ts'
import { LoadError, loadErrorOf } from './load-error.ts'
import { answerRequest } from './protocol.ts'
import { permittedBy } from './session.ts'

type OpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0]

let lastId = 0

/** The browser's own page of a failed load comes a little later, and would interrupt whatever is loaded next. */
const errorShown =
  (page: Page) =>
  async (error: unknown): Promise<never> => {
    const hasErrorPage = /net::(?!ERR_ABORTED)/.test(String(error))
    if (hasErrorPage) {
      await page
        .waitForURL(/^chrome-error:/, { timeout: 2_000, waitUntil: 'commit' })
        .catch(() => {})
    }
    throw error
  }

/** A page of the browser, with the preload beside it and its requests answered by the app. */
export class StandInWebContents
  extends EventEmitter
  implements
    Pick<
      WebContents,
      | 'executeJavaScript'
      | 'forcefullyCrashRenderer'
      | 'getURL'
      | 'id'
      | 'isCrashed'
      | 'isDestroyed'
      | 'isLoadingMainFrame'
      | 'loadURL'
      | 'reload'
      | 'send'
    >
{
  readonly id = ++lastId
  /** The object handed to the app: unusable once it is destroyed. */
  readonly self: StandInWebContents = destroyable(this)
  readonly #preferences: WebPreferences
  #page: Promise<Page>
  #world: PreloadWorld | undefined
  #url = ''
  /** The URL that the app itself asked for, as the browser names it. */
  #expected: string | undefined
  #loading = 0
  #crashed = false
  #destroyed = false
  #openHandler: OpenHandler | undefined
  #outbox: [string, unknown[]][] = []
  #delivering = false

  constructor(preferences: WebPreferences) {
    super()
    this.#preferences = preferences
    this.#page = this.#open()
    app.emit('web-contents-created', stoppableEvent({}), this.self)
  }

  async #open(): Promise<Page> {
    const page = await openPage()
    const { preload: path, nodeIntegrationInSubFrames = false } = this.#preferences
    const preload = path === undefined ? undefined : readFileSync(path, 'utf8')
    this.#world = await PreloadWorld.open(
      page,
      preload,
      nodeIntegrationInSubFrames,
      this.#listener(page),
    )
    await page.route('**/*', (route) => this.#answer(page, route))
    page.on('crash', () => this.#crash('crashed'))
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Page.enable')
    devtools.on('Page.windowOpen', ({ url }) =>
      this.#openHandler?.({ url: toAppUrl(url) } as never),
    )
    // The browser has opened the window by now: the handler's refusal is carried out by closing it.
    page.on('popup', (popup) => void popup.close())
    return page
  }

  #listener(page: Page): WorldListener {
    const isGone = () => this.#destroyed || this.#crashed || page.isClosed()
    return {
      message: (message) => isGone() || ipcMain.hear(this.self, message),
      committed: (url) => {
        if (isGone()) return
        this.#url = url
        this.emit('did-frame-navigate', {}, url, 200, 'OK', true, 1, 1)
        this.emit('did-navigate', {}, url, 200, 'OK')
      },
      // That it is an error is told where it is known which.
      committedError: (url) => {
        this.#url = url
      },
      navigatedInPage: (url) => {
        if (isGone()) return
        const details = { url, isMainFrame: true, isSameDocument: true }
        this.emit('did-start-navigation', stoppableEvent(details), url, true, true)
        this.#url = url
        this.emit('did-navigate-in-page', {}, url, true, 1, 1)
      },
    }
  }

  /** Gives the browser a request's answer; of the page itself, as often as the app lets it go there. */
  async #answer(page: Page, route: Route): Promise<void> {
    const request = route.request()
    const url = toAppUrl(request.url())
    const isPage = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (isPage) {
      const isOwn = this.#expected === request.url()
      this.#expected = undefined
      if (!this.#mayStart(url, isOwn)) return route.abort('aborted')
      await this.#permit(page, url)
    }
    try {
      if (url === request.url()) return await this.#answerFromNetwork(route, isPage)
      const response = await answerRequest({
        url,
        method: request.method(),
        headers: await request.allHeaders(),
        body: request.postDataBuffer(),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: isPage && process.env.STAND_IN_PAGE === 'empty' ? '<!doctype html>' : bytes,
      })
    } catch (error) {
      console.error(error)
      await route.abort('failed').catch(() => {})
    }
  }

  /**
   * A navigation is told of when it starts, and only then asked about; Electron asks only about what the page does:
   * `loadURL` and `reload` are the app's own.
   */
  #mayStart(url: string, isOwn: boolean): boolean {
    const details = { url, isMainFrame: true, isSameDocument: false }
    this.emit('did-start-navigation', stoppableEvent({ ...details }), url, false, true)
    if (isOwn) return true
    for (const name of ['will-frame-navigate', 'will-navigate']) {
      const event = stoppableEvent({ ...details })
      this.emit(name, event)
      if (event.defaultPrevented) return false
    }
    return true
  }

  async #answerFromNetwork(route: Route, isPage: boolean): Promise<void> {
    if (!isPage) return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const { location } = response.headers()
    if (response.status() >= 300 && response.status() < 400 && location !== undefined) {
      const url = new URL(location, route.request().url()).href
      const event = stoppableEvent({ url, isMainFrame: true, isSameDocument: false })
      this.emit('will-redirect', event)
      if (event.defaultPrevented) return route.abort('aborted')
    }
    return route.fulfill({ response })
  }

  async #permit(page: Page, url: string): Promise<void> {
    if (!url.startsWith('app:')) return
    const { origin } = new URL(toBrowserUrl(url))
    const granted = permittedBy(this.self, url)
    await page.context().clearPermissions()
    await page.context().grantPermissions(granted, { origin })
  }

  loadURL(url: string): Promise<void> {
    const loaded = this.#load(url, async (page) => {
      this.#expected = toBrowserUrl(url)
      if (!/^(app|https?):/.test(url)) this.#mayStart(url, true)
      await page.goto(toBrowserUrl(url))
    })
    // Electron's own promise does not ask to be looked after either.
    loaded.catch(() => {})
    return loaded
  }

  async #load(url: string, go: (page: Page) => Promise<unknown>): Promise<void> {
    if (this.#crashed) {
      this.#crashed = false
      void this.#page.then((page) => page.close()).catch(() => {})
      this.#page = this.#open()
    }
    this.#loading++
    const gone = new Promise<never>((_resolve, reject) => {
      const fail = () => reject(new LoadError('ERR_FAILED', url))
      this.once('destroyed', fail)
      this.once('render-process-gone', fail)
    })
    gone.catch(() => {})
    try {
      await Promise.race([this.#page.then((page) => go(page).catch(errorShown(page))), gone])
      this.emit('did-finish-load')
    } catch (error) {
      throw this.#fail(error instanceof LoadError ? error : loadErrorOf(error, url))
    } finally {
      this.#loading--
    }
  }

  #fail(error: LoadError): LoadError {
    if (this.#destroyed || this.#crashed || error.code === 'ERR_ABORTED') return error
    for (const name of ['did-fail-provisional-load', 'did-fail-load']) {
      this.emit(name, {}, error.errno, error.code, error.url, true, 1, 1)
    }
    return error
  }

  reload(): void {
    const url = this.#url
    this.#load(url, async (page) => {
      this.#expected = toBrowserUrl(url)
      if (page.url() === toBrowserUrl(url)) await page.reload()
      else await page.goto(toBrowserUrl(url))
    }).catch(() => {})
  }

  send(channel: string, ...parameters: unknown[]): void {
    assertCloneable(parameters)
    this.#outbox.push([channel, parameters])
    void this.#deliver()
  }

  /** One delivery at a time, so that messages arrive in the order in which they were sent. */
  async #deliver(): Promise<void> {
    if (this.#delivering) return
    this.#delivering = true
    await this.#page
    while (this.#outbox.length > 0) await this.#world?.deliver(this.#outbox.splice(0))
    this.#delivering = false
  }

  async executeJavaScript(code: string): Promise<unknown> {
    // The browser's page is still there, but Electron's has no frame that could run anything.
    if (this.#crashed) throw new Error('Render frame was disposed before it could be accessed')
    return (await this.#page).evaluate(code)
  }

  getURL(): string {
    return this.#url
  }

  getLastWebPreferences(): WebPreferences {
    return this.#preferences
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  isCrashed(): boolean {
    return this.#crashed
  }

  isLoadingMainFrame(): boolean {
    return this.#loading > 0
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  forcefullyCrashRenderer(): void {
    this.#crash('killed')
  }

  #crash(reason: string): void {
    if (this.#crashed || this.#destroyed) return
    this.#crashed = true
    this.emit('render-process-gone', {}, { reason, exitCode: 1 })
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.emit('destroyed')
    void this.#page.then((page) => page.close()).catch(() => {})
  }
}
