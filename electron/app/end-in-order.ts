import { app } from 'electron'

export interface EndOptions {
  /** Ends everything; resolves with descriptions of what did not end. */
  readonly end: () => Promise<readonly string[]>
  /** Informs the user; resolves when the app may quit anyway. */
  readonly tell: (resisting: readonly string[]) => Promise<void>
}

/** Delays quitting until every server has ended. Only the first request has an effect. The app ends in any case. */
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
  // The app stays in its tray without windows.
  app.on('window-all-closed', () => {})
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending') return
    state = 'ending'
    void run()
  })
}
