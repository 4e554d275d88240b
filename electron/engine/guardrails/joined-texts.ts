import { isJsonObject } from '../protocol/json-rpc.ts'
import type { PlacedText } from './texts-in.ts'

/** A list is a text in pieces where it has so many of them, */
const FEWEST_PIECES = 3
/** and each is a word or a line. */
const LONGEST_LINE = 200
/** Characters of all joined texts together. */
const MOST_JOINED = 2_000_000
/** Items of a list from which its fields are known. */
const LOOKED_AT = 20

/**
 * What lists of words or lines say once a reader puts them together: lists of strings, one field of a list of objects, and
 * objects whose keys are numbers.
 */
export function joinedLists(value: unknown): PlacedText[] {
  const found: PlacedText[] = []
  const open: unknown[] = [value]
  let size = 0
  const add = (what: string, pieces: readonly string[]): void => {
    if (pieces.length < FEWEST_PIECES || size > MOST_JOINED) return
    const text = pieces.join(' ')
    if (text.length > pieces.length * LONGEST_LINE) return
    size += text.length
    found.push({ path: `(${what}, joined)`, text })
  }
  for (let current = open.pop(); open.length > 0 || current !== undefined; current = open.pop()) {
    if (typeof current !== 'object' || current === null) continue
    const items: unknown[] = Object.values(current)
    for (const item of items) if (typeof item === 'object' && item !== null) open.push(item)
    if (Array.isArray(current) || areNumbers(Object.keys(current)))
      add(
        'list',
        items.filter((item) => typeof item === 'string'),
      )
    if (!Array.isArray(current)) continue
    for (const field of fieldsOf(current))
      add(
        field.slice(0, 40),
        current.flatMap((item) => stringsAt(item, field)),
      )
  }
  return found
}

const areNumbers = (keys: readonly string[]): boolean =>
  keys.length >= FEWEST_PIECES && keys.slice(0, LOOKED_AT).every((key) => /^\d+$/.test(key))

const fieldsOf = (list: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    list
      .slice(0, LOOKED_AT)
      .flatMap((item) =>
        isJsonObject(item) ? Object.keys(item).filter((key) => typeof item[key] === 'string') : [],
      ),
  )

const stringsAt = (item: unknown, field: string): string[] => {
  const text = isJsonObject(item) ? item[field] : undefined
  return typeof text === 'string' ? [text] : []
}
