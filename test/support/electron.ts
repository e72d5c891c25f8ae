/**
 * A stand-in for the `electron` module, for machines where its binary cannot be had: the main process
 * runs on Node, and its windows are pages of a Chromium. Each part is typed as a part of the real one.
 * `launch-desktop.ts` says when it is used and how it takes the place of the module.
 */
import { app } from './electron-app.ts'
import { createSafeStorage } from './electron-safe-storage.ts'

export { app } from './electron-app.ts'
export { dialog } from './electron-dialog.ts'
export { ipcMain } from './electron-ipc.ts'
export { Menu } from './electron-menu.ts'
export { nativeImage } from './electron-native-image.ts'
export { Notification } from './electron-notification.ts'
export { session } from './electron-permissions.ts'
export { powerMonitor, powerSaveBlocker, screen, startedBlockers } from './electron-power.ts'
export { protocol } from './electron-protocol.ts'
export {
  clipboard,
  nativeTheme,
  shell,
} from './electron-shell.ts'
export { Tray } from './electron-tray.ts'
export { BaseWindow, BrowserWindow } from './electron-window.ts'

export const safeStorage = createSafeStorage(() => app.isReady())
