import { EventEmitter } from 'node:events'
import type { MenuItemConstructorOptions, MenuItem as RealMenuItem } from 'electron'

const types = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'] as const

class StandInMenuItem
  implements
    Pick<RealMenuItem, 'accelerator' | 'checked' | 'enabled' | 'id' | 'label' | 'type' | 'visible'>
{
  readonly id: string
  readonly role: MenuItemConstructorOptions['role']
  readonly type: RealMenuItem['type']
  readonly accelerator: RealMenuItem['accelerator']
  readonly submenu: Menu | undefined
  readonly click: () => void
  label: string
  checked: boolean
  enabled: boolean
  visible: boolean

  constructor(options: MenuItemConstructorOptions) {
    this.id = options.id ?? ''
    this.label = options.label ?? ''
    this.role = options.role
    this.type = options.type ?? (options.submenu ? 'submenu' : 'normal')
    this.accelerator = options.accelerator ?? null
    this.checked = options.checked ?? false
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.submenu = Array.isArray(options.submenu)
      ? Menu.buildFromTemplate(options.submenu)
      : undefined
    if (!types.includes(this.type)) throw new Error(`Unknown menu item type: ${this.type}`)
    if (this.type === 'submenu' && !this.submenu) throw new Error('Invalid submenu')
    if (this.type !== 'separator' && this.label === '' && !this.role) {
      throw new Error('A menu item has neither a label nor a role')
    }
    this.click = () => {
      // "A checkbox menu item will toggle the checked property on and off when selected."
      if (this.type === 'checkbox') this.checked = !this.checked
      if (options.click) Reflect.apply(options.click, this, [this, undefined, {}])
    }
  }
}

export class Menu extends EventEmitter {
  static #application: Menu | null = null
  readonly items: StandInMenuItem[]

  constructor(items: StandInMenuItem[] = []) {
    super()
    this.items = items
  }

  static buildFromTemplate(template: MenuItemConstructorOptions[]): Menu {
    const ids = template.flatMap(({ id }) => (id === undefined ? [] : [id]))
    if (new Set(ids).size < ids.length) throw new Error('Two items of a menu have one id')
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
