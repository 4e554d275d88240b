import type { Change } from './pin.ts'

/** For approval: of the definition, or of its absence if removed. */
export const pendingHash = (item: { readonly change: Change; readonly hash: string }): string =>
  item.change === 'removed' ? `removed-${item.hash}` : item.hash
