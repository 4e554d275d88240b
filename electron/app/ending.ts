export interface EndOptions {
  /** Ends every server and the engine. Resolves with what resisted. */
  readonly end: () => Promise<readonly string[]>
  readonly tell: (resisting: readonly string[]) => Promise<void>
  readonly quit: () => void
}

export interface Ending {
  /** Whether the app may quit now; otherwise the end begins, and the app quits after it. */
  mayQuit(): boolean
  /** Ends, then runs `last` in place of quitting: an installer, which quits itself. */
  endThen(last: () => void): void
}

/** Only the first request counts; a later one only says what comes last. The app quits in any case. */
export function createEnding({ end, tell, quit }: EndOptions): Ending {
  let state: 'running' | 'ending' | 'ended' = 'running'
  let last = quit
  const finish = (): void => {
    state = 'ended'
    try {
      last()
    } catch {
      quit()
    }
  }
  const run = async (): Promise<void> => {
    state = 'ending'
    try {
      const resisting = await end()
      if (resisting.length > 0) await tell(resisting)
    } finally {
      finish()
    }
  }
  const begin = (): void => {
    if (state === 'running') void run().catch(() => {})
  }
  return {
    mayQuit: () => {
      begin()
      return state === 'ended'
    },
    endThen: (then) => {
      last = then
      if (state === 'ended') finish()
      else begin()
    },
  }
}
