import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A started `electron/model-process.ts`, whatever started it. */
export interface ModelProcess {
  readonly pid: number | undefined
  send(message: object): void
  onMessage(listener: (message: unknown) => void): void
  /** Once, when it has ended: how, in a few words. */
  onEnd(listener: (how: string) => void): void
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
}

/** Headless this is `forkModelProcess`; the desktop app passes one that uses Electron's utilityProcess. */
export type ForkModelProcess = () => ModelProcess

const KEPT_ERRORS = 2000
const SHOWN_ERROR = 300

/** Reads what a process writes to stderr; the returned function puts the last line of it behind how the process ended. */
export function keepLastError(stderr: NodeJS.ReadableStream | null): (how: string) => string {
  let errors = ''
  stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-KEPT_ERRORS)))
  return (how) => {
    const lastLine = errors.trim().split('\n').at(-1) ?? ''
    return lastLine === '' ? how : `${how}: ${lastLine.slice(0, SHOWN_ERROR)}`
  }
}

/** For whatever starts it: the file of the model process, in the sources and in the build. */
export const modelProcessPath = (): string =>
  fileURLToPath(
    new URL(
      import.meta.url.endsWith('.ts') ? '../../../model-process.ts' : '../../../model-process.js',
      import.meta.url,
    ),
  )

/** Starts the model process with the Node that runs this. `env` is its whole environment. */
export function createForkModelProcess(env: Readonly<Record<string, string | undefined>>): ForkModelProcess {
  return () => {
    const child = fork(modelProcessPath(), [], {
      env: { ...env },
      execArgv: [],
      // stdout belongs to the protocol of whoever started us; the last errors are worth a line in the log.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const withLastError = keepLastError(child.stderr)
    // A message that can't be delivered is one to a process that has ended, which onEnd tells.
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
