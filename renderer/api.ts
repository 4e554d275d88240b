import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import type { contract } from '../shared/api/contract.ts'

/** The only door to the engine. */
export const api: ContractRouterClient<typeof contract> = createORPCClient(
  new RPCLink({ url: `${location.origin}/rpc` }),
)
