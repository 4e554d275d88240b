import { onScopeDispose } from 'vue'

const RETRY_MS = 2_000

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
        // Ended by either side; the next loop decides.
      }
      if (stop.signal.aborted) return
      onState(false)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  void run()
  onScopeDispose(() => stop.abort())
}
