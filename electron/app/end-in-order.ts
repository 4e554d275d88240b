import { app } from 'electron'

export interface EndOptions {
  /** Ends everything; resolves with what did not end, in words. */
  readonly end: () => Promise<readonly string[]>
  /** Tells the user, and resolves when the app may go all the same. */
  readonly tell: (resisting: readonly string[]) => Promise<void>
}

/**
 * Quitting waits until every server has ended; the first request starts it and further ones change nothing. However it goes,
 * the app ends.
 */
export function endInOrder({ end, tell }: EndOptions): void {
  let state: 'running' | 'ending' | 'ended' = 'running'
  const run = async (): Promise<void> => {
    try {
      const resisting = await end()
      if (resisting.length > 0) await tell(resisting)
    } finally {
      state = 'ended'
      app.quit()
    }
  }
  // Without windows the app still lives in its tray.
  app.on('window-all-closed', () => {})
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending') return
    state = 'ending'
    void run()
  })
}
