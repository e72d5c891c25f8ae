import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { WebContents, WebPreferences } from 'electron'
import type { Frame, Page, Route } from 'playwright'
import { app, stoppableEvent } from './electron-app.ts'
import { browserContext, toAppUrl, toBrowserUrl } from './electron-browser.ts'
import { assertCloneable, ipcMain, type StandInIpcEvent } from './electron-ipc.ts'
import { rendererScript } from './electron-renderer.ts'
import { answerRequest, isPermitted } from './electron-shell.ts'

type OpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0]

let lastId = 0

/** A page of the browser, with the preload in it and its requests answered by the app. */
export class StandInWebContents
  extends EventEmitter
  implements
    Pick<
      WebContents,
      | 'executeJavaScript'
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
  readonly #preferences: WebPreferences
  readonly #page: Promise<Page>
  #url = ''
  #expected: string | undefined
  #destroyed = false
  #navigating = false
  #openHandler: OpenHandler | undefined
  #outbox: [string, unknown[]][] = []
  #delivering = false

  constructor(preferences: WebPreferences) {
    super()
    this.#preferences = preferences
    this.#page = this.#open()
    app.emit('web-contents-created', stoppableEvent({}), this)
  }

  async #open(): Promise<Page> {
    const page = await browserContext().newPage()
    await page.exposeBinding('standInInvoke', async ({ frame }, channel, parameters) => {
      try {
        return { value: await ipcMain.answer(this.#event(frame), channel, parameters) }
      } catch (error) {
        return { failure: String(error) }
      }
    })
    await page.exposeBinding('standInSend', ({ frame }, channel, parameters) => {
      ipcMain.emit(channel, this.#event(frame), ...parameters)
    })
    if (this.#preferences.preload !== undefined) {
      const preload = readFileSync(this.#preferences.preload, 'utf8')
      await page.addInitScript({ content: rendererScript(preload) })
    }
    await page.route('**/*', (route) => this.#answer(page, route))
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return
      this.#url = toAppUrl(frame.url())
      if (this.#navigating) this.emit('did-navigate', {}, this.#url, 200, 'OK')
      this.#navigating = false
    })
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }))
    const devtools = await browserContext().newCDPSession(page)
    await devtools.send('Page.enable')
    devtools.on('Page.windowOpen', ({ url }) =>
      this.#openHandler?.({ url: toAppUrl(url) } as never),
    )
    // The browser has opened the window by now: the handler's refusal is carried out by closing it.
    page.on('popup', (popup) => void popup.close())
    return page
  }

  #event(frame: Frame): StandInIpcEvent & { sender: StandInWebContents } {
    const parent = frame.parentFrame()
    const senderFrame = { url: toAppUrl(frame.url()), parent: parent && { url: parent.url() } }
    return { sender: this, senderFrame, type: 'frame' }
  }

  async #answer(page: Page, route: Route): Promise<void> {
    const request = route.request()
    const url = toAppUrl(request.url())
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      // Electron asks only about what the page does; `loadURL` is the app's own.
      if (this.#expected !== request.url()) {
        const event = stoppableEvent({ url, isMainFrame: true, isSameDocument: false })
        this.emit('will-navigate', event)
        if (event.defaultPrevented) return route.abort('aborted')
      }
      this.#expected = undefined
      this.#navigating = true
      this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false })
    }
    if (url === request.url()) return route.continue()
    try {
      const response = await answerRequest(new Request(url, { method: request.method() }))
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      })
    } catch {
      await route.abort('failed')
    }
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#page
    this.#expected = toBrowserUrl(url)
    if (isPermitted({ getURL: () => url }, 'clipboard-sanitized-write')) {
      await browserContext().grantPermissions(['clipboard-read', 'clipboard-write'])
    }
    await page.goto(this.#expected)
    this.emit('did-finish-load')
  }

  send(channel: string, ...parameters: unknown[]): void {
    if (this.#destroyed) throw new TypeError('Object has been destroyed')
    assertCloneable(parameters)
    this.#outbox.push([channel, parameters])
    void this.#deliver()
  }

  /** One delivery at a time, so that messages arrive in the order in which they were sent. */
  async #deliver(): Promise<void> {
    if (this.#delivering) return
    this.#delivering = true
    const page = await this.#page
    while (this.#outbox.length > 0) {
      const messages = this.#outbox.splice(0)
      await page
        .evaluate((sent) => {
          const deliver: unknown = Reflect.get(window, Symbol.for('stand-in.deliver'))
          if (typeof deliver === 'function') deliver(sent)
        }, messages)
        // Whoever leaves the page does not hear what was on its way.
        .catch(() => {})
    }
    this.#delivering = false
  }

  async executeJavaScript(code: string): Promise<unknown> {
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
    return false
  }

  isLoadingMainFrame(): boolean {
    return this.#navigating
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  reload(): void {
    void this.#page.then(async (page) => {
      this.#expected = page.url()
      await page.reload()
    })
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.emit('destroyed')
    void this.#page.then((page) => page.close()).catch(() => {})
  }
}
