import { BrowserWindow, nativeTheme } from 'electron'

interface WindowOptions {
  /** Absolute path of the built preload. */
  preload: string
  /** Says whether the app is on its way out; until then closing only hides. */
  isQuitting(): boolean
}

/** Makes the console's window: it hides when it is closed, and the gateway goes on behind it. */
export function openWindow({ preload, isQuitting }: WindowOptions): BrowserWindow {
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
  window.once('ready-to-show', () => window.show())
  window.on('close', (event) => {
    if (isQuitting()) return
    event.preventDefault()
    window.hide()
  })
  return window
}

/** Brings the window to the front, from the tray or from behind others. */
export function showWindow(window: BrowserWindow): void {
  if (window.webContents.isCrashed()) window.webContents.reload()
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
