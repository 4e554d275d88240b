import { diffWordsWithSpace } from 'diff'
import type { Change, PendingChange } from './pin-store.ts'
import { pendingHash } from './pin-store.ts'
import type { PinnedKind } from './pinned-item.ts'

/** A stretch of words that both versions have, or only one of them. */
export interface WordRun {
  readonly text: string
  readonly state: 'same' | 'added' | 'removed'
}

/** One place in a definition that differs. */
export interface ChangedPlace {
  /** e.g. `inputSchema.properties.path.description`; empty for the whole of a definition that is no object. */
  readonly path: string
  readonly runs: readonly WordRun[]
}

/** What somebody has to look at before saying yes. Control and invisible characters are made visible in all texts. */
export interface ReadableChange {
  readonly hash: string
  readonly serverId: string
  readonly kind: PinnedKind
  readonly name: string
  readonly change: Change
  readonly denied: boolean
  readonly places: readonly ChangedPlace[]
}

/** Longer texts are shown as removed and added whole: comparing them by words would take too long. */
const LONGEST_COMPARED = 20_000
const DIFF_TIMEOUT_MS = 200

/** The difference by places and words. `visualise` makes hidden characters visible; nothing hostile can make it slow. */
export function describeChange(change: PendingChange, visualise: (text: string) => string): ReadableChange {
  const before = placesOf(change.before)
  const after = change.change === 'removed' ? new Map<string, string>() : placesOf(change.definition)
  const removed = change.change === 'removed' ? placesOf(change.definition) : before
  const paths = [...new Set([...after.keys(), ...removed.keys()])]
  const places = paths.flatMap((path): ChangedPlace[] => {
    const [old, young] = [removed.get(path), after.get(path)]
    if (old === young) return []
    return [{ path: visualise(path), runs: compareWords(old, young, visualise) }]
  })
  return {
    hash: pendingHash(change),
    serverId: change.serverId,
    kind: change.kind,
    name: visualise(change.name),
    change: change.change,
    denied: change.deniedAt !== undefined,
    places,
  }
}

function compareWords(
  before: string | undefined,
  after: string | undefined,
  visualise: (text: string) => string,
): WordRun[] {
  if (before === undefined) return [{ text: visualise(after ?? ''), state: 'added' }]
  if (after === undefined) return [{ text: visualise(before), state: 'removed' }]
  const [old, young] = [visualise(before), visualise(after)]
  const whole: WordRun[] = [
    { text: old, state: 'removed' },
    { text: young, state: 'added' },
  ]
  if (old.length + young.length > LONGEST_COMPARED) return whole
  const parts = diffWordsWithSpace(old, young, { timeout: DIFF_TIMEOUT_MS })
  return (
    parts?.map(({ value, added, removed }) => ({
      text: value,
      state: added ? 'added' : removed ? 'removed' : 'same',
    })) ?? whole
  )
}

/** Every scalar of a definition by its path. Walks with a list of its own, so that no nesting can overflow the stack. */
function placesOf(definition: string | undefined): Map<string, string> {
  const places = new Map<string, string>()
  if (definition === undefined) return places
  const waiting: { path: string; value: unknown }[] = [{ path: '', value: JSON.parse(definition) }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, value } = next
    if (typeof value !== 'object' || value === null) {
      if (value !== null || path !== '')
        places.set(path, typeof value === 'string' ? value : JSON.stringify(value))
      continue
    }
    const entries = Object.entries(value)
    if (entries.length === 0) places.set(path, Array.isArray(value) ? '[]' : '{}')
    for (const [key, item] of entries.reverse()) {
      const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
      waiting.push({ path: `${path}${step}`, value: item })
    }
  }
  return places
}
