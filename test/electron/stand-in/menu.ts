import { offer } from './control.ts'
import { strict } from './strict.ts'

interface Item {
  readonly label?: string
  readonly type?: string
  readonly checked?: boolean
  readonly enabled?: boolean
  readonly click?: () => void
  readonly submenu?: readonly Item[]
  readonly role?: string
  readonly accelerator?: string
}

const KNOWN = ['label', 'type', 'checked', 'enabled', 'click', 'submenu', 'role', 'accelerator']

/** What a user sees of a menu. */
export interface ShownItem {
  readonly label: string
  readonly type: string
  readonly checked: boolean
  readonly enabled: boolean
  readonly submenu?: readonly ShownItem[]
}

export class Menu {
  readonly #items: readonly Item[]

  constructor(items: readonly Item[]) {
    for (const item of items) {
      const unknown = Object.keys(item).find((key) => !KNOWN.includes(key))
      if (unknown !== undefined) throw new Error(`The stand-in knows no menu item with ${unknown}.`)
    }
    this.#items = items
  }

  static buildFromTemplate(template: readonly Item[]): Menu {
    return new Menu(template)
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu._application = menu
  }

  static _application: Menu | null | undefined

  /** Not Electron's: lets the test see and click. */
  _shown(): readonly ShownItem[] {
    return this.#items.map((item) => ({
      label: item.label ?? '',
      type: item.type ?? (item.submenu ? 'submenu' : 'normal'),
      checked: item.checked ?? false,
      enabled: item.enabled ?? true,
      ...(item.submenu ? { submenu: new Menu(item.submenu)._shown() } : {}),
    }))
  }

  _click(label: string): void {
    const all = this.#items.flatMap((item) => [item, ...(item.submenu ?? [])])
    const item = all.find((candidate) => candidate.label?.startsWith(label))
    if (!item) throw new Error(`The menu has no "${label}".`)
    if (item.enabled === false || !item.click) throw new Error(`"${label}" can't be clicked.`)
    item.click()
  }
}

offer('menu', () => Menu._application?._shown() ?? null)
offer('app menu', (label: string) => Menu._application?._click(label))

export const strictMenu: typeof Menu = strict('Menu', Menu)
