import type { PinStore } from '../../electron/engine/approvals/pin-store.ts'
import { pendingHash } from '../../electron/engine/approvals/pending-hash.ts'

/** A change of the approvals record, chosen by numbers. */
export function decideAtRandom(store: PinStore, next: () => number): void {
  const identity = `server ${next() % 3}`
  const name = `tool ${next() % 4}`
  const hash = `hash ${next() % 5}`
  store.meet(identity, identity, '{}')
  const waiting = new Set(store.pending(identity).map(pendingHash))
  switch (next() % 6) {
    case 0:
      return void store.approve(identity, waiting, 'test')
    case 1:
      return void store.deny(identity, waiting, 'test')
    case 2:
      return void store.revoke(identity, new Set([hash]), 'test')
    case 3:
      return store.trustAtFirstSight(identity, [{ kind: 'prompt', name, hash, definition: '{}' }])
    case 4: {
      const [pin] = store.pinsOf(identity)
      if (!pin) return
      return store.setPending(identity, [{ ...pin, change: 'removed' }])
    }
    default:
      return store.setPending(identity, [
        { kind: 'tool', name, hash, literal: `${hash} word for word`, definition: '{}', change: 'new' },
      ])
  }
}
