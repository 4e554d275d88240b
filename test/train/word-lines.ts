import {
  bitOf,
  CLASSES,
  OTHER_SCRIPT,
  plainWord,
  UNSPACED,
} from '../../electron/engine/guardrails/orders/word-classes.ts'
import { BEFORE, GREETINGS } from '../../electron/engine/guardrails/orders/word-tables.ts'

/** Words by class and language; `stem*` means all words that begin so. */
export type WordLists = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const IS_PLAIN = /^[a-z]+$/
/** Characters. */
const SHORT_WORD = 6
const LATIN_WORD = /^[a-z\u00c0-\u024f\u1e00-\u1eff]+$/

/** Whether a word is too short to be known without its marks: thêm isn't "them", cần isn't "can". */
const needsMarks = (word: string): boolean =>
  word.length <= SHORT_WORD && LATIN_WORD.test(word) && plainWord(word) !== word

const wordsIn = (entry: string): string[] =>
  plainWord(entry)
    .split(/[\s_'’.:()/-]+/)
    .filter(Boolean)

interface Listed {
  bits: number
  /** Of a word: the rest of each phrase that it begins, with its bits. */
  readonly phrases: Map<string, number>
}

/** The lists in the form that the guard reads (guard-words.txt), each spelling once. Throws an Error if a class has no list. */
export function wordLines(lists: WordLists): string {
  const parts = { latin: new Map<string, Listed>(), other: new Map<string, Listed>() }
  const at = (part: keyof typeof parts, key: string): Listed => {
    const listed = parts[part].get(key) ?? { bits: 0, phrases: new Map<string, number>() }
    parts[part].set(key, listed)
    return listed
  }
  const addWord = (part: keyof typeof parts, entry: string, bits: number): void => {
    if (UNSPACED.test(entry)) {
      at(part, `~${entry}`).bits |= bits
      return
    }
    const isOpen = entry.endsWith('*')
    const spelling = (isOpen ? entry.slice(0, -1) : entry).toLowerCase().normalize('NFC')
    if (!IS_PLAIN.test(spelling) && needsMarks(spelling)) {
      at(part, `${isOpen ? '"' : "'"}${spelling}`).bits |= bits
      return
    }
    const [first = '', ...rest] = wordsIn(spelling)
    if (isOpen && rest.length === 0) {
      at(part, `*${first}`).bits |= bits
      return
    }
    const listed = at(part, `=${first}`)
    if (rest.length === 0) {
      listed.bits |= bits
      return
    }
    const written = rest.join(' ') + (isOpen ? '*' : '')
    listed.phrases.set(written, (listed.phrases.get(written) ?? 0) | bits)
    for (const word of rest) at(part, `=${word}`)
  }
  for (const word of [...GREETINGS, ...BEFORE]) at('latin', `=${word}`)
  for (const name of CLASSES) {
    const byLanguage = lists[name]
    if (!byLanguage) throw new Error(`The guard's word lists have none for "${name}".`)
    for (const entry of Object.values(byLanguage).flat())
      addWord(OTHER_SCRIPT.test(entry.charAt(0)) ? 'other' : 'latin', entry, bitOf(name))
  }
  const written = (part: ReadonlyMap<string, Listed>): string =>
    [...part]
      .map(([key, { bits, phrases }]) => {
        const each = [...phrases].map(([rest, of]) => `;${inBase36(of)} ${rest}`)
        return `${key} ${inBase36(bits)}${each.join('')}\n`
      })
      .join('')
  return `${written(parts.latin)}\n${written(parts.other)}`
}

const inBase36 = (bits: number): string => (bits >>> 0).toString(36)
