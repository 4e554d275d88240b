import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A started `electron/model-process.ts`. */
export interface ModelProcess {
  readonly pid: number | undefined
  send(message: object): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once. */
  onEnd(listener: (how: string) => void): void
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
}

/** Headless: `forkModelProcess`; the desktop app uses Electron's utilityProcess. */
export type ForkModelProcess = () => ModelProcess

const KEPT_ERRORS = 2000
const SHOWN_ERROR = 300

export function keepLastError(stderr: NodeJS.ReadableStream | null): (how: string) => string {
  let errors = ''
  stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-KEPT_ERRORS)))
  return (how) => {
    const lastLine = errors.trim().split('\n').at(-1) ?? ''
    return lastLine === '' ? how : `${how}: ${lastLine.slice(0, SHOWN_ERROR)}`
  }
}

/** In sources or build. */
export const modelProcessPath = (): string =>
  fileURLToPath(
    new URL(
      import.meta.url.endsWith('.ts') ? '../../../model-process.ts' : '../../../model-process.js',
      import.meta.url,
    ),
  )

/** On this Node. `env` is its whole environment. */
export function createForkModelProcess(env: Readonly<Record<string, string | undefined>>): ForkModelProcess {
  return () => {
    const child = fork(modelProcessPath(), [], {
      env: { ...env },
      execArgv: [],
      // stdout belongs to our parent's protocol; the last errors go to the log.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const withLastError = keepLastError(child.stderr)
    child.on('error', () => {})
    return {
      pid: child.pid,
      send: (message) => {
        if (child.connected) child.send(message)
      },
      onMessage: (listener) => child.on('message', listener),
      onEnd: (listener) => {
        child.once('close', (code, signal) => {
          listener(withLastError(signal === null ? `exit code ${code}` : `signal ${signal}`))
        })
        if (child.pid === undefined) listener('it could not be started')
      },
      kill: (signal) => child.kill(signal),
    }
  }
}
