import { offer } from './control.ts'
import { StrictEmitter } from './strict.ts'

interface Options {
  readonly title?: string
  readonly body?: string
  readonly actions?: readonly { readonly type: 'button'; readonly text?: string }[]
}

const shown: Notification[] = []

export class Notification extends StrictEmitter {
  readonly #options: Options

  constructor(options: Options) {
    super('Notification')
    this.#options = options
  }

  static isSupported(): boolean {
    return true
  }

  show(): void {
    shown.push(this)
    this.emit('show', {})
  }

  close(): void {
    this.emit('close', {})
  }

  _text(): { title: string; body: string } {
    return { title: this.#options.title ?? '', body: this.#options.body ?? '' }
  }
}

offer('notifications', () => shown.map((each) => each._text()))
offer('click notification', (title: string) => {
  const found = shown.findLast((each) => each._text().title === title)
  if (!found) throw new Error(`No notification says "${title}".`)
  found.emit('click', {})
})
