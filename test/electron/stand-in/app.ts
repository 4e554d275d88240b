import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { offer } from './control.ts'
import { StrictEmitter } from './strict.ts'

/** What other parts of the stand-in do when the app ends. */
export interface QuitHooks {
  /** Closes every window; false if one refused. */
  closeWindows(): boolean
  /** Last: the browser connection and the like. */
  end(): Promise<void>
}

const hooks: QuitHooks = { closeWindows: () => true, end: async () => {} }
export const onQuit = (set: Partial<QuitHooks>): void => void Object.assign(hooks, set)

export class App extends StrictEmitter {
  readonly #paths = new Map<string, string>()
  readonly #ready: Promise<void>
  #isReady = false
  #name = 'electron'
  #handOver: Promise<void> = Promise.resolve()
  #openAtLogin = false
  readonly #schemes: string[] = []

  constructor() {
    super('app')
    // Electron becomes ready after the entry module was evaluated; the next turn is early enough.
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
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} is not there.`)
    this.#paths.set(name, path)
  }

  getPath(name: string): string {
    const path = this.#paths.get(name)
    if (path !== undefined) return path
    if (name === 'crashDumps') return join(this.getPath('userData'), 'Crashpad')
    throw new Error(`The stand-in knows no path "${name}" yet: app.setPath gives it one.`)
  }

  /**
   * The first process on a userData folder listens there; a later one hands over its arguments. Electron answers
   * synchronously, so the process in the lock file is checked for being alive.
   */
  requestSingleInstanceLock(): boolean {
    const path = join(this.getPath('userData'), 'SingletonLock')
    const holder = readPid(path)
    if (holder !== undefined && holder !== process.pid) {
      this.#handOver = new Promise((resolve) => {
        const socket = connect(`${path}.sock`, () => socket.end(JSON.stringify(process.argv)))
        socket.on('close', () => resolve()).on('error', () => resolve())
      })
      return false
    }
    writeFileSync(path, String(process.pid))
    rmSync(`${path}.sock`, { force: true })
    const server = createServer((socket) => {
      void text(socket).then((argv) =>
        this.emit('second-instance', {}, JSON.parse(argv) as string[], process.cwd(), {}),
      )
    })
    server.listen(`${path}.sock`).unref()
    this.once('quit', () => rmSync(path, { force: true }))
    return true
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    this.#schemes.push(scheme)
    return true
  }

  getLoginItemSettings(): { openAtLogin: boolean; wasOpenedAtLogin: boolean } {
    return { openAtLogin: this.#openAtLogin, wasOpenedAtLogin: false }
  }

  setLoginItemSettings({ openAtLogin }: { openAtLogin?: boolean }): void {
    this.#openAtLogin = openAtLogin ?? false
  }

  quit(): void {
    if (!this.#asks('before-quit')) return
    if (!hooks.closeWindows()) return
    if (!this.#asks('will-quit')) return
    this.exit(0)
  }

  exit(code = 0): void {
    this.emit('quit', {}, code)
    void this.#handOver.then(() => hooks.end()).finally(() => process.exit(code))
  }

  /** Whether no listener prevents the event. */
  #asks(name: 'before-quit' | 'will-quit'): boolean {
    let goesOn = true
    this.emit(name, { preventDefault: () => (goesOn = false) })
    return goesOn
  }
}

export const app: App = new App()

/** The process in a lock file, if alive. */
function readPid(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

offer('crash worker', () => (process as unknown as { endOneWorker(): Promise<number> }).endOneWorker())
offer('quit', () => setImmediate(() => app.quit()))
offer('open link', (url: string) => app.emit('open-url', { preventDefault: () => {} }, url))
