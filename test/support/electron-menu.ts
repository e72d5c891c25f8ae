import { EventEmitter } from 'node:events'
import type { MenuItemConstructorOptions } from 'electron'

class StandInMenuItem {
  readonly id: string
  readonly label: string
  readonly role: MenuItemConstructorOptions['role']
  readonly type: string
  readonly submenu: Menu | undefined
  readonly click: () => void

  constructor(options: MenuItemConstructorOptions) {
    this.id = options.id ?? ''
    this.label = options.label ?? ''
    this.role = options.role
    this.type = options.type ?? (options.submenu ? 'submenu' : 'normal')
    this.submenu = Array.isArray(options.submenu)
      ? Menu.buildFromTemplate(options.submenu)
      : undefined
    this.click = () => {
      if (options.click) Reflect.apply(options.click, this, [this, undefined, {}])
    }
  }
}

export class Menu {
  static #application: Menu | null = null
  readonly items: StandInMenuItem[]

  constructor(items: StandInMenuItem[] = []) {
    this.items = items
  }

  static buildFromTemplate(template: MenuItemConstructorOptions[]): Menu {
    return new Menu(template.map((options) => new StandInMenuItem(options)))
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application
  }

  getMenuItemById(id: string): StandInMenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
}

/** The tray's icon; `all` and `menu` are for tests, since Electron lets nobody look at a tray. */
export class Tray extends EventEmitter {
  static readonly all: Tray[] = []
  menu: Menu | null = null
  toolTip = ''
  #destroyed = false

  constructor(image: { isEmpty(): boolean }) {
    super()
    if (image.isEmpty()) throw new Error('The icon of the tray is empty')
    Tray.all.push(this)
  }

  setContextMenu(menu: Menu | null): void {
    this.menu = menu
  }

  setToolTip(toolTip: string): void {
    this.toolTip = toolTip
  }

  destroy(): void {
    this.#destroyed = true
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }
}
