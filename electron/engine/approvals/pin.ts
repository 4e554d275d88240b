import type { PinnedKind } from './pinned-item.ts'

export interface Pin {
  readonly kind: PinnedKind
  readonly name: string
  readonly hash: string
  /** Canonical JSON, with marks for place-dependent words (moving-words.ts). */
  readonly definition: string
  /** Hash of the verbatim words, if marks replaced some. */
  readonly literal?: string | undefined
}

export type Change = 'new' | 'changed' | 'removed'

/** Something that waits for the user's word. */
export interface PendingChange extends Pin {
  readonly identity: string
  readonly serverId: string
  readonly change: Change
  /** Unix milliseconds. */
  readonly at: number
  readonly deniedAt: number | undefined
  /** The approved definition it differs from; undefined where it is new. */
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
