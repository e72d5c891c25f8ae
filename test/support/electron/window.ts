import { EventEmitter } from 'node:events'
import type {
  BrowserWindowConstructorOptions,
  BaseWindow as RealBaseWindow,
  BrowserWindow as RealWindow,
  Rectangle,
} from 'electron'
import { app, stoppableEvent } from './app.ts'
import { destroyable } from './destroyable.ts'
import { UnseenWebContents } from './unseen-web-contents.ts'
import { StandInWebContents } from './web-contents.ts'

const WindowContents = process.env.STAND_IN_PAGE === 'none' ? UnseenWebContents : StandInWebContents

/** Milliseconds that fullscreen takes to come or go, as on macOS. */
const FULL_SCREEN = 200

/** A window whose frame on the screen is only remembered. */
export class BaseWindow
  extends EventEmitter
  implements
    Pick<
      RealBaseWindow,
      | 'close'
      | 'destroy'
      | 'focus'
      | 'getNormalBounds'
      | 'hide'
      | 'isDestroyed'
      | 'isFocused'
      | 'isFullScreen'
      | 'isMaximized'
      | 'isMinimized'
      | 'isVisible'
      | 'maximize'
      | 'minimize'
      | 'restore'
      | 'setBounds'
      | 'setFullScreen'
      | 'show'
      | 'unmaximize'
    >
{
  /** Whether a hidden one was in fullscreen then, which leaves macOS with a black screen. */
  wasHiddenInFullScreen = false
  #bounds: Rectangle
  #visible: boolean
  #minimized = false
  #maximized = false
  #fullScreen = false
  #focused = false
  #destroyed = false

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    app.onlyWhenReady('BrowserWindow')
    const { x = 100, y = 100, width = 800, height = 600 } = options
    this.#bounds = { x, y, width, height }
    this.#visible = options.show !== false
    app.windows.add(this)
  }

  show(): void {
    this.#visible = true
    this.#focused = true
    this.emit('show')
  }

  hide(): void {
    if (this.#fullScreen) this.wasHiddenInFullScreen = true
    this.#visible = false
    this.#focused = false
    this.emit('hide')
  }

  isVisible(): boolean {
    return this.#visible
  }

  focus(): void {
    this.#focused = this.#visible
  }

  isFocused(): boolean {
    return this.#focused
  }

  minimize(): void {
    this.#minimized = true
    this.#focused = false
  }

  restore(): void {
    this.#minimized = false
  }

  isMinimized(): boolean {
    return this.#minimized
  }

  /** It also shows a window that was not shown yet. */
  maximize(): void {
    this.#maximized = true
    if (!this.#visible) this.show()
    this.emit('maximize')
  }

  unmaximize(): void {
    this.#maximized = false
    this.emit('unmaximize')
  }

  isMaximized(): boolean {
    return this.#maximized
  }

  setBounds(bounds: Partial<Rectangle>): void {
    this.#bounds = { ...this.#bounds, ...bounds }
    this.emit('move')
    this.emit('resize')
  }

  getNormalBounds(): Rectangle {
    return { ...this.#bounds }
  }

  isFullScreen(): boolean {
    return this.#fullScreen
  }

  setFullScreen(flag: boolean): void {
    setTimeout(() => {
      if (this.#destroyed || this.#fullScreen === flag) return
      this.#fullScreen = flag
      this.emit(flag ? 'enter-full-screen' : 'leave-full-screen')
    }, FULL_SCREEN)
  }

  close(): void {
    const event = stoppableEvent({})
    this.emit('close', event)
    if (event.defaultPrevented) app.closeCancelled()
    else this.destroy()
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.emit('closed')
    app.windowClosed(this)
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }
}

/** A window with a page, which is a real one unless STAND_IN_PAGE says `none`. */
export class BrowserWindow extends BaseWindow implements Pick<RealWindow, 'loadURL'> {
  static readonly #all = new Set<BrowserWindow>()
  readonly webContents: StandInWebContents | UnseenWebContents
  readonly #self: BrowserWindow

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super(options)
    this.#self = destroyable(this)
    BrowserWindow.#all.add(this.#self)
    this.webContents = new WindowContents(options.webPreferences ?? {}).self
    this.webContents.once('did-finish-load', () => {
      if (!this.isDestroyed() && !this.isVisible()) this.emit('ready-to-show')
    })
    // biome-ignore lint/correctness/noConstructorReturn: what the app gets cannot be used once it is destroyed
    return this.#self
  }

  static getAllWindows(): BrowserWindow[] {
    return [...BrowserWindow.#all]
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }

  override destroy(): void {
    if (this.isDestroyed()) return
    BrowserWindow.#all.delete(this.#self)
    const { webContents } = this
    super.destroy()
    webContents.destroy()
  }
}
