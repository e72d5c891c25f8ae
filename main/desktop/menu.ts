import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { DesktopTexts } from './desktop-texts.ts'

interface MenuOptions {
  /** Reload and developer tools are for whoever works on the console. */
  isDevelopment: boolean
  copyBaseUrl(): void
}

/** The application menu: the usual roles, and the base URL that tools are pointed at. */
export function setMenu(words: DesktopTexts, { isDevelopment, copyBaseUrl }: MenuOptions): void {
  const file: MenuItemConstructorOptions[] = [
    {
      id: 'copy-base-url',
      label: words.copyBaseUrl,
      accelerator: 'CmdOrCtrl+Shift+C',
      click: copyBaseUrl,
    },
    { type: 'separator' },
    { role: 'close', label: words.close },
    { role: 'quit', label: words.quit },
  ]
  const edit: MenuItemConstructorOptions[] = [
    { role: 'undo', label: words.undo },
    { role: 'redo', label: words.redo },
    { type: 'separator' },
    { role: 'cut', label: words.cut },
    { role: 'copy', label: words.copy },
    { role: 'paste', label: words.paste },
    { role: 'selectAll', label: words.selectAll },
  ]
  const development: MenuItemConstructorOptions[] = [
    { role: 'reload', label: words.reload },
    { role: 'toggleDevTools', label: words.developerTools, accelerator: 'F12' },
    { type: 'separator' },
  ]
  const view: MenuItemConstructorOptions[] = [
    ...(isDevelopment ? development : []),
    { role: 'resetZoom', label: words.actualSize },
    { role: 'zoomIn', label: words.zoomIn },
    { role: 'zoomOut', label: words.zoomOut },
    { type: 'separator' },
    { role: 'togglefullscreen', label: words.fullScreen },
  ]
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
      { label: words.file, submenu: file },
      { label: words.edit, submenu: edit },
      { label: words.view, submenu: view },
      { label: words.window, submenu: [{ role: 'minimize', label: words.minimize }] },
    ]),
  )
}
