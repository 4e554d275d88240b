import type { Settings } from '../../../shared/settings.ts'
import { messageOf } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import { proxiesOf } from './proxies.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface NetworkOptions {
  readonly env: Environment
  /** The file of NODE_EXTRA_CA_CERTS that Node read itself when this process started. */
  readonly nodeTrusts?: string | undefined
  /** Hears of a proxy or of certificates that can't be used; everything goes on without them. */
  readonly warn: (message: string) => void
}

/**
 * How this process reaches other machines: through the proxies of the environment, trusting the authorities of
 * NODE_EXTRA_CA_CERTS and of `network.caFile` besides the usual ones. What that takes is loaded where it is wanted. Returns
 * what puts back the proxies.
 */
export async function useNetwork(
  { network }: Pick<Settings, 'network'>,
  { env, nodeTrusts, warn }: NetworkOptions,
): Promise<() => void> {
  try {
    const extra = env['NODE_EXTRA_CA_CERTS']
    // Found only later, in the user's shell, Node has not read it; twice does no harm.
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

/** Whether authorities were added to this process, which a later change of the settings may take back. */
let trusted = false

/** The same for as long as an engine runs, following its settings. */
export async function followNetwork(
  settings: { readonly current: Settings },
  { events, ...options }: NetworkOptions & { readonly events: Events },
): Promise<() => void> {
  let caFile = settings.current.network.caFile
  const restore = await useNetwork(settings.current, options)
  const unfollow = events.on('settings-changed', () => {
    if (settings.current.network.caFile === caFile) return
    caFile = settings.current.network.caFile
    // The proxies are those of the start; only the certificates can have changed.
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
