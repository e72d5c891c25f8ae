import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import type { WebContents, WebPreferences } from 'electron'
import { pageScript, preloadScript, wireName } from '../desktop/preload-script.ts'
import { createWire } from '../desktop/wire.ts'
import { app, stoppableEvent } from './app.ts'
import { destroyable } from './destroyable.ts'
import { assertCloneable, ipcMain } from './ipc.ts'
import { LoadError } from './load-error.ts'
import { answerRequest } from './protocol.ts'

const wire = createWire()

/** A preload's message as `createWire` packs it. */
interface Packed {
  id?: number
  channel: string
  parameters: unknown[]
}

type World = Record<string, (...parameters: unknown[]) => void>

let lastId = 0

/**
 * The page of a window that no test looks at, for a browser takes more than all the rest of a start: a document
 * without content and the preload beside it, each in a world of its own, in this process. It cannot crash, and goes
 * nowhere but to the app's own pages.
 */
export class UnseenWebContents
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
      | 'send'
      | 'setWindowOpenHandler'
    >
{
  readonly id = ++lastId
  /** The object handed to the app: unusable once it is destroyed. */
  readonly self: UnseenWebContents = destroyable(this)
  readonly #preload: string
  #page = createContext({})
  #preloadWorld: World = {}
  #url = ''
  #isLoading = false
  #destroyed = false

  constructor({ preload }: WebPreferences) {
    super()
    this.#preload = preload === undefined ? '' : readFileSync(preload, 'utf8')
    app.emit('web-contents-created', stoppableEvent({}), this.self)
  }

  async loadURL(url: string): Promise<void> {
    if (!url.startsWith('app:')) throw new Error(`A page that nobody sees cannot load ${url}`)
    this.#isLoading = true
    const details = { url, isMainFrame: true, isSameDocument: false }
    this.emit('did-start-navigation', stoppableEvent(details), url, false, true)
    const { status } = await answerRequest({ url, method: 'GET', headers: {}, body: null })
    this.#isLoading = false
    if (this.#destroyed || status !== 200) throw new LoadError('ERR_FAILED', url)
    this.#url = url
    this.#open()
    this.emit('did-frame-navigate', {}, url, 200, 'OK', true, 1, 1)
    this.emit('did-navigate', {}, url, 200, 'OK')
    this.emit('did-finish-load')
  }

  #open(): void {
    const documentElement = { hasAttribute: () => false }
    const document = Object.assign(new EventTarget(), { documentElement })
    const createWorld = (own: object) => {
      const window = createContext({ document, CustomEvent, structuredClone, atob, btoa, ...own })
      return createContext(Object.assign(window, { window, top: window }))
    }
    this.#page = createWorld({})
    const preloadWorld = createWorld({ [wireName]: (text: string) => this.#hear(text) })
    this.#preloadWorld = preloadWorld as World
    runInContext(pageScript('unseen'), this.#page)
    runInContext(preloadScript('unseen', this.#preload, false), preloadWorld)
  }

  #hear(text: string): void {
    const { standInReply } = this.#preloadWorld
    const { id, channel, parameters } = wire.unpack(text) as Packed
    const url = this.#url
    // Messages between processes arrive later.
    setImmediate(() =>
      ipcMain.hear(this.self, {
        ...(id === undefined ? {} : { id }),
        channel,
        parameters,
        frame: () => ({ url, parent: null }),
        answer: (value) => standInReply?.(id, wire.pack(value)),
      }),
    )
  }

  async executeJavaScript(code: string): Promise<unknown> {
    return runInContext(code, this.#page)
  }

  send(channel: string, ...parameters: unknown[]): void {
    assertCloneable(parameters)
    this.#preloadWorld.standInDeliver?.(wire.pack([[channel, parameters]]))
  }

  getURL(): string {
    return this.#url
  }

  /** No page asks it for a window. */
  setWindowOpenHandler(): void {}

  isCrashed(): boolean {
    return false
  }

  isLoadingMainFrame(): boolean {
    return this.#isLoading
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.emit('destroyed')
  }
}
