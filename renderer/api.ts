import { createORPCClient } from '@orpc/client'
import { RPCLink as HttpLink } from '@orpc/client/fetch'
import { RPCLink as PortLink } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { fetchAdmitted } from './access/session.ts'
import type { contract } from '../shared/api/contract.ts'

/** The desktop app's window says so in its address; there the engine is reached through a port, not over HTTP. */
export const isInWindow = new URLSearchParams(location.search).get('door') === 'port'

/** The only door to the engine. */
export const api: ContractRouterClient<typeof contract> = createORPCClient(
  isInWindow
    ? new PortLink({ port: portToEngine() })
    : new HttpLink({ url: `${location.origin}/rpc`, fetch: fetchAdmitted }),
)

/** One end stays here, the preload script takes the other one to the engine. What is said before is not lost. */
function portToEngine(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  window.postMessage('sluice:port', location.origin, [port2])
  port1.start()
  return port1
}
