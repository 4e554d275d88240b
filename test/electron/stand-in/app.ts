import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { StrictEmitter } from './strict.ts'

/** What other parts of the stand-in have to do when the app ends. */
export interface QuitHooks {
  /** Closes every window; false when one of them refused. */
  closeWindows(): boolean
  /** After everything else: the browser connection and the like. */
  end(): Promise<void>
}

const hooks: QuitHooks = { closeWindows: () => true, end: async () => {} }
export const onQuit = (set: Partial<QuitHooks>): void => void Object.assign(hooks, set)

export class App extends StrictEmitter {
  readonly #paths = new Map<string, string>()
  readonly #ready: Promise<void>
  #isReady = false
  #name = 'electron'

  constructor() {
    super('app')
    // Electron becomes ready when the entry module has been evaluated; the turn after is early enough for us.
    this.#ready = new Promise((resolve) =>
      setImmediate(() => {
        this.#isReady = true
        this.emit('ready', {}, {})
        resolve()
      }),
    )
  }

  get isPackaged(): boolean {
    return process.env['STAND_IN_PACKAGED'] === '1'
  }

  whenReady(): Promise<void> {
    return this.#ready
  }

  isReady(): boolean {
    return this.#isReady
  }

  setName(name: string): void {
    this.#name = name
  }

  getName(): string {
    return this.#name
  }

  getVersion(): string {
    return '0.0.0'
  }

  setPath(name: string, path: string): void {
    mkdirSync(path, { recursive: true })
    this.#paths.set(name, path)
  }

  getPath(name: string): string {
    const path = this.#paths.get(name)
    if (path !== undefined) return path
    if (name === 'crashDumps') return join(this.getPath('userData'), 'Crashpad')
    throw new Error(`The stand-in knows no path "${name}" yet: app.setPath gives it one.`)
  }

  quit(): void {
    if (!this.#asks('before-quit')) return
    if (!hooks.closeWindows()) return
    if (!this.#asks('will-quit')) return
    this.exit(0)
  }

  exit(code = 0): void {
    this.emit('quit', {}, code)
    void hooks.end().finally(() => process.exit(code))
  }

  /** Whether nobody prevents what is announced. */
  #asks(name: 'before-quit' | 'will-quit'): boolean {
    let goesOn = true
    this.emit(name, { preventDefault: () => (goesOn = false) })
    return goesOn
  }
}

export const app: App = new App()
