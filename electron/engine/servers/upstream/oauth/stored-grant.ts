import { z } from 'zod'
import { SluiceError } from '../../../ground/errors.ts'
import type { Secrets } from '../../../ground/secrets/secrets.ts'

const StoredGrant = z.object({
  /** The server that all of this is for. */
  url: z.string(),
  /** As the authorisation server registered Sluice (RFC 7591), with the issuer that did. */
  client: z.looseObject({ client_id: z.string() }).optional(),
  /** As the token endpoint gave them, with the issuer that did. */
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).optional(),
  /** Unix milliseconds. */
  expiresAt: z.number().optional(),
  /** The loopback port that the client was registered with. */
  port: z.number().optional(),
  /** What the server answered when it wanted somebody to sign in: where its tokens come from, and for which rights. */
  challenge: z
    .object({ scope: z.string().optional(), resourceMetadataUrl: z.string().optional() })
    .optional(),
  /** What the server wanted for a call that the tokens did not suffice for. */
  wantedScope: z.string().optional(),
})
export type StoredGrant = z.infer<typeof StoredGrant>

/** What of a server's sign-in is kept, as one secret. */
export interface GrantStore {
  /** Undefined where nothing is kept, or for another address: a token is never sent to a server that it is not for. */
  read(): Promise<StoredGrant | undefined>
  /** Lays these fields over what is kept. */
  write(fields: Partial<StoredGrant>): Promise<void>
  clear(): Promise<void>
}

export const grantName = (serverId: string): string => `oauth.${serverId}.grant`

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
