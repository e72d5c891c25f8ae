/**
 * A stand-in for the `electron` module, for machines where its binary cannot be had: the main process
 * runs on Node, and its windows are pages of a Chromium. Each part is typed as a part of the real one.
 * `launch-desktop.ts` says when it is used and how it takes the place of the module.
 */
import { app } from './app.ts'
import { createSafeStorage } from './safe-storage.ts'

export { app } from './app.ts'
export { debuggingPort } from './browser.ts'
export { dialog } from './dialog.ts'
export { ipcMain } from './ipc.ts'
export { Menu } from './menu.ts'
export { nativeImage } from './native-image.ts'
export { Notification } from './notification.ts'
export { powerMonitor, powerSaveBlocker, screen, startedBlockers } from './power.ts'
export { protocol } from './protocol.ts'
export { session } from './session.ts'
export {
  clipboard,
  nativeTheme,
  shell,
} from './shell.ts'
export { Tray } from './tray.ts'
export { BaseWindow, BrowserWindow } from './window.ts'

export const safeStorage = createSafeStorage(() => app.isReady())
