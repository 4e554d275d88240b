import { strict } from './strict.ts'

type Handler = (request: Request) => Response | Promise<Response>

const registered = new Set<string>()
const handlers = new Map<string, Handler>()

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged: (schemes: readonly { scheme: string }[]): void => {
    for (const { scheme } of schemes) registered.add(scheme)
  },
  handle: (scheme: string, handler: Handler): void => {
    if (!registered.has(scheme)) throw new Error(`The scheme ${scheme} was not registered as privileged.`)
    handlers.set(scheme, handler)
  },
})

/**
 * Chromium without Electron refuses unknown schemes before they can be answered. So the app's `scheme://host/…` is
 * `https://scheme--host.stand-in/…` in the browser; it never reaches a network.
 */
export function toBrowserUrl(url: string): string {
  const { protocol: scheme, host, pathname, search, hash } = new URL(url)
  return registered.has(scheme.slice(0, -1))
    ? `https://${scheme.slice(0, -1)}--${host}.stand-in${pathname}${search}${hash}`
    : url
}

export function fromBrowserUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { hostname, pathname, search, hash } = new URL(url)
  const [, scheme, host] = /^(.+?)--(.+)\.stand-in$/.exec(hostname) ?? []
  return scheme === undefined ? url : `${scheme}://${host}${pathname}${search}${hash}`
}

/** The app's answer to a request for its own addresses; undefined for others. */
export async function answerFromApp(url: string, method: string): Promise<Response | undefined> {
  const handler = handlers.get(new URL(url).protocol.slice(0, -1))
  return handler?.(new Request(url, { method }))
}
