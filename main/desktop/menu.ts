import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { DesktopTexts } from './desktop-texts.ts'

interface MenuOptions {
  /** Reload and developer tools are for work on the console. */
  isDevelopment: boolean
  copyBaseUrl(): void
}

/** The application menu: the usual roles, and the base URL that tools are pointed at. */
export function setMenu(texts: DesktopTexts, { isDevelopment, copyBaseUrl }: MenuOptions): void {
  const file: MenuItemConstructorOptions[] = [
    {
      id: 'copy-base-url',
      label: texts.copyBaseUrl,
      accelerator: 'CmdOrCtrl+Shift+C',
      click: copyBaseUrl,
    },
    { type: 'separator' },
    { role: 'close', label: texts.close },
    { role: 'quit', label: texts.quit },
  ]
  const edit: MenuItemConstructorOptions[] = [
    { role: 'undo', label: texts.undo },
    { role: 'redo', label: texts.redo },
    { type: 'separator' },
    { role: 'cut', label: texts.cut },
    { role: 'copy', label: texts.copy },
    { role: 'paste', label: texts.paste },
    { role: 'selectAll', label: texts.selectAll },
  ]
  const development: MenuItemConstructorOptions[] = [
    { role: 'reload', label: texts.reload },
    { role: 'toggleDevTools', label: texts.developerTools, accelerator: 'F12' },
    { type: 'separator' },
  ]
  const view: MenuItemConstructorOptions[] = [
    ...(isDevelopment ? development : []),
    { role: 'resetZoom', label: texts.actualSize },
    { role: 'zoomIn', label: texts.zoomIn },
    { role: 'zoomOut', label: texts.zoomOut },
    { type: 'separator' },
    { role: 'togglefullscreen', label: texts.fullScreen },
  ]
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
      { label: texts.file, submenu: file },
      { label: texts.edit, submenu: edit },
      { label: texts.view, submenu: view },
      { label: texts.window, submenu: [{ role: 'minimize', label: texts.minimize }] },
    ]),
  )
}
