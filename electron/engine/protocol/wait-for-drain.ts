import type { Writable } from 'node:stream'

/**
 * Rejects if the output closes. One promise for all waiters, so that a thousand messages don't add a thousand
 * listeners.
 */
export function waitForDrain(output: Writable): () => Promise<void> {
  let drained: Promise<void> | undefined
  const begin = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        output.off('drain', settle)
        output.off('close', settle)
        drained = undefined
        if (output.destroyed)
          reject(new Error('The other side closed the connection before it had read everything.'))
        else resolve()
      }
      output.on('drain', settle)
      output.on('close', settle)
      // `close` may have been emitted already.
      if (output.destroyed) settle()
    })
  return () => (drained ??= begin())
}
