import { asItCame, keysInOrder, parseExact, sourceOf } from './exact-json.ts'
import { SOURCES, setSources, type Noted } from './json-sources.ts'
import { placeSources, sourcesIn, type SourceTree } from './move-sources.ts'
import type { Steps } from '../ground/steps.ts'

/*
 * A value of very many parts in portions that each take under a millisecond, so that writing it or moving it to
 * another thread leaves turns for other work. They follow JSON's order and keep source texts (exact-json.ts).
 */
export type Portion =
  | { readonly kind: 'list' | 'end' }
  | { readonly kind: 'object'; readonly order: readonly string[] | undefined }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'some'; readonly json: string; readonly isNoted: boolean }
  /** Long, deep, or not expressible in JSON. */
  | { readonly kind: 'leaf'; readonly value: unknown; readonly sources: SourceTree | undefined }

/** Fewer take a millisecond or two. */
const MANY = 4_000
/** Every 256 characters of a text count as one. */
const PORTION = 1_000
const LONG_TEXT = 250_000
/** Below it, what exceeds a portion isn't split. */
const DEEPEST = 500
const TOO_MUCH = -1

type Container = readonly unknown[] | Readonly<Record<string, unknown>>

/** `characters`: text length that counts as one value. Stops when known, so that large values cost no more. */
export function hasManyValues(value: unknown, { characters = Infinity } = {}): boolean {
  const open: unknown[] = [value]
  for (let seen = 0; open.length > 0;) {
    const next = open.pop()
    if (typeof next === 'string' && (seen += next.length / characters) >= MANY) return true
    if (!isContainer(next)) continue
    if (Array.isArray(next)) {
      seen += next.length
      if (seen >= MANY) return true
      open.push(...(next as unknown[]))
      continue
    }
    const members = next as Readonly<Record<string, unknown>>
    for (const key in members) {
      if (++seen >= MANY) return true
      open.push(members[key])
    }
  }
  return false
}

export function* portionsOf(value: unknown, depth = 0): Generator<Portion> {
  if (!isContainer(value) || depth > DEEPEST) {
    yield { kind: 'leaf', value, sources: sourcesIn(value) }
    return
  }
  const members = new Members(value)
  yield members.keys ? { kind: 'object', order: members.order } : { kind: 'list' }
  let from = 0
  let room = PORTION
  for (let at = 0; at < members.length; at++) {
    const left = members.roomAfter(at, room)
    if (left >= 0) {
      room = left
      continue
    }
    if (at > from) yield members.some(from, at)
    const leftAlone = members.roomAfter(at, PORTION)
    if (leftAlone >= 0) {
      from = at
      room = leftAlone
      continue
    }
    if (members.keys) yield { kind: 'key', key: members.keys[at] ?? '' }
    yield* portionsOf(members.at(at), depth + 1)
    from = at + 1
    room = PORTION
  }
  if (members.length > from) yield members.some(from, members.length)
  yield { kind: 'end' }
}

class Members {
  readonly keys: readonly string[] | undefined
  readonly order: readonly string[] | undefined
  readonly length: number
  readonly #container: Container

  constructor(container: Container) {
    this.#container = container
    this.order = (container as Noted)[SOURCES]?.order
    if (Array.isArray(container)) this.length = container.length
    else {
      this.keys = this.order ? keysInOrder(container, this.order) : Object.keys(container)
      this.length = this.keys.length
    }
  }

