import { createORPCClient } from '@orpc/client'
import { RPCLink as HttpLink } from '@orpc/client/fetch'
import { RPCLink as PortLink } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { fetchAdmitted } from './access/session.ts'
import type { contract } from '../shared/api/contract.ts'

/** In the desktop window the page reaches the engine through a port, not HTTP. */
export const isInWindow = new URLSearchParams(location.search).get('door') === 'port'

export const api: ContractRouterClient<typeof contract> = createORPCClient(
  isInWindow
    ? new PortLink({ port: portToEngine() })
    : new HttpLink({ url: `${location.origin}/rpc`, fetch: fetchAdmitted }),
)

/** The preload script passes the other end to the engine. Earlier messages aren't lost. */
function portToEngine(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  window.postMessage('sluice:port', location.origin, [port2])
  port1.start()
  return port1
}
