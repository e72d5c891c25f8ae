import { EventEmitter } from 'node:events'

/** A page that is there as soon as it's asked for. */
class Contents extends EventEmitter {
  url = ''
  isGone = false
  isCrashed = () => this.isGone
  isLoadingMainFrame = () => false
  getURL = () => this.url
  executeJavaScript = async () => false

  crash(): void {
    this.isGone = true
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
  }
}

/** Takes the place of Electron’s windows, without a process, a page or a frame. */
export class BrowserWindow extends EventEmitter {
  static readonly all: BrowserWindow[] = []
  readonly webContents = new Contents()
  bounds = { x: 0, y: 0, width: 1000, height: 700 }
  boundsRead = 0
  isGone = false
  isSmall = false
  loads = 0

  constructor() {
    super()
    BrowserWindow.all.push(this)
  }

  getNormalBounds() {
    this.boundsRead++
    return this.bounds
  }
  async loadURL(url: string) {
    this.loads++
    this.webContents.isGone = false
    this.webContents.url = url
  }
  destroy() {
    this.isGone = true
    this.emit('closed')
  }
  restore() {
    this.isSmall = false
  }
  isDestroyed = () => this.isGone
  isMinimized = () => this.isSmall
  isMaximized = () => false
  isFullScreen = () => false
  show() {}
  focus() {}
  hide() {}
}

export const nativeTheme = { shouldUseDarkColors: false }
export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
}
export const dialog = {}
