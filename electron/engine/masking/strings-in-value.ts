import { carrySources, sourceOf, withSource } from '../protocol/exact-json.ts'
import { SOURCES, setSources } from '../protocol/json-sources.ts'
import { columnsOfRows } from './array-columns.ts'
import { asWords } from './as-words.ts'
import { numberKey } from './finders/number-keys.ts'
import { isNameKey, isValueKey, labelUnder, nameOfPair } from './naming-keys.ts'
import type { LabelledText } from './text-leaves.ts'

export interface StringsInValue {
  /** In value order, with their keys; numbers as they are written. */
  readonly texts: readonly LabelledText[]
  /** In the same order. What is the same text stays what it was. */
  readonly rebuild: (replacements: readonly (string | WrittenNumber)[]) => unknown
}

/** A number instead of a text. */
export interface WrittenNumber {
  readonly number: string
}

type Container = Record<string, unknown> | unknown[]
type Place = { readonly parent: Container; readonly key: string | number }

interface Step {
  readonly source: Container
  readonly item: unknown
  /** Of the copy. */
  readonly parent: Container
  readonly key: string | number
  readonly label: string | undefined
  /** Of rows, or of the cells of one. */
  readonly columns: readonly string[] | undefined
}

/** Standard and URL-safe. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** Strings, and numbers under keys that may name those of persons; not encoded data. Iterative, so no depth limit; `__proto__` is an ordinary key. */
export function stringsInValue(value: unknown): StringsInValue {
  const root: Container = [value]
  const copy: Container = [undefined]
  const texts: LabelledText[] = []
  const places: Place[] = []
  const open: Step[] = [
    { source: root, item: value, parent: copy, key: 0, label: undefined, columns: undefined },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { source, item, parent, key, label, columns } = next
    if (typeof item === 'string') {
      put(parent, key, item)
      if (isOpaque(source, key, item)) continue
      texts.push({ text: item, label })
      places.push({ parent, key })
    } else if (typeof item === 'number') {
      put(parent, key, item)
      const text = sourceOf(source, String(key)) ?? String(item)
      if (label === undefined || !WHOLE_NUMBER.test(text) || !numberKey(asWords(label))) continue
      texts.push({ text, label, isNumber: true })
      places.push({ parent, key })
    } else if (typeof item === 'object' && item !== null) {
      const inner = item as Container
      const own: Container = carrySources(inner, Array.isArray(inner) ? [] : {})
      put(parent, key, own)
      const entries = Object.entries(inner)
      for (const [name] of entries) put(own, name, undefined)
      const isArray = Array.isArray(inner)
      const header = isArray && columns?.length === inner.length ? columns : undefined
      const beside = isArray ? [] : Object.values(inner)
      const pair = isArray ? undefined : nameOfPair(namesIn(entries))
      for (const [name, child] of entries.reverse()) {
        open.push({
          source: inner,
          item: child,
          parent: own,
          key: name,
          label: isArray
            ? (header?.[Number(name)] ?? label)
            : pair !== undefined && isValueKey(name)
              ? pair
              : labelUnder(name, label),
          columns: columnsOfRows(child, beside) ?? (isArray ? columns : undefined),
        })
      }
    } else put(parent, key, item)
  }
  return {
    texts,
    rebuild: (replacements) => {
      let hasSources = false
      places.forEach(({ parent, key }, index) => {
        const replacement = replacements[index] ?? ''
        if (typeof replacement !== 'string') {
          put(parent, key, Number(replacement.number))
          if (String(Number(replacement.number)) === replacement.number) return
          withSource(parent, String(key), replacement.number)
          hasSources = true
        } else if (!texts[index]?.isNumber || replacement !== texts[index].text) put(parent, key, replacement)
      })
      if (hasSources) markAll(copy[0])
      return copy[0]
    },
  }
}

const WHOLE_NUMBER = /^\d+(?:\.0+)?$/

const namesIn = (entries: readonly (readonly [string, unknown])[]): string[] =>
  entries.flatMap(([key, value]) => (typeof value === 'string' && isNameKey(key) ? [value] : []))

/** Sources are looked for only where each container around them has some. */
function markAll(root: unknown): void {
  const open = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (!(SOURCES in next)) setSources(next, { written: new Map(), order: undefined })
    open.push(...Object.values(next))
  }
}

function put(parent: Container, key: string | number, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true })
  } else (parent as Record<string | number, unknown>)[key] = value
}

/** Base64 pictures, sounds and files, and state that a server needs back unchanged. */
function isOpaque(parent: Container, key: string | number, text: string): boolean {
  if (Array.isArray(parent)) return false
  if (key === 'data') return typeof parent['mimeType'] === 'string' && BASE64.test(text)
  if (key === 'blob') return typeof parent['uri'] === 'string' && BASE64.test(text)
  return key === 'requestState' && parent['resultType'] === 'input_required'
}
