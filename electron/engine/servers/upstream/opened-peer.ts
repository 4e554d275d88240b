import type { ClientHello, ServerHello } from '../../protocol/era.ts'
import type { RpcPeer, RpcPeerHandlers } from '../../protocol/peer.ts'

export interface PeerEvents extends Pick<RpcPeerHandlers, 'onRequest' | 'onNotification'> {
  onReach?(failure: string | undefined): void
  /** The connection ended without `close()` being called; every request in flight has been rejected. */
  onLost(error: Error): void
}

/** A server that has introduced itself, before anything that the eras demand around its requests. */
export interface OpenedPeer {
  readonly peer: Pick<RpcPeer, 'request' | 'notify'>
  readonly hello: ServerHello
  /** As whom the server was greeted. */
  readonly greeted: ClientHello
  readonly pid: number | undefined
  /** Calls a tool as a task and gives its result; there where the introduction says nothing of the tasks that the server has. */
  readonly callAsTask?: RpcPeer['request']
  /** Makes an error of the transport one that tells people what happened. */
  readonly explain: (error: unknown) => unknown
  readonly isOpen: () => boolean
  readonly close: () => Promise<void>
}
