import { serveModel, type EnginePort } from './engine/models/process/serve-model.ts'

/** Electron's channel from a utility process to its parent. */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

/** Its own process: it may crash or hang alone. */
serveModel(toEngine())

function toEngine(): EnginePort {
  const { parentPort } = process as { parentPort?: ParentPort }
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
    }
  }
  if (!process.send) throw new Error('This is started by Sluice, not by hand.')
  // The engine is gone.
  process.on('disconnect', () => process.exit(0))
  return {
    send: (message) => process.send?.(message),
    onMessage: (listener) => process.on('message', listener),
  }
}
