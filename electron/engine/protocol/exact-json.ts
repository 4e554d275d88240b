import { readSources } from './read-sources.ts'
import { SOURCES, setSources, type Noted } from './json-sources.ts'

/*
 * JavaScript writes some JSON differently: 9007199254740993, 1.0, 1e400, unusual escapes, index-like keys. Values
 * stay ordinary; their source text is noted under a symbol, which only spreading copies, and written again while the
 * same value is at the same key. Of duplicate keys only the last counts, as in all checks.
 */

/** Missing in TypeScript's library: JSON.stringify writes it as this text. */
const { rawJSON } = JSON as unknown as { rawJSON: (this: void, text: string) => unknown }

/** JavaScript may write these differently. With delimiters. */
const NUMBERS = /[[:,]\s*(?:-?(?:\d[\d.]{15}|\d+\.\d*0(?!\d)|[\d.]+[eE]|0\.0{6})|-0[\s,\]}.])/
const MOST_IN_BATCH = 100
const INDEX_KEYS = /"\d{1,10}"\s*:/

export function parseExact(text: string): unknown {
  return noteSources(JSON.parse(text), text)
}

export function noteSources<Value>(value: Value, text: string): Value {
  if (typeof value === 'object' && value !== null && mayNeedNotes(text)) readSources(text, value)
  return value
}

const mayNeedNotes = (text: string): boolean =>
  text.includes('\\u') || text.includes('\\/') || INDEX_KEYS.test(text) || NUMBERS.test(text)

export const stringifyExact = (value: unknown): string => JSON.stringify(asItCame(value))

/** Many servers repeat data as text and `structuredContent`. */
export function saysTheSame(json: string, text: string): boolean {
  try {
    return stringifyExact(parseExact(text)) === json
  } catch {
    return false
  }
}

export function asItCame<Value>(value: Value): Value | object {
  if (!mayHoldNotes(value)) return value
  try {
    return viewOf(value) as object
  } catch (error) {
    // Too deep to search: changed digits are better than no message.
    if (error instanceof RangeError) return value
    throw error
  }
}

export function mayHoldNotes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (SOURCES in value) return true
  // A batch, or a list's items.
  if (Array.isArray(value))
    return value.some(hasNotes) || (value.length <= MOST_IN_BATCH && value.some(isNoted))
  for (const key in value) if (isNoted((value as Record<string, unknown>)[key])) return true
  return false
}

const isNoted = (value: unknown): boolean => {
  // Each byte would be a key.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  if (SOURCES in value) return true
  if (Array.isArray(value)) return value.some(hasNotes)
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (hasNotes(inner) || (Array.isArray(inner) && inner.some(hasNotes))) return true
  }
  return false
}

const hasNotes = (value: unknown): boolean => typeof value === 'object' && value !== null && SOURCES in value

/** Undefined if JavaScript writes the same, or the value changed. */
export function sourceOf(container: object, key: string): string | undefined {
  const noted = (container as Noted)[SOURCES]?.written.get(key)
  return noted && Object.is(noted[0], (container as Record<string, unknown>)[key]) ? noted[1] : undefined
}

/** For copies not made by spreading. */
export function carrySources<Copy extends object>(from: object, copy: Copy): Copy {
  const sources = (from as Noted)[SOURCES]
  if (sources) setSources(copy, sources)
  return copy
}

export function withSource<Holder extends object>(holder: Holder, key: string, text: string): Holder {
  const known = (holder as Noted)[SOURCES]
  const value = (holder as Record<string, unknown>)[key]
  setSources(holder, {
    written: new Map([...(known?.written ?? []), [key, [value, text]]]),
    order: known?.order,
  })
  return holder
}

function viewOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? viewOfList(value) : viewOfObject(value)
}

function viewOfList(list: readonly unknown[]): unknown {
  let copy: unknown[] | undefined
  for (const [index, item] of list.entries()) {
    const shown = viewOfMember(list, String(index), item)
    if (shown === item) continue
    copy ??= [...list]
    copy[index] = shown
  }
  return copy ?? list
}

function viewOfObject(value: object): unknown {
  let copy: Record<string, unknown> | undefined
  const members = value as Record<string, unknown>
  for (const key of Object.keys(value)) {
    const item = members[key]
    const shown = viewOfMember(value, key, item)
    if (shown === item) continue
    copy ??= { ...members }
    copy[key] = shown
  }
  const order = (value as Noted)[SOURCES]?.order
  return order ? inOrder(copy ?? value, order) : (copy ?? value)
}

function viewOfMember(container: object, key: string, item: unknown): unknown {
  const text = sourceOf(container, key)
  return text === undefined ? viewOf(item) : rawJSON(text)
}

/** New keys last. */
export function keysInOrder(value: object, order: readonly string[]): readonly string[] {
  const known = new Set(order)
  return [
    ...order.filter((key) => Object.hasOwn(value, key)),
    ...Object.keys(value).filter((key) => !known.has(key)),
  ]
}

/** Objects can't have such an order, but a proxy for JSON.stringify can. */
function inOrder(value: object, order: readonly string[]): unknown {
  const keys = keysInOrder(value, order)
  // A frozen object, such as an approved definition, forbids other key orders.
  return new Proxy(Object.isExtensible(value) ? value : { ...value }, { ownKeys: () => keys })
}
