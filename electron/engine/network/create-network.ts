import type { Settings } from '../../../shared/settings.ts'
import { messageOf } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import { proxiesOf } from './proxies.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface NetworkOptions {
  readonly env: Environment
  readonly nodeTrusts?: string | undefined
  /** Unusable proxies or certificates; everything continues without them. */
  readonly warn: (message: string) => void
}

/**
 * The environment's proxies, NODE_EXTRA_CA_CERTS and `network.caFile`. Loads code on demand. Returns the function
 * that restores the proxies.
 */
export async function useNetwork(
  { network }: Pick<Settings, 'network'>,
  { env, nodeTrusts, warn }: NetworkOptions,
): Promise<() => void> {
  try {
    const extra = env['NODE_EXTRA_CA_CERTS']
    // From the user's shell, so Node hasn't read it; twice is harmless.
    const unread = extra === nodeTrusts ? undefined : extra
    const files = [unread, network.caFile].flatMap((file) => (file ? [file] : []))
    if (files.length > 0 || trusted) {
      const { trustCertificates } = await import('./trust-certificates.ts')
      trustCertificates(files)
      trusted = true
    }
  } catch (error) {
    warn(messageOf(error))
  }
  const proxies = proxiesOf(env)
  if (!proxies) return () => {}
  try {
    const { useProxies } = await import('./use-proxies.ts')
    return useProxies(proxies)
  } catch (error) {
    warn(messageOf(error))
    return () => {}
  }
}

let trusted = false

/** Follows settings changes. */
export async function followNetwork(
  settings: { readonly current: Settings },
  { events, ...options }: NetworkOptions & { readonly events: Events },
): Promise<() => void> {
  let caFile = settings.current.network.caFile
  const restore = await useNetwork(settings.current, options)
  const unfollow = events.on('settings-changed', () => {
    if (settings.current.network.caFile === caFile) return
    caFile = settings.current.network.caFile
    // Proxies are fixed at start; only certificates can have changed.
    void useNetwork(settings.current, { ...options, env: withoutProxies(options.env) })
  })
  return () => {
    unfollow()
    restore()
  }
}

const withoutProxies = (env: Environment): Environment => ({
  NODE_EXTRA_CA_CERTS: env['NODE_EXTRA_CA_CERTS'],
})
