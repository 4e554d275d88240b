import { isJsonObject } from '../protocol/json-rpc.ts'
import type { Steps } from '../ground/steps.ts'
import { VALUES_OF_STEP, type PlacedText } from './texts-in.ts'

/** Items of a list treated as a text in pieces, */
const FEWEST_PIECES = 3
/** each a word or a line. */
const LONGEST_LINE = 200
/** Characters of all joined texts. */
const MOST_JOINED = 2_000_000
const LOOKED_AT = 20

/**
 * Adds the joined text of lists of words or lines: string lists, one field of object lists, objects with numeric
 * keys.
 */
export function* readJoinedLists(value: unknown, found: PlacedText[]): Steps<void> {
  const open: unknown[] = [value]
  let size = 0
  let looked = 0
  const add = (what: string, pieces: readonly string[]): void => {
    if (pieces.length < FEWEST_PIECES || size > MOST_JOINED) return
    const text = pieces.join(' ')
    if (text.length > pieces.length * LONGEST_LINE) return
    size += text.length
    found.push({ path: `(${what}, joined)`, text })
  }
  for (let current = open.pop(); open.length > 0 || current !== undefined; current = open.pop()) {
    if (++looked % VALUES_OF_STEP === 0) yield
    if (typeof current !== 'object' || current === null) continue
    const items: unknown[] = Object.values(current)
    const words: string[] = []
    for (const item of items) {
      if (typeof item === 'object' && item !== null) open.push(item)
      else if (typeof item === 'string') words.push(item)
      if (++looked % VALUES_OF_STEP === 0) yield
    }
    if (Array.isArray(current) || areNumbers(Object.keys(current))) add('list', words)
    if (!Array.isArray(current)) continue
    for (const field of fieldsOf(current)) {
      const texts: string[] = []
      for (const item of current as unknown[]) {
        const text = isJsonObject(item) ? item[field] : undefined
        if (typeof text === 'string') texts.push(text)
        if (++looked % VALUES_OF_STEP === 0) yield
      }
      add(field.slice(0, 40), texts)
    }
  }
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
