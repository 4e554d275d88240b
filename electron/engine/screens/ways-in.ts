import type { Listeners, Listening, ListenOptions } from '../clients/listeners.ts'
import { parseMessageIn } from '../work/parse-large.ts'
import { createLoadScreens } from './create-screens.ts'
import type { Answers } from './http/answers.ts'
import type { ScreensPort } from './http/serve-over-port.ts'
import type { ScreensOptions } from './screens-options.ts'

export interface WaysIn {
  /** What the screens get to hear, for the tray. */
  answers(): Promise<Answers>
  /** Opens the local socket and the loopback HTTP server. */
  listen(options?: ListenOptions): Promise<Listening>
  /**
   * Serves the screens' contract over a port; whoever holds its other end may do everything. Resolves when the port may be
   * started.
   */
  serveScreens(port: ScreensPort): Promise<void>
  close(): Promise<void>
}

/** How clients and screens reach an engine. Each way is loaded when it is first used: an engine that one connector hosts for itself has none. */
export function createWaysIn(
  options: ScreensOptions & {
    readonly tempDir: string
    /** The built screens (`dist/renderer`); without them HTTP serves clients only. */
    readonly screensFolder?: string | undefined
  },
): WaysIn {
  const loadScreens = createLoadScreens(options)
  const open = async (): Promise<Listeners> => {
    const [{ createListeners }, { createMountScreens }] = await Promise.all([
      import('../clients/listeners.ts'),
      import('./http/mount-screens.ts'),
    ])
    const mountScreens = createMountScreens({ ...options, loadScreens })
    return createListeners({ ...options, mountScreens, parseLarge: parseMessageIn(options.workers) })
  }
  let listeners: Promise<Listeners> | undefined
  return {
    answers: async () => (await loadScreens()).answers,
    listen: async (wanted) => (await (listeners ??= open())).open(wanted),
    serveScreens: async (port) => {
      const [{ serveOverPort }, { router }] = await Promise.all([
        import('./http/serve-over-port.ts'),
        loadScreens(),
      ])
      serveOverPort(port, { router, logger: options.logger })
    },
    close: async () => (await listeners)?.close(),
  }
}
