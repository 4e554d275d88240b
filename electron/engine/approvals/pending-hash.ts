import type { Change } from './pin.ts'

/** Identifies a pending change for approval: its definition, or its absence if removed. */
export const pendingHash = (item: { readonly change: Change; readonly hash: string }): string =>
  item.change === 'removed' ? `removed-${item.hash}` : item.hash
