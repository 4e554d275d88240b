import { join } from 'node:path'
import type { ServerSettings } from '../../../../../shared/settings.ts'
import type { Secrets } from '../../../ground/secrets/secrets.ts'
import { holdsCredentials } from '../../../ground/secrets/url-credentials.ts'
import { ServerAuth } from './server-auth.ts'
import { createGrantStore } from './stored-grant.ts'

export interface ServerAuthsOptions {
  readonly dataDir: string
  readonly secrets: Pick<Secrets, 'get' | 'set' | 'delete'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly redact: (values: readonly string[]) => void
}

/** Undefined if the settings have credentials. */
export type AuthOf = (serverId: string, settings: ServerSettings) => ServerAuth | undefined

export const lockPathOf = (dataDir: string, serverId: string, what: 'refresh' | 'sign-in'): string =>
  join(dataDir, `.${what}.${serverId}`)

export const bringsCredentials = ({ headers, url }: Pick<ServerSettings, 'headers' | 'url'>): boolean =>
  holdsCredentials(url) || Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization')

/** One per server, so that sessions share refreshes. */
export function createServerAuths({ dataDir, secrets, now, redact }: ServerAuthsOptions): AuthOf {
  const auths = new Map<string, ServerAuth>()
  return (serverId, settings) => {
    if (settings.url === undefined || bringsCredentials(settings)) return undefined
    const url = new URL(settings.url)
    const key = JSON.stringify([serverId, url.href, settings.signIn])
    const known = auths.get(key)
    if (known) return known
    const made = new ServerAuth({
      serverId,
      url,
      settings: settings.signIn,
      store: createGrantStore(secrets, serverId, url),
      lockPath: lockPathOf(dataDir, serverId, 'refresh'),
      now,
      redact,
    })
    auths.set(key, made)
    return made
  }
}
