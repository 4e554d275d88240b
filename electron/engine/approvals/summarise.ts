import type { PendingChange, Change } from './pin.ts'
import type { PinnedKind } from './pinned-item.ts'

const words: Readonly<Record<Change, string>> = { new: 'new', changed: 'changed', removed: 'gone' }

/** In one sentence: `Server "x": 3 tools are new (a, b, c); the instructions have changed.` */
export function summarise(serverId: string, changes: readonly PendingChange[]): string {
  const groups = new Map<string, PendingChange[]>()
  for (const item of changes) {
    const key = `${item.kind} ${item.change}`
    const items = groups.get(key) ?? []
    items.push(item)
    groups.set(key, items)
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
  if (first.kind === 'variables')
    return `values of its variables or headers ${first.change === 'new' ? 'are new' : 'have changed'}`
  if (first.kind === 'instructions')
    return first.change === 'new' ? 'its instructions are new' : 'its instructions have changed'
  if (first.kind === 'introduction')
    return first.change === 'new' ? 'its introduction is new' : 'its introduction has changed'
  const names = items.slice(0, 5).map((item) => quoted(item.name))
  const more = items.length > names.length ? `, … ${items.length - names.length} more` : ''
  return `${items.length} ${plural(first.kind, items.length)} ${state} (${names.join(', ')}${more})`
}

/** So that server-chosen names can't pass for the sentence's words. */
function quoted(name: string): string {
  const shown = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
  const short = shown.length > 80 ? `${shown.slice(0, 79)}…` : shown
  return /^[\p{L}\p{N}_./:{}@-]+$/u.test(short) ? short : JSON.stringify(short)
}

const plural = (kind: PinnedKind, count: number): string => (count === 1 ? `${kind} is` : `${kind}s are`)

export interface Noticed {
  readonly reason: string
  readonly score: number
}

/** Lower scores aren't shown. */
export const WORTH_A_WARNING = 0.5
const MOST_WARNINGS = 5

/** Highest score first: `tool "x": gives orders to the model (97 %)`. */
export function warningsOf(
  changes: readonly PendingChange[],
  found: readonly (readonly Noticed[])[],
): string[] {
  const warnings = changes.flatMap(({ kind, name }, index) =>
    (found[index] ?? [])
      .filter(({ score }) => score >= WORTH_A_WARNING)
      .map(({ reason, score }) => ({
        score,
        text: `${`${kind} ${name === '' ? '' : quoted(name)}`.trim()}: ${reason} (${Math.round(score * 100)} %)`,
      })),
  )
  const first = warnings.toSorted((one, other) => other.score - one.score).slice(0, MOST_WARNINGS)
  const more = warnings.length - first.length
  return [...first.map(({ text }) => text), ...(more > 0 ? [`and ${more} more`] : [])]
}
