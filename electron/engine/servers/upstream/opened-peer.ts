import type { ClientHello, ServerHello } from '../../protocol/era.ts'
import type { RpcPeer, RpcPeerHandlers } from '../../protocol/peer.ts'

export interface PeerEvents extends Pick<RpcPeerHandlers, 'onRequest' | 'onNotification'> {
  onReach?(failure: string | undefined): void
  /** Ended without `close()`; all requests in progress have been rejected. */
  onLost(error: Error): void
}

/** Before era handling. */
export interface OpenedPeer {
  readonly peer: Pick<RpcPeer, 'request' | 'notify'>
  readonly hello: ServerHello
  /** Client introduced to the server. */
  readonly greeted: ClientHello
  readonly pid: number | undefined
  /** Returns the task's result; set if the introduction hides the server's tasks. */
  readonly callAsTask?: RpcPeer['request']
  readonly explain: (error: unknown) => unknown
  readonly isOpen: () => boolean
  readonly close: () => Promise<void>
}
