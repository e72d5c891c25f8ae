/**
 * A stand-in for the `electron` module, for machines where its binary cannot be had: the main process
 * runs on Node, and its windows are pages of a Chromium. Each part is typed as a part of the real one.
 * `launch-desktop.ts` says when it is used and how it takes the place of the module.
 */
export { app } from './electron-app.ts'
export { ipcMain } from './electron-ipc.ts'
export { Menu, Tray } from './electron-menu.ts'
export { nativeImage } from './electron-native-image.ts'
export {
  clipboard,
  dialog,
  nativeTheme,
  protocol,
  safeStorage,
  session,
  shell,
} from './electron-shell.ts'
export { BrowserWindow } from './electron-window.ts'
