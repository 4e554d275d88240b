import { serveModel, type EnginePort } from './engine/models/process/serve-model.ts'

/** Electron's way from a utility process to the one that started it. */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

/** The model runs in a process of its own: it may crash, hang or be ended, and nothing else notices. */
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
  // Without the engine nobody wants an answer any more.
  process.on('disconnect', () => process.exit(0))
  return {
    send: (message) => process.send?.(message),
    onMessage: (listener) => process.on('message', listener),
  }
}
