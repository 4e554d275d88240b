import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import type { contract } from '../../shared/api/contract.ts'

export type Api = ContractRouterClient<typeof contract>

/** Over an engine's loopback HTTP. */
export const screensClient = (
  { url, token }: { readonly url: string; readonly token: string },
  fetchFn: typeof fetch = fetch,
): Api =>
  createORPCClient(
    new RPCLink({
      url: `${url}/rpc`,
      headers: { Authorization: `Bearer ${token}` },
      fetch: (request, init) => fetchFn(request, init),
    }),
  )
