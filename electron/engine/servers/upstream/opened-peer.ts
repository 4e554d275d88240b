import type { ClientHello, ServerHello } from '../../protocol/era.ts'
import type { RpcPeer, RpcPeerHandlers } from '../../protocol/peer.ts'

export interface PeerEvents extends Pick<RpcPeerHandlers, 'onRequest' | 'onNotification'> {
  onReach?(failure: string | undefined): void
  /** Ended without `close()`; all requests in progress have been rejected. */
  onLost(error: Error): void
}

/** An introduced server, before era handling of requests. */
export interface OpenedPeer {
  readonly peer: Pick<RpcPeer, 'request' | 'notify'>
  readonly hello: ServerHello
  /** As whom the server was greeted. */
  readonly greeted: ClientHello
  readonly pid: number | undefined
  /** Calls a tool as a task and returns its result; set if the introduction hides the server's tasks. */
  readonly callAsTask?: RpcPeer['request']
  /** Makes a transport error readable. */
  readonly explain: (error: unknown) => unknown
  readonly isOpen: () => boolean
  readonly close: () => Promise<void>
}
