import { z } from 'zod'
import { SluiceError } from '../../../ground/errors.ts'
import type { Secrets } from '../../../ground/secrets/secrets.ts'

const StoredGrant = z.object({
  url: z.string(),
  /** Registration (RFC 7591), with its issuer. */
  client: z.looseObject({ client_id: z.string() }).optional(),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).optional(),
  /** Unix milliseconds. */
  expiresAt: z.number().optional(),
  /** Loopback port of the registration. */
  port: z.number().optional(),
  /** Authorisation server and scopes. */
  challenge: z
    .object({ scope: z.string().optional(), resourceMetadataUrl: z.string().optional() })
    .optional(),
  wantedScope: z.string().optional(),
})
export type StoredGrant = z.infer<typeof StoredGrant>

/** One secret per server. */
export interface GrantStore {
  /** Undefined if missing or for another address: a token is never sent to another server. */
  read(): Promise<StoredGrant | undefined>
  /** Merges into the stored grant. */
  write(fields: Partial<StoredGrant>): Promise<void>
  clear(): Promise<void>
}

export const grantName = (serverId: string): string => `oauth.${serverId}.grant`
export const serverOfGrant = (name: string): string | undefined => /^oauth\.(.+)\.grant$/.exec(name)?.[1]

export function createGrantStore(
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>,
  serverId: string,
  url: URL,
): GrantStore {
  const name = grantName(serverId)
  const read: GrantStore['read'] = async () => {
    const text = await secrets.get(name)
    if (text === undefined) return undefined
    const parsed = StoredGrant.safeParse(parseJson(text))
    if (!parsed.success) {
      const damaged = `What is kept of the sign-in to server "${serverId}" is damaged. Forget it with "sluice sign-out ${serverId}", then sign in again.`
      throw new SluiceError('STORE_FAILED', damaged, { data: { server: serverId } })
    }
    return parsed.data.url === url.href ? parsed.data : undefined
  }
  return {
    read,
    write: async (fields) => {
      const before = await read().catch(() => undefined)
      const kept = { ...before, ...fields, url: url.href }
      await secrets.set(name, JSON.stringify(kept))
    },
    clear: () => secrets.delete(name),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
