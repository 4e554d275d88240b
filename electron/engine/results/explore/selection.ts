import type { Segment } from './path.ts'
import { isRecord } from './parse-data.ts'

/** Which parts of a value are meant: all of it, or these children of it. */
export interface Selection {
  all: boolean
  readonly children: Map<string | number, Selection>
}

/** Where a path came to an end, for the message that says what there is instead. */
export interface DeadEnd {
  readonly kind: 'field' | 'index' | 'condition' | 'not a list'
  /** Place of the value in which the step failed, such as `items[]`. */
  readonly place: string
  readonly segment: Segment
  readonly value: unknown
  readonly depth: number
}

export const emptySelection = (): Selection => ({ all: false, children: new Map() })

/** Marks what `path` reaches in `value`. Returns how many places it reached; dead ends are told to `onDeadEnd`. */
export function select(
  value: unknown,
  path: readonly Segment[],
  into: Selection,
  onDeadEnd: (end: DeadEnd) => void,
): number {
  return step({ value, path, at: 0, into, place: '', onDeadEnd, onReached: () => {} })
}

/** The values that `path` reaches, in their order. */
export function reach(
  value: unknown,
  path: readonly Segment[],
  onDeadEnd: (end: DeadEnd) => void,
): unknown[] {
  const found: unknown[] = []
  const onReached = (reached: unknown) => found.push(reached)
  step({ value, path, at: 0, into: emptySelection(), place: '', onDeadEnd, onReached })
  return found
}

interface Step {
  value: unknown
  path: readonly Segment[]
  at: number
  into: Selection
  place: string
  onDeadEnd: (end: DeadEnd) => void
  onReached: (value: unknown) => void
}

function step(state: Step): number {
  const { value, path, at, into } = state
  const segment = path[at]
  if (!segment) {
    into.all = true
    state.onReached(value)
    return 1
  }
  if (segment.type === 'deep') return deep(state)
  if (segment.type === 'field' || segment.type === 'names') {
    // A name on a list means that name in each of its elements.
    if (Array.isArray(value)) return each(state, value.keys(), at)
    return isRecord(value) ? enter(state, namesIn(value, segment), at + 1) : deadEnd(state, 'field')
  }
  if (!Array.isArray(value)) {
    const isAny = segment.type === 'slice' && segment.from === undefined && segment.to === undefined
    if (isRecord(value) && isAny) return enter(state, Object.keys(value), at + 1)
    return deadEnd(state, 'not a list')
  }
  const indexes = indexesIn(value, segment)
  if (indexes.length === 0) return deadEnd(state, segment.type === 'where' ? 'condition' : 'index')
  return each(state, indexes, at + 1)
}

function deep(state: Step): number {
  const here = step({ ...state, at: state.at + 1, onDeadEnd: () => {} })
  const { value } = state
  if (Array.isArray(value)) return here + each(state, value.keys(), state.at)
  return isRecord(value) ? here + enterAll(state, Object.keys(value), state.at) : here
}

function each(state: Step, indexes: Iterable<number>, at: number): number {
  const list = state.value as readonly unknown[]
  let reached = 0
  for (const index of indexes) {
    reached += child(state, index, list[index], at, `${state.place}[]`)
  }
  return reached
}

function enter(state: Step, names: readonly string[], at: number): number {
  return names.length === 0 ? deadEnd(state, 'field') : enterAll(state, names, at)
}

function enterAll(state: Step, names: readonly string[], at: number): number {
  const record = state.value as Readonly<Record<string, unknown>>
  return names.reduce(
    (reached, name) =>
      reached + child(state, name, record[name], at, state.place === '' ? name : `${state.place}.${name}`),
    0,
  )
}

/** Follows the path into one child, and forgets the child again when nothing was reached there. */
function child(state: Step, key: string | number, value: unknown, at: number, place: string): number {
  const known = state.into.children.get(key)
  const into = known ?? emptySelection()
  const reached = step({ ...state, value, at, into, place })
  if (reached > 0 && !known) state.into.children.set(key, into)
  return reached
}

function deadEnd(state: Step, kind: DeadEnd['kind']): number {
  const segment = state.path[state.at]
  if (segment) state.onDeadEnd({ kind, place: state.place, segment, value: state.value, depth: state.at })
  return 0
}

function namesIn(value: Readonly<Record<string, unknown>>, segment: Segment): string[] {
  if (segment.type === 'field') return Object.hasOwn(value, segment.name) ? [segment.name] : []
  return segment.type === 'names' ? Object.keys(value).filter((name) => segment.pattern.test(name)) : []
}

function indexesIn(list: readonly unknown[], segment: Segment): number[] {
  if (segment.type === 'where') {
    return [...list.keys()].filter((index) => segment.condition.test(list[index]))
  }
  if (segment.type === 'index') {
    const index = segment.index < 0 ? list.length + segment.index : segment.index
    return index >= 0 && index < list.length ? [index] : []
  }
  if (segment.type !== 'slice') return []
  const place = (index: number) => Math.min(list.length, Math.max(0, index < 0 ? list.length + index : index))
  const from = place(segment.from ?? 0)
  const to = place(segment.to ?? list.length)
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset)
}

/** The value with nothing but what was selected: objects keep their field order, lists their element order. */
export function keep(value: unknown, selection: Selection): unknown {
  if (selection.all) return value
  if (Array.isArray(value)) {
    const indexes = [...selection.children.keys()].toSorted((a, b) => Number(a) - Number(b))
    return indexes.map((index) =>
      keep(value[Number(index)], selection.children.get(index) ?? emptySelection()),
    )
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value).flatMap((name): [string, unknown][] => {
      const inner = selection.children.get(name)
      return inner ? [[name, keep(value[name], inner)]] : []
    }),
  )
}

/** The value without what was selected. */
export function drop(value: unknown, selection: Selection): unknown {
  const isGone = (key: string | number) => selection.children.get(key)?.all === true
  const rest = (key: string | number, inner: unknown) => {
    const below = selection.children.get(key)
    return below ? drop(inner, below) : inner
  }
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown, index): unknown[] =>
      isGone(index) ? [] : [rest(index, element)],
    )
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
      isGone(name) ? [] : [[name, rest(name, inner)]],
    ),
  )
}
