import { diffWordsWithSpace } from 'diff'
import type { Change, PendingChange } from './pin.ts'
import { pendingHash } from './pending-hash.ts'
import type { PinnedKind } from './pinned-item.ts'

/** In both versions or only one. */
export interface WordRun {
  readonly text: string
  readonly state: 'same' | 'added' | 'removed'
}

/** A differing place. */
export interface ChangedPlace {
  /**
   * `inputSchema.properties.path.enum[0]`; unusual keys are quoted: `properties["a.b"]`. Unique. Empty for a whole
   * definition that isn't an object.
   */
  readonly path: string
  readonly runs: readonly WordRun[]
}

export interface ReadableChange {
  readonly hash: string
  readonly serverId: string
  readonly kind: PinnedKind
  readonly name: string
  readonly change: Change
  readonly denied: boolean
  readonly places: readonly ChangedPlace[]
}

/** Longer texts are shown as removed and added: comparing words would take too long. */
const LONGEST_COMPARED = 20_000
/** Likewise after this many compared characters … */
const MOST_COMPARED = 200_000
/** … and with more edits. Counted, not timed, so that results are reproducible. */
const MOST_EDITS = 400
/** Each level repeats the path (quadratic). */
const LONGEST_PATH = 300

/** By place and words, with hidden characters visible; bounded for hostile input. */
export function describeChange(change: PendingChange, visualise: (text: string) => string): ReadableChange {
  const isRemoved = change.change === 'removed'
  const before = parsedPlaces(isRemoved ? change.definition : change.before)
  const after = parsedPlaces(isRemoved ? undefined : change.definition)
  const compareWords = createComparison(visualise)
  const places = [...new Set([...after.keys(), ...before.keys()])].flatMap((path): ChangedPlace[] => {
    const [old, young] = [before.get(path), after.get(path)]
    if (isSame(old, young)) return []
    // A string "1" and a number 1 differ only in type.
    const show = old && young && textOf(old) === textOf(young) ? jsonOf : textOf
    return [{ path: visualise(path), runs: compareWords(old && show(old), young && show(young)) }]
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

type CompareWords = (before: string | undefined, after: string | undefined) => WordRun[]

function createComparison(visualise: (text: string) => string): CompareWords {
  let compared = 0
  return (before, after) => {
    if (before === undefined) return [{ text: visualise(after ?? ''), state: 'added' }]
    if (after === undefined) return [{ text: visualise(before), state: 'removed' }]
    const [old, young] = [visualise(before), visualise(after)]
    const size = old.length + young.length
    compared += size
    const parts =
      size > LONGEST_COMPARED || compared > MOST_COMPARED
        ? undefined
        : diffWordsWithSpace(old, young, { maxEditLength: MOST_EDITS })
    const runs = (parts ?? []).map(({ value, added, removed }): WordRun => ({
      text: value,
      state: added ? 'added' : removed ? 'removed' : 'same',
    }))
    if (sharedOf(runs) * 3 < Math.min(old.length, young.length))
      return [
        { text: old, state: 'removed' },
        { text: young, state: 'added' },
      ]
    return joined(runs)
  }
}

/** Fewer shared characters than a third of the shorter text: single words would be unreadable. */
const sharedOf = (runs: readonly WordRun[]): number =>
  runs.reduce((sum, { text, state }) => sum + (state === 'same' ? text.trim().length : 0), 0)

/** Consecutive changes as one: what was there, then what is there now, with the space between them in both. */
function joined(runs: readonly WordRun[]): WordRun[] {
  const done: WordRun[] = []
  let [old, young] = ['', '']
  const end = (): void => {
    if (old !== '') done.push({ text: old, state: 'removed' })
    if (young !== '') done.push({ text: young, state: 'added' })
    old = young = ''
  }
  for (const [index, { text, state }] of runs.entries()) {
    const isBetween = old + young !== '' && index < runs.length - 1 && text.trim() === ''
    if (state === 'same' && !isBetween) {
      end()
      done.push({ text, state })
      continue
    }
    if (state !== 'added') old += text
    if (state !== 'removed') young += text
  }
  end()
  return done
}

interface Leaf {
  readonly value: unknown
}

const isSame = (one: Leaf | undefined, other: Leaf | undefined): boolean =>
  one === undefined || other === undefined ? one === other : jsonOf(one) === jsonOf(other)

const jsonOf = ({ value }: Leaf): string => JSON.stringify(value)
const textOf = (leaf: Leaf): string => (typeof leaf.value === 'string' ? leaf.value : jsonOf(leaf))

export const listPlaces = (definition: unknown): { readonly path: string; readonly text: string }[] =>
  [...placesOf(definition)].map(([path, leaf]) => ({ path, text: textOf(leaf) }))

const parsedPlaces = (definition: string | undefined): Map<string, Leaf> =>
  definition === undefined ? new Map() : placesOf(JSON.parse(definition))

/** Iterative: nesting can't overflow the stack. */
function placesOf(definition: unknown): Map<string, Leaf> {
  const places = new Map<string, Leaf>()
  const unused = createPathNumbers()
  const waiting: { path: string; value: unknown }[] = [{ path: '', value: definition }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, value } = next
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    if (entries.length === 0) {
      if (value !== null || path !== '') places.set(unused(path), { value })
      continue
    }
    for (const [key, item] of entries.reverse()) {
      waiting.push({ path: childPath(path, key, Array.isArray(value)), value: item })
    }
  }
  return places
}

export function childPath(path: string, key: string, inList = false): string {
  const isPlain = /^[\p{L}\p{N}_$-]+$/u.test(key)
  const step = inList ? `[${key}]` : isPlain ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`
  const whole = `${path}${step}`
  return whole.length <= LONGEST_PATH ? whole : `…${whole.slice(-LONGEST_PATH)}`
}

/** Keeps cut paths unique. No unquoted key ends in a bracketed number. */
function createPathNumbers(): (path: string) => string {
  const seen = new Map<string, number>()
  return (path) => {
    const number = (seen.get(path) ?? 0) + 1
    seen.set(path, number)
    return number === 1 ? path : `${path} (${number})`
  }
}
