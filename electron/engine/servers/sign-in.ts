import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import { didYouMean } from '../ground/nearest.ts'
import { resolveSecrets } from './resolve-secrets.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import { expandServer } from '../settings/expand-env.ts'
import { lockPathOf } from './upstream/oauth/server-auths.ts'
import { signIn } from './upstream/oauth/sign-in.ts'
import { createGrantStore, grantName, serverOfGrant } from './upstream/oauth/stored-grant.ts'

export interface SignInToServer {
  readonly serverId: string
  /** As in config.json. */
  readonly server: ServerSettings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secrets: Secrets
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly openPage: (url: URL) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Rejects with SIGN_IN_FAILED, BAD_INPUT for a local program, SETTINGS_INVALID for missing references, or
 * STORE_FAILED.
 */
export async function signInToServer(wanted: SignInToServer): Promise<void> {
  const { serverId, server, env, secrets, dataDir, now, openPage, signal } = wanted
  if (server.url === undefined)
    throw new SluiceError(
      'BAD_INPUT',
      `Server "${serverId}" is a program on this machine: there is nothing to sign in to.`,
    )
  const settings = expandServer(serverId, server, env, await resolveSecrets(server, secrets))
  await signIn({
    serverId,
    settings,
    store: createGrantStore(secrets, serverId, new URL(settings.url ?? '')),
    lockPath: lockPathOf(dataDir, serverId, 'sign-in'),
    now,
    openPage,
    signal,
  })
}

/** Rejects with BAD_INPUT if there is none. */
export async function signOutOfServer(
  serverId: string,
  secrets: Pick<Secrets, 'list' | 'delete'>,
): Promise<void> {
  const name = grantName(serverId)
  const kept = (await secrets.list()).map((entry) => entry.name)
  if (!kept.includes(name)) {
    const servers = kept.flatMap((other) => serverOfGrant(other) ?? [])
    throw new SluiceError(
      'BAD_INPUT',
      `Nothing is kept of a sign-in to "${serverId}".${didYouMean(serverId, servers)}`,
    )
  }
  await secrets.delete(name)
}
