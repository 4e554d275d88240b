import type { PinnedKind } from './pinned-item.ts'

export interface Pin {
  readonly kind: PinnedKind
  readonly name: string
  readonly hash: string
  readonly definition: string
  readonly literal?: string | undefined
}

export type Change = 'new' | 'changed' | 'removed'

/** Waits for the user's approval. */
export interface PendingChange extends Pin {
  readonly identity: string
  readonly serverId: string
  readonly change: Change
  readonly at: number
  readonly deniedAt: number | undefined
  /** The approved definition; undefined if new. */
  readonly before: string | undefined
}

export interface HistoryEntry {
  readonly at: number
  readonly identity: string
  readonly serverId: string
  readonly kind: PinnedKind
  readonly name: string
  readonly action: 'seen' | 'approved' | 'denied' | 'trusted at first sight' | 'removed'
  readonly by: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface KnownServer {
  readonly identity: string
  readonly serverId: string
  readonly launch: string
}
