import { app } from 'electron'
import { LINK_SCHEME } from './deep-link.ts'

export interface Starts {
  /** With earlier ones. */
  follow(handle: (argv: readonly string[]) => void): void
  again(argv: readonly string[]): void
}

/**
 * Undefined if another instance uses this data folder (the lock is in userData); it gets our arguments. Before the
 * app is ready: on macOS a link may have started it.
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
  return {
    follow: (next) => {
      handle = next
      // A click on the dock. Not before: macOS activates also what starts hidden.
      app.on('activate', () => next([]))
      for (const argv of early.splice(0)) next(argv)
    },
    again: (argv) => handle(argv),
  }
}

/** Installed apps only, not from a checkout. */
export function registerLinks({ isPackaged, program }: { isPackaged: boolean; program: string }): void {
  if (isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, program)
}
