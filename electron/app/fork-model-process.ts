import { utilityProcess } from 'electron'
import {
  keepLastError,
  modelProcessPath,
  type ForkModelProcess,
} from '../engine/models/local/model-process.ts'

/** Electron's utility process always ends with the app. */
export function createForkModelProcess(env: Readonly<Record<string, string | undefined>>): ForkModelProcess {
  return () => {
    const child = utilityProcess.fork(modelProcessPath(), [], {
      env: { ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      serviceName: 'Sluice model',
    })
    const withLastError = keepLastError(child.stderr)
    return {
      get pid() {
        return child.pid
      },
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onEnd: (listener) =>
        // Its last output may arrive after exit.
        void child.once('exit', (code) => setImmediate(() => listener(withLastError(`exit code ${code}`)))),
      kill: (signal) => {
        // Electron's kill is SIGTERM only.
        if (signal === 'SIGTERM' || child.pid === undefined) child.kill()
        else endAtOnce(child.pid)
      },
    }
  }
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already ended.
  }
}
