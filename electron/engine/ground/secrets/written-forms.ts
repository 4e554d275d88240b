import { atOnce, type Steps } from '../steps.ts'

export interface Place {
  readonly start: number
  readonly end: number
}

/** Of nested escapes. */
const DEEPEST = 6

/** Invisible or unrelated text between characters. */
const BETWEEN = String.raw`\\?\r?\n|\u001b\[[\d;]*m|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]`
/** By number: in JSON, JavaScript, C, HTML and addresses. */
const HEX = '[\\da-fA-F]'
const NUMBERED = [
  String.raw`&#0*\d{1,7};`,
  String.raw`&#[xX]0*${HEX}{1,6};`,
  String.raw`%${HEX}{2}`,
  String.raw`\\u${HEX}{4}`,
  String.raw`\\u\{0*${HEX}{1,6}\}`,
  String.raw`\\U${HEX}{8}`,
  String.raw`\\x${HEX}{2}`,
  String.raw`\\[0-3][0-7]{2}`,
].join('|')
/** By name or after a backslash: any sign, as in Markdown and shells. */
const NAMED = String.raw`&[A-Za-z]{2,16};|\\[bfnrt]|\\[ -/:-@[-${'`'}{-~]`

const ESCAPES = new RegExp(`${BETWEEN}|${NUMBERED}|${NAMED}`, 'g')

/** Line breaks count as between characters. */
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '', r: '', t: '\t' }

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\t': 'tab',
    '\n': 'newline',
    ' ': 'nbsp',
    '!': 'excl',
    '"': 'quot',
    '#': 'num',
    $: 'dollar',
    '%': 'percnt',
    '&': 'amp',
    "'": 'apos',
    '(': 'lpar',
    ')': 'rpar',
    '*': 'ast midast',
    '+': 'plus',
    ',': 'comma',
    '.': 'period',
    '/': 'sol',
    ':': 'colon',
    ';': 'semi',
    '<': 'lt',
    '=': 'equals',
    '>': 'gt',
    '?': 'quest',
    '@': 'commat',
    '[': 'lsqb lbrack',
    '\\': 'bsol',
    ']': 'rsqb rbrack',
    '^': 'hat',
    _: 'lowbar underbar',
    '`': 'grave diacriticalgrave',
    '{': 'lcub lbrace',
    '|': 'verbar vert verticalline',
    '}': 'rcub rbrace',
  }).flatMap(([sign, names]) => names.split(' ').map((name): [string, string] => [name, sign])),
)

/** The escape itself if unknown. */
function readOne(escape: string): string {
  const second = escape[1] ?? ''
  switch (escape[0]) {
    case '%':
      return characterOf(escape, escape.slice(1), 16)
    case '&':
      if (second !== '#') return NAMES.get(escape.slice(1, -1).toLowerCase()) ?? escape
      return escape[2] === 'x' || escape[2] === 'X'
        ? characterOf(escape, escape.slice(3, -1), 16)
        : characterOf(escape, escape.slice(2, -1), 10)
    case '\\':
      if (escape.length === 2) return LETTERS[second] ?? (second === '\n' ? '' : second)
      if (second === '\r') return ''
      if (second === 'u' && escape[2] === '{') return characterOf(escape, escape.slice(3, -1), 16)
      return second === 'u' || second === 'U' || second === 'x'
        ? characterOf(escape, escape.slice(2), 16)
        : characterOf(escape, escape.slice(1), 8)
    default:
      return ''
  }
}

function characterOf(escape: string, digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code <= 0x10ffff ? String.fromCodePoint(code) : escape
}

/** Under a millisecond's work. */
const ESCAPES_OF_STEP = 1_000

/** Joins lines and undoes escapes once; the same string if nothing changes. */
function* readSteps(text: string): Steps<string> {
  // Joining millions of parts takes as long as making them.
  const steps: string[] = []
  let parts: string[] = []
  let at = 0
  let matches = 0
  for (const match of text.matchAll(ESCAPES)) {
    const [escape] = match
    const character = readOne(escape)
    if (character !== escape) {
      parts.push(text.slice(at, match.index), character)
      at = match.index + escape.length
    }
    if (++matches % ESCAPES_OF_STEP > 0) continue
    steps.push(parts.join(''))
    parts = []
    yield
  }
  return at === 0 && parts.length === 0 ? text : steps.join('') + parts.join('') + text.slice(at)
}

export function readings(text: string): string[] {
  const all = [text]
  for (let read = atOnce(nextReading(all)); read !== undefined; read = atOnce(nextReading(all)))
    all.push(read)
  return all
}

/** Undefined after the last. */
export function* nextReading(before: readonly string[]): Steps<string | undefined> {
  const last = before.at(-1)
  if (last === undefined || before.length > DEEPEST) return undefined
  const read = yield* readSteps(last)
  return read === last ? undefined : read
}

/** Ordered, separate places of the next reading → places of the text. */
export function* placesIn(text: string, places: readonly Place[]): Steps<readonly Place[]> {
  if (places.length === 0) return []
  const starts: number[] = []
  const ends: number[] = []
  let next = 0
  const wanted = (): number => {
    const place = places[next >> 1]
    if (!place) return Infinity
    return next % 2 === 0 ? place.start : place.end - 1
  }
  const note = (start: number, end: number): void => {
    if (next % 2 === 0) starts.push(start)
    else ends.push(end)
    next++
  }
  let at = 0
  let read = 0
  const passUntil = (stop: number): void => {
    for (; wanted() < read + stop - at;) {
      const start = at + wanted() - read
      note(start, start + 1)
    }
    read += stop - at
    at = stop
  }
  let matches = 0
  for (const match of text.matchAll(ESCAPES)) {
    if (++matches % ESCAPES_OF_STEP === 0) yield
    const [escape] = match
    const character = readOne(escape)
    if (character === escape) continue
    passUntil(match.index)
    at += escape.length
    read += character.length
    while (wanted() < read) note(match.index, at)
    if (wanted() === Infinity) break
  }
  passUntil(text.length)
  return starts.map((start, index) => ({ start, end: ends[index] ?? text.length }))
}
