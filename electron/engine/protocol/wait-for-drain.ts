import type { Writable } from 'node:stream'

/**
 * Resolves when the output takes more; rejects when it closes instead. One promise for all who wait, so that a thousand
 * waiting messages don't make a thousand listeners.
 */
export function waitForDrain(output: Writable): () => Promise<void> {
  let drained: Promise<void> | undefined
  const begin = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        output.off('drain', settle)
        output.off('close', settle)
        drained = undefined
        if (output.destroyed) reject(new Error('The other side went away before it had read everything.'))
        else resolve()
      }
      output.on('drain', settle)
      output.on('close', settle)
      // Its `close` may have been said already.
      if (output.destroyed) settle()
    })
  return () => (drained ??= begin())
}
