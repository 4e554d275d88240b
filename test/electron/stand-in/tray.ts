import { offer } from './control.ts'
import type { Menu } from './menu.ts'
import type { NativeImage } from './native-image.ts'
import { StrictEmitter } from './strict.ts'

const icons: Tray[] = []

export class Tray extends StrictEmitter {
  #image: NativeImage
  #tip = ''
  #menu: Menu | undefined

  constructor(image: NativeImage, _guid?: string) {
    super('Tray')
    if (icons.length > 0) throw new Error('The app makes a second tray icon.')
    this.#image = image
    icons.push(this)
  }

  setImage(image: NativeImage): void {
    this.#image = image
  }

  setToolTip(tip: string): void {
    this.#tip = tip
  }

  setContextMenu(menu: Menu | null): void {
    this.#menu = menu ?? undefined
  }

  destroy(): void {
    icons.length = 0
  }

  _look(): object {
    return { icon: this.#image._name, tip: this.#tip, menu: this.#menu?._shown() ?? [] }
  }

  _choose(label: string): void {
    if (!this.#menu) throw new Error('The tray has no menu.')
    this.#menu._click(label)
  }
}

const tray = (): Tray => {
  const [icon] = icons
  if (!icon) throw new Error('There is no tray icon.')
  return icon
}
offer('tray', () => icons[0]?._look() ?? null)
offer('tray click', () => tray().emit('click'))
offer('tray menu', (label: string) => tray()._choose(label))
