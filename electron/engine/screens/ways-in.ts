import type { Listeners, Listening, ListeningQuietly, ListenOptions } from '../clients/listeners.ts'
import { parseMessageIn } from '../work/parse-large.ts'
import { createLoadScreens } from './create-screens.ts'
import type { Answers } from './http/answers.ts'
import type { ScreensPort } from './http/serve-over-port.ts'
import type { ScreensOptions } from './screens-options.ts'

export interface WaysIn {
  answers(): Promise<Answers>
  /** Local socket and loopback HTTP. */
  listen(options?: ListenOptions): Promise<Listening>
  /** Local socket only, until no client has been connected for `idleMs`. */
  listenQuietly(idleMs: number): Promise<ListeningQuietly>
  serveScreens(port: ScreensPort): Promise<void>
  close(): Promise<void>
}

/** Each loads on first use: an engine in the background has no screens. */
export function createWaysIn(
  options: ScreensOptions & {
    readonly tempDir: string
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
    return createListeners({
      ...options,
      answerHook: options.hooks.answer,
      mountScreens,
      parseLarge: parseMessageIn(options.workers),
    })
  }
  let listeners: Promise<Listeners> | undefined
  const withHooks = async <Opened>(opening: Promise<Opened>): Promise<Opened> => {
    const opened = await opening
    options.hooks.opened()
    return opened
  }
  return {
    answers: async () => (await loadScreens()).answers,
    listen: async (wanted) => withHooks((await (listeners ??= open())).open(wanted)),
    listenQuietly: async (idleMs) => withHooks((await (listeners ??= open())).openQuietly(idleMs)),
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
