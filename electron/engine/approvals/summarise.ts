import type { PendingChange, Change } from './pin-store.ts'
import type { PinnedKind } from './pinned-item.ts'

const words: Readonly<Record<Change, string>> = { new: 'new', changed: 'changed', removed: 'gone' }

/** What waits for the user, in one sentence: `Server "x": 3 tools are new (a, b, c); the instructions have changed.` */
export function summarise(serverId: string, changes: readonly PendingChange[]): string {
  const groups = new Map<string, PendingChange[]>()
  for (const item of changes) {
    const key = `${item.kind} ${item.change}`
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  const parts = [...groups.values()].map((items) => describe(items))
  return `Server "${serverId}": ${parts.join('; ') || 'nothing waits'}.`
}

function describe(items: readonly PendingChange[]): string {
  const [first] = items
  if (!first) return ''
  const state = words[first.change]
  if (first.kind === 'server') {
    return first.change === 'new'
      ? 'the server itself is new'
      : 'it is started in another way, or from another package'
  }
  if (first.kind === 'instructions')
    return first.change === 'new' ? 'its instructions are new' : 'its instructions have changed'
  const names = items.slice(0, 5).map((item) => quoted(item.name))
  const more = items.length > names.length ? `, … ${items.length - names.length} more` : ''
  return `${items.length} ${plural(first.kind, items.length)} ${state} (${names.join(', ')}${more})`
}

/** Servers choose names, and people read this sentence before they say yes: a strange name is told from the words around it. */
function quoted(name: string): string {
  const shown = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
  const short = shown.length > 80 ? `${shown.slice(0, 79)}…` : shown
  return /^[\p{L}\p{N}_./:{}@-]+$/u.test(short) ? short : JSON.stringify(short)
}

const plural = (kind: PinnedKind, count: number): string => (count === 1 ? `${kind} is` : `${kind}s are`)
