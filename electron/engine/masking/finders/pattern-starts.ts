import { MOST_COPIED, UnitWindow } from '../../text/code-units.ts'
import { LOWER } from './lower-units.ts'
import { prefixesOf } from './pattern-prefixes.ts'

/** Where in a text matches of each pattern may begin, in order. */
export type PatternStarts<Name extends string> = Readonly<Record<Name, readonly number[]>>

const SLOTS = 1 << 13
/** Units that decide. */
const UNITS = 4
/** Of two units, followed by others that decide. */
const GATE = 0x80
const MOST_PATTERNS = 7
const window = new UnitWindow()
const WINDOW = MOST_COPIED - 2 * UNITS

const slot = (one: number, two: number, three: number, four: number): number =>
  (one * 29791 + two * 961 + three * 31 + four) & (SLOTS - 1)

/**
 * Looks for the first letters of several patterns in one pass, so that most places of a text cost one look instead
 * of one for each pattern. Capital and small letters are the same.
 */
export function patternStarts<Name extends string>(
  patterns: Readonly<Record<Name, RegExp>>,
): (text: string) => PatternStarts<Name> {
  const names = Object.keys(patterns) as Name[]
  if (names.length > MOST_PATTERNS) throw new RangeError(`At most ${MOST_PATTERNS} patterns.`)
  const two = new Uint8Array(SLOTS)
  const three = new Uint8Array(SLOTS)
  const four = new Uint8Array(SLOTS)
  const mark = (table: Uint8Array, place: number, bits: number): void => {
    table[place] = (table[place] ?? 0) | bits
  }
  for (const [bit, name] of names.entries()) {
    for (const prefix of prefixesOf(patterns[name].source, UNITS)) {
      const [a = 0, b = 0, c = 0, d = 0] = Array.from({ length: prefix.length }, (_, i) =>
        prefix.charCodeAt(i),
      )
      if (prefix.length < 2) throw new RangeError(`${name} may begin with "${prefix}" alone.`)
      const bits = 1 << bit
      mark(two, slot(0, 0, a, b), prefix.length === 2 ? bits : GATE)
      if (prefix.length === 3) mark(three, slot(0, a, b, c), bits)
      if (prefix.length >= UNITS) mark(four, slot(a, b, c, d), bits)
    }
  }
  return (text) => {
    const found = names.map((): number[] => [])
    const { units } = window
    for (let from = 0; from < text.length; from += WINDOW) {
      const count = Math.min(WINDOW + UNITS - 1, text.length - from)
      window.copy(text, from, from + count)
      for (let i = count; i < count + UNITS; i++) units[i] = 0
      const end = Math.min(WINDOW, count)
      let a = LOWER[units[0] ?? 0] ?? 0
      for (let i = 0; i < end; i++) {
        const b = LOWER[units[i + 1] ?? 0] ?? 0
        const first = two[slot(0, 0, a, b)] ?? 0
        if (first !== 0) {
          const c = LOWER[units[i + 2] ?? 0] ?? 0
          const d = LOWER[units[i + 3] ?? 0] ?? 0
          const bits = (first & ~GATE) | (three[slot(0, a, b, c)] ?? 0) | (four[slot(a, b, c, d)] ?? 0)
          if (bits !== 0)
            for (let bit = 0; bit < found.length; bit++)
              if ((bits & (1 << bit)) !== 0) found[bit]?.push(from + i)
        }
        a = b
      }
    }
    const starts = {} as Record<Name, readonly number[]>
    for (const [i, name] of names.entries()) starts[name] = found[i] ?? []
    return starts
  }
}

/** All matches of a pattern from left to right, without overlaps. It has the flag y. */
export function matchesAt(text: string, pattern: RegExp, starts: readonly number[]): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  let end = 0
  for (const start of starts) {
    if (start < end) continue
    pattern.lastIndex = start
    const match = pattern.exec(text)
    if (!match) continue
    matches.push(match)
    end = pattern.lastIndex
  }
  return matches
}
