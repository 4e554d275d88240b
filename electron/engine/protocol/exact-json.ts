import { readSources } from './read-sources.ts'
import { SOURCES, setSources, type Noted } from './json-sources.ts'

/*
 * JavaScript writes some JSON otherwise than it came: 9007199254740993, 1.0, 1e400, escapes that it would not use, keys
 * that look like indexes. Values stay ordinary here; what they were written as is noted beside them, under a symbol that
 * spreading copies and nothing else sees, and is written again wherever the same value still stands at the same key.
 *
 * Keys that come twice are the exception: the last one counts, as everything that checks a message sees only that.
 */

/** Node 24 has it, TypeScript's library does not yet: an object that JSON.stringify writes as this text. */
const { rawJSON } = JSON as unknown as { rawJSON: (this: void, text: string) => unknown }

/** Numbers that may be written otherwise, between the marks that stand before a value. */
const NUMBERS = /[[:,]\s*(?:-?(?:\d[\d.]{15}|\d+\.\d*0(?!\d)|[\d.]+[eE]|0\.0{6})|-0[\s,\]}.])/
const MOST_IN_BATCH = 100
const INDEX_KEYS = /"\d{1,10}"\s*:/

/** JSON.parse, whose values `stringifyExact` writes as they were. */
export function parseExact(text: string): unknown {
  return noteSources(JSON.parse(text), text)
}

/** The same for a value that JSON.parse has made of this text. */
export function noteSources<Value>(value: Value, text: string): Value {
  if (typeof value === 'object' && value !== null && mayNeedNotes(text)) readSources(text, value)
  return value
}

const mayNeedNotes = (text: string): boolean =>
  text.includes('\\u') || text.includes('\\/') || INDEX_KEYS.test(text) || NUMBERS.test(text)

/** JSON.stringify, but what was parsed by `parseExact` and still stands where it stood is written as it came. */
export const stringifyExact = (value: unknown): string => JSON.stringify(asItCame(value))

/** Whether a text is JSON of the same value: many servers give their data as text and as `structuredContent`. */
export function saysTheSame(json: string, text: string): boolean {
  try {
    return stringifyExact(parseExact(text)) === json
  } catch {
    return false
  }
}

/** What JSON.stringify writes as it came; the value itself where it writes that so anyway. */
export function asItCame<Value>(value: Value): Value | object {
  if (!mayHoldNotes(value)) return value
  try {
    return viewOf(value) as object
  } catch (error) {
    // Nested too deep to look through: better other digits than no message.
    if (error instanceof RangeError) return value
    throw error
  }
}

/** Whether notes are in a value: roots of messages, and lists, are often new objects around what came. */
export function mayHoldNotes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (SOURCES in value) return true
  // A batch of messages, or the items of a list.
  if (Array.isArray(value))
    return value.some(hasNotes) || (value.length <= MOST_IN_BATCH && value.some(isNoted))
  for (const key in value) if (isNoted((value as Record<string, unknown>)[key])) return true
  return false
}

const isNoted = (value: unknown): boolean => {
  // Each byte is a key of its own.
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

/** How a member was written; undefined where JavaScript writes it the same way, or where it is another value by now. */
export function sourceOf(container: object, key: string): string | undefined {
  const noted = (container as Noted)[SOURCES]?.written.get(key)
  return noted && Object.is(noted[0], (container as Record<string, unknown>)[key]) ? noted[1] : undefined
}

/** For a copy that was not made by spreading. */
export function carrySources<Copy extends object>(from: object, copy: Copy): Copy {
  const sources = (from as Noted)[SOURCES]
  if (sources) setSources(copy, sources)
  return copy
}

/** Notes how one member is to be written. */
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

/** The keys of an object as they came. New keys come last. */
export function keysInOrder(value: object, order: readonly string[]): readonly string[] {
  const known = new Set(order)
  return [
    ...order.filter((key) => Object.hasOwn(value, key)),
    ...Object.keys(value).filter((key) => !known.has(key)),
  ]
}

/** An object can't have such an order, but something that JSON.stringify takes for one. */
function inOrder(value: object, order: readonly string[]): unknown {
  const keys = keysInOrder(value, order)
  // A frozen object, such as an approved definition, lets no proxy name its keys otherwise.
  return new Proxy(Object.isExtensible(value) ? value : { ...value }, { ownKeys: () => keys })
}
