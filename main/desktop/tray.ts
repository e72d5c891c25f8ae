import { Menu, nativeImage, Tray } from 'electron'
import icon from './icon.png?inline'
import type { Words } from './words.ts'

export interface TrayActions {
  open(): void
  copyBaseUrl(): void
  quit(): void
}

/** The icon that stays while the window is hidden; whoever asks for it must keep it, or it vanishes. */
export function createTray(url: string, words: Words, actions: TrayActions): Tray {
  const tray = new Tray(nativeImage.createFromDataURL(icon).resize({ width: 22, height: 22 }))
  tray.setToolTip(`Switchyard · ${url}`)
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { id: 'open', label: words.open, click: actions.open },
      { id: 'copy-base-url', label: words.copyBaseUrl, click: actions.copyBaseUrl },
      { type: 'separator' },
      { id: 'quit', label: words.quit, click: actions.quit },
    ]),
  )
  // Linux shows the menu on a click, and Windows leaves the left button to the app.
  tray.on('click', actions.open)
  return tray
}
