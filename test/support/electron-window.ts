import { EventEmitter } from 'node:events'
import type { BrowserWindowConstructorOptions, BrowserWindow as RealWindow } from 'electron'
import { app, stoppableEvent } from './electron-app.ts'
import { StandInWebContents } from './electron-web-contents.ts'

/** A window whose page is a real one, and whose frame on the screen is only remembered. */
export class BrowserWindow
  extends EventEmitter
  implements
    Pick<
      RealWindow,
      | 'close'
      | 'destroy'
      | 'focus'
      | 'hide'
      | 'isDestroyed'
      | 'isFocused'
      | 'isFullScreen'
      | 'isMinimized'
      | 'isVisible'
      | 'loadURL'
      | 'minimize'
      | 'restore'
      | 'setFullScreen'
      | 'show'
    >
{
  static readonly #all: BrowserWindow[] = []
  readonly webContents: StandInWebContents
  #visible: boolean
  #minimized = false
  #fullScreen = false
  #focused = false
  #destroyed = false

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    app.onlyWhenReady('BrowserWindow')
    this.webContents = new StandInWebContents(options.webPreferences ?? {})
    this.#visible = options.show !== false
    BrowserWindow.#all.push(this)
    app.windows.add(this)
  }

  static getAllWindows(): BrowserWindow[] {
    return BrowserWindow.#all.filter((window) => !window.isDestroyed())
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.loadURL(url)
    this.emit('ready-to-show')
  }

  show(): void {
    this.#visible = true
    this.#focused = true
    this.emit('show')
  }

  hide(): void {
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

  isFullScreen(): boolean {
    return this.#fullScreen
  }

  /** Takes its time, as on macOS. */
  setFullScreen(flag: boolean): void {
    setTimeout(() => {
      if (this.#destroyed || this.#fullScreen === flag) return
      this.#fullScreen = flag
      this.emit(flag ? 'enter-full-screen' : 'leave-full-screen')
    }, 200)
  }

  close(): void {
    if (this.#destroyed) return
    const event = stoppableEvent({})
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.webContents.destroy()
    this.emit('closed')
    app.windowClosed(this)
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }
}
