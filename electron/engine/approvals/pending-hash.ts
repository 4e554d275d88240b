import type { Change } from './pin.ts'

export const pendingHash = (item: { readonly change: Change; readonly hash: string }): string =>
  item.change === 'removed' ? `removed-${item.hash}` : item.hash
