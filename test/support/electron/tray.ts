import { EventEmitter } from 'node:events'
import type { Tray as RealTray } from 'electron'
import { app } from './app.ts'
import type { Menu } from './menu.ts'

/** An item as somebody who looks at the open menu sees it. */
export interface SeenItem {
  id: string
  label: string
  type: string
  enabled: boolean
  checked: boolean
  items: SeenItem[]
}

const seenIn = (menu: Menu): SeenItem[] =>
  menu.items
    .filter(({ visible }) => visible)
    .map(({ id, label, type, enabled, checked, submenu }) => ({
      ...{ id, label, type, enabled, checked, items: submenu ? seenIn(submenu) : [] },
    }))

/**
 * The tray's icon. `all`, `seen`, `sets`, `openMenu`, `closeMenu` and `choose` are for tests, since Electron
 * lets nobody look at a tray. On Linux a menu looks as it did when it was set: "in order for changes made to
 * individual MenuItems to take effect, you have to call setContextMenu again" (docs/api/tray.md).
 */
export class Tray
  extends EventEmitter
  implements Pick<RealTray, 'destroy' | 'isDestroyed' | 'setToolTip'>
{
  static readonly all: Tray[] = []
  toolTip = ''
  /** How often a menu was set. */
  sets = 0
  #menu: Menu | null = null
  #seen: SeenItem[] = []
  #isOpen = false
  #destroyed = false

  constructor(image: { isEmpty(): boolean }) {
    super()
    app.onlyWhenReady('Tray')
    if (image.isEmpty()) throw new Error('The icon of the tray is empty')
    Tray.all.push(this)
  }

  get menu(): Menu | null {
    return this.#menu
  }

  get seen(): SeenItem[] {
    return this.#menu && process.platform !== 'linux' ? seenIn(this.#menu) : this.#seen
  }

  setContextMenu(menu: Menu | null): void {
    this.#alive()
    // The real effect differs by system: the menu closes, or its clicks go nowhere.
    if (this.#isOpen)
      throw new Error('The menu of the tray was replaced while somebody had it open')
    this.sets++
    this.#menu = menu
    this.#seen = menu ? seenIn(menu) : []
  }

  setToolTip(toolTip: string): void {
    this.#alive()
    this.toolTip = toolTip
  }

  setImage(image: { isEmpty(): boolean }): void {
    this.#alive()
    if (image.isEmpty()) throw new Error('The icon of the tray is empty')
  }

  destroy(): void {
    this.#destroyed = true
    this.#menu = null
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  openMenu(): void {
    this.#alive()
    this.#isOpen = true
    this.#menu?.emit('menu-will-show', {})
  }

  closeMenu(): void {
    this.#isOpen = false
    this.#menu?.emit('menu-will-close', {})
  }

  /** Chooses an item as its user does, who cannot click what is greyed out. */
  choose(id: string): void {
    const item = this.#menu?.getMenuItemById(id)
    if (!item) throw new Error(`The menu of the tray has no item "${id}"`)
    if (!item.enabled) throw new Error(`The item "${id}" is greyed out`)
    this.openMenu()
    this.closeMenu()
    item.click()
  }

  #alive(): void {
    if (this.#destroyed) throw new Error('Tray is destroyed')
  }
}
