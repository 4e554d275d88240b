import { app } from 'electron'

export interface EndOptions {
  readonly end: () => Promise<readonly string[]>
  readonly tell: (resisting: readonly string[]) => Promise<void>
}

/** Until every server has ended. Only the first request counts. The app ends in any case. */
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
  // Stays in the tray.
  app.on('window-all-closed', () => {})
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending') return
    state = 'ending'
    void run()
  })
}