  at(place: number): unknown {
    return (this.#container as Record<string | number, unknown>)[this.keys ? (this.keys[place] ?? '') : place]
  }

  roomAfter(place: number, room: number): number {
    const key = this.keys?.[place]
    return roomAfter(this.#container, key ?? place, room - (key === undefined ? 0 : key.length >> 8))
  }

  some(from: number, to: number): Portion {
    const { keys } = this
    const own = keys?.slice(from, to)
    const part: object = own
      ? Object.fromEntries(own.map((key, index) => [key, this.at(from + index)]))
      : (this.#container as readonly unknown[]).slice(from, to)
    const written = (this.#container as Noted)[SOURCES]?.written
    if (written) {
      const noted = new Map<string, readonly [unknown, string]>()
      for (let at = from; written.size > 0 && at < to; at++) {
        const note = written.get(keys?.[at] ?? String(at))
        if (note) noted.set(keys?.[at] ?? String(at - from), note)
      }
      setSources(part, { written: noted, order: this.order && own })
    }
    const shown = asItCame(part)
    return { kind: 'some', json: JSON.stringify(shown), isNoted: shown !== part }
  }
}

/** Negative if the member doesn't fit. */
function roomAfter(container: Container, key: string | number, room: number): number {
  const value = (container as Record<string | number, unknown>)[key]
  if (typeof value === 'string') return value.length > LONG_TEXT ? TOO_MUCH : room - 1 - (value.length >> 8)
  if (value === null || typeof value === 'boolean') return room - 1
  if (typeof value === 'number') {
    const isJson = Number.isFinite(value) && !Object.is(value, -0)
    return isJson || sourceOf(container, String(key)) !== undefined ? room - 1 : TOO_MUCH
  }
  if (!isContainer(value)) return TOO_MUCH
  let left = room - 1
  if (left < 0) return left
  if (Array.isArray(value))
    for (let at = 0; at < value.length && left >= 0; at++) left = roomAfter(value, at, left)
  else
    for (const inner of Object.keys(value)) {
      left = roomAfter(value, inner, left - (inner.length >> 8))
      if (left < 0) break
    }
  return left
}

/** Plain objects and lists. */
function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value)
}

interface Open {
  readonly container: unknown[] | Record<string, unknown>
  readonly order: readonly string[] | undefined
  readonly written: Map<string, readonly [unknown, string]>
  isNoted: boolean
  key: string
}

export function* assemble(portions: readonly Portion[]): Steps<unknown> {
  const root: unknown[] = []
  const open: Open[] = [{ container: root, order: undefined, written: new Map(), isNoted: false, key: '' }]
  for (const portion of portions) {
    const current = open.at(-1)
    if (!current) break
    if (portion.kind === 'key') current.key = portion.key
    else if (portion.kind === 'some') addSome(current, portion)
    else if (portion.kind === 'leaf') {
      const { value, sources } = portion
      if (sources) {
        placeSources(value, sources)
        current.isNoted = true
      }
      add(current, current.key, value)
    } else if (portion.kind === 'end') {
      open.pop()
      close(current, open.at(-1))
    } else {
      const container = portion.kind === 'list' ? [] : {}
      const order = portion.kind === 'object' ? portion.order : undefined
      add(current, current.key, container)
      open.push({ container, order, written: new Map(), isNoted: false, key: '' })
    }
    yield
  }
  return root[0]
}

function addSome(open: Open, { json, isNoted }: Portion & { kind: 'some' }): void {
  const part = (isNoted ? parseExact(json) : JSON.parse(json)) as Container
  const base = Array.isArray(open.container) ? open.container.length : undefined
  if (Array.isArray(part)) for (const item of part as unknown[]) add(open, '', item)
  else for (const key of Object.keys(part)) add(open, key, (part as Record<string, unknown>)[key])
  const sources = (part as Noted)[SOURCES]
  if (!sources) return
  open.isNoted = true
  for (const [key, note] of sources.written)
    open.written.set(base === undefined ? key : String(base + Number(key)), note)
}

function add({ container }: Open, key: string, value: unknown): void {
  if (Array.isArray(container)) container.push(value)
  // As JSON.parse does: assignment would set the prototype.
  else if (key === '__proto__')
    Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
  else container[key] = value
}

function close({ container, order, written, isNoted }: Open, parent: Open | undefined): void {
  if (!isNoted && !order) return
  setSources(container, { written, order })
  if (parent) parent.isNoted = true
}
