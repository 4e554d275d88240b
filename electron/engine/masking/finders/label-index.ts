import { MOST_COPIED, UnitWindow } from '../../text/code-units.ts'
import { isLetterBefore, isWordCode } from './boundaries.ts'
import { LOWER } from './lower-units.ts'
import { firstLetters, patternOf, spelled } from './label-phrases.ts'

/** A label in a text, and what it names. */
export interface FoundLabel<Name> {
  readonly start: number
  readonly end: number
  readonly name: Name
}

export interface LabelIndex<Name> {
  find(text: string): FoundLabel<Name>[]
}

/** Phrases of one name with the same first letters. */
interface Entry<Name> {
  readonly name: Name
  readonly sources: string[]
  pattern?: RegExp
}

/** Letters that decide whether a place is looked at. */
const LETTERS = 4
/** Of a phrase. */
const SHORTEST = 3
/** What may follow a phrase of fewer letters, and the end of a text. */
const ENDS = Array.from(' _-.:=#"\'\n\r\t,;()[]>*/|0123456789\u00a0：\0')
const SLOTS = 1 << 14
const AT_START = 1
const IN_WORD = 2
/** Scripts without blanks between words have no edges. */
const UNSPACED = 0x3000
const window = new UnitWindow()
/** Whether a word may begin after it: all but letters and digits of ASCII, which are looked at more closely. */
const ENDS_WORD = new Uint8Array(0x10000).fill(1)
for (let code = 0; code < 0x80; code++) if (code !== 0x5f && isWordCode(code)) ENDS_WORD[code] = 0
/** Places that are looked at together. */
const WINDOW = MOST_COPIED - 2 * LETTERS

const slot = (one: number, two: number, three: number, four: number): number =>
  (one * 29791 + two * 961 + three * 31 + four) & (SLOTS - 1)
/** Another, for letters that have a slot by chance. */
const check = (one: number, two: number, three: number, four: number): number =>
  (one * 131 + two * 4099 + three * 17 + four * 613) & (SLOTS - 1)

/** Finds phrases of label-phrases.ts by their first letters, so that a text's other places cost one look. Several names may have the same phrase; each has three letters at least. */
export function labelIndex<Name>(phrases: readonly (readonly [Name, string])[]): LabelIndex<Name> {
  const entries = new Map<string, Entry<Name>[]>()
  const mayStart = new Uint8Array(SLOTS)
  const isChecked = new Uint8Array(SLOTS)
  /** Of the first two letters. */
  const pairs = new Uint8Array(SLOTS)
  const add = (name: Name, phrase: string): void => {
    const isInWord = phrase.startsWith('*')
    const written = phrase.slice(isInWord ? 1 : 0)
    const source = patternOf(written)
    for (const letters of [...firstLetters(written, LETTERS)].flatMap(filledUp)) {
      const key = `${isInWord ? '*' : ''}${letters}`
      const ofKey = entries.get(key) ?? []
      const entry = ofKey.find((each) => each.name === name)
      if (entry) entry.sources.push(source)
      else entries.set(key, [...ofKey, { name, sources: [source] }])
      const [one = 0, two = 0, three = 0, four = 0] = Array.from(letters, (letter) => letter.charCodeAt(0))
      const bit = isInWord ? IN_WORD : AT_START
      for (const [table, place] of [
        [mayStart, slot(one, two, three, four)],
        [pairs, slot(0, 0, one, two)],
      ] as const)
        table[place] = (table[place] ?? 0) | bit
      isChecked[check(one, two, three, four)] = 1
    }
  }
  for (const [name, list] of phrases) for (const phrase of spelled(list)) add(name, phrase)

  const addMatches = (key: string, text: string, start: number, found: FoundLabel<Name>[]): void => {
    for (const entry of entries.get(key) ?? []) {
      const pattern = (entry.pattern ??= new RegExp(entry.sources.join('|'), 'iuy'))
      pattern.lastIndex = start
      if (pattern.test(text)) found.push({ start, end: pattern.lastIndex, name: entry.name })
    }
  }
  const addLabelsAt = (text: string, start: number, places: number, found: FoundLabel<Name>[]): void => {
    const letters = text
      .slice(start, start + LETTERS)
      .toLowerCase()
      .padEnd(LETTERS, '\0')
    if ((places & AT_START) !== 0 && startsWord(text, start)) addMatches(letters, text, start, found)
    if ((places & IN_WORD) !== 0) addMatches(`*${letters}`, text, start, found)
  }
  const placesOf = (one: number, two: number, three: number, four: number): number =>
    isChecked[check(one, two, three, four)] === 1 ? (mayStart[slot(one, two, three, four)] ?? 0) : 0
  const find = (text: string): FoundLabel<Name>[] => {
    const found: FoundLabel<Name>[] = []
    if (text.length < SHORTEST) return found
    const { units } = window
    let free = 0
    for (let from = 0; from < text.length; from += WINDOW) {
      const count = Math.min(WINDOW + LETTERS - 1, text.length - from)
      window.copy(text, from, from + count)
      for (let i = count; i < count + LETTERS; i++) units[i] = 0
      let before = from === 0 ? 0 : text.charCodeAt(from - 1)
      let one = LOWER[units[0] ?? 0] ?? 0
      const end = Math.min(WINDOW, count)
      for (let i = 0; i < end; i++) {
        const two = LOWER[units[i + 1] ?? 0] ?? 0
        let places = pairs[slot(0, 0, one, two)] ?? 0
        if (places !== 0 && ENDS_WORD[before] === 0 && one < UNSPACED) places &= IN_WORD
        if (places !== 0)
          places &= placesOf(one, two, LOWER[units[i + 2] ?? 0] ?? 0, LOWER[units[i + 3] ?? 0] ?? 0)
        before = one
        one = two
        // What is joined to other words may be within a phrase.
        if (places === 0 || (from + i < free && (places & IN_WORD) === 0)) continue
        const known = found.length
        addLabelsAt(text, from + i, places, found)
        for (let last = known; last < found.length; last++) free = Math.max(free, found[last]?.end ?? 0)
      }
    }
    return found
  }
  return { find }
}

/** Of a phrase that is shorter. */
const filledUp = (letters: string): string[] =>
  letters.length < LETTERS ? ENDS.map((end) => (letters + end).padEnd(LETTERS, '\0')) : [letters]

function startsWord(text: string, start: number): boolean {
  if (start === 0 || text.charCodeAt(start) >= UNSPACED) return true
  const before = text.charCodeAt(start - 1)
  return before < 0x80 ? before === 0x5f || !isWordCode(before) : !isLetterBefore(text, start)
}
