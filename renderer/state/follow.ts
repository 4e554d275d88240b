import { onScopeDispose } from 'vue'

const RETRY_MS = 2_000

/** Reads a stream of the engine for as long as the scope lives, and opens it again when it ends. */
export function follow<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  onItem: (item: T) => void,
  onState: (isOpen: boolean) => void = () => {},
): void {
  const stop = new AbortController()
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const stream = await open(stop.signal)
        onState(true)
        for await (const item of stream) onItem(item)
      } catch {
        // Ended by the engine or by us; either way the next turn decides.
      }
      if (stop.signal.aborted) return
      onState(false)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  void run()
  onScopeDispose(() => stop.abort())
}
