import { app } from 'electron'
import { LINK_SCHEME } from './deep-link.ts'

/** Starts of this app while it runs already: by hand, by a link, by a click on its icon. */
export interface Starts {
  /** Hears of each start's arguments, those that came before included. */
  follow(handle: (argv: readonly string[]) => void): void
  /** Handles arguments as if they came with another start. */
  again(argv: readonly string[]): void
}

/**
 * Undefined where another one runs on this data folder (the lock lies in userData); it gets our arguments. Must be called
 * before the app is ready: on macOS a link may have started it.
 */
export function becomeOnlyInstance(): Starts | undefined {
  if (!app.requestSingleInstanceLock()) return undefined
  const early: (readonly string[])[] = []
  let handle = (argv: readonly string[]): void => void early.push(argv)
  app.on('second-instance', (_event, argv) => handle(argv.slice(1)))
  app.on('open-url', (event, url) => {
    event.preventDefault()
    handle([url])
  })
  // macOS: a click on the icon in the dock.
  app.on('activate', () => handle([]))
  return {
    follow: (next) => {
      handle = next
      for (const argv of early.splice(0)) next(argv)
    },
    again: (argv) => handle(argv),
  }
}

/** An installed app opens the links of its scheme; one that runs from a checkout leaves the system as it is. */
export function registerLinks({ isPackaged, program }: { isPackaged: boolean; program: string }): void {
  if (isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, program)
}
