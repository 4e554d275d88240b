import { fork, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { strict, StrictEmitter } from './strict.ts'

interface ForkOptions {
  /** Electron’s type is no more specific. */
  readonly env?: object
  readonly stdio?: string | readonly ('pipe' | 'ignore' | 'inherit')[]
  readonly serviceName?: string
}

/** Electron's utility process as a Node process: `parent-port.ts` gives it Electron's API instead of `process.send`. */
class UtilityProcess extends StrictEmitter {
  readonly #child: ChildProcess
  pid: number | undefined

  constructor(modulePath: string, args: readonly string[], { env, stdio = 'inherit' }: ForkOptions) {
    super('UtilityProcess')
    if (!Array.isArray(stdio) || stdio[0] !== 'ignore') throw new Error('Electron gives it no stdin.')
    const child = fork(modulePath, [...args], {
      env: { ...env },
      execArgv: ['--import', new URL('./parent-port.ts', import.meta.url).href],
      stdio: [...(stdio as ('pipe' | 'ignore' | 'inherit')[]), 'ipc'],
    })
    this.#child = child
    child.once('spawn', () => {
      this.pid = child.pid
      this.emit('spawn')
    })
    child.on('message', (message) => this.emit('message', message))
    child.once('exit', (code, signal) => {
      this.pid = undefined
      this.emit('exit', code ?? (signal === null ? 0 : constants.signals[signal]))
    })
  }

  get stderr(): Readable | null {
    return this.#child.stderr
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object)
  }

  kill(): boolean {
    return this.#child.kill('SIGTERM')
  }
}

export const utilityProcess = strict('utilityProcess', {
  fork: (modulePath: string, args: string[] = [], options: ForkOptions = {}): UtilityProcess =>
    new UtilityProcess(modulePath, args, options),
})
