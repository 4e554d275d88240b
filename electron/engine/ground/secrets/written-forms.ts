/** A part of a text. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** Escapes of escapes are undone up to this depth; what is escaped more often is not read. */
const DEEPEST = 6

/** What is between characters without being seen or belonging to them. */
const BETWEEN = String.raw`\\?\r?\n|\u001b\[[\d;]*m|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]`
/** A character by its number: in JSON, JavaScript, C, HTML and addresses. */
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
/** A character by its name, or behind a backslash: any sign may follow, as in Markdown and in a shell. */
const NAMED = String.raw`&[A-Za-z]{2,16};|\\[bfnrt]|\\[ -/:-@[-${'`'}{-~]`

const ESCAPES = new RegExp(`${BETWEEN}|${NUMBERED}|${NAMED}`, 'g')

/** Letters behind a backslash; line breaks are between characters. */
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '', r: '', t: '\t' }

/** The names that HTML has for the signs of ASCII, in small letters. */
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

/** The character that an escape stands for; the escape itself where it stands for none. */
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

/** The text as a reader sees it who joins lines and undoes escapes once; the very same where nothing changes. */
const asRead = (text: string): string => text.replace(ESCAPES, readOne)

/** The text, and what it is with its escapes undone once, twice and so on: each is the one before it, read. */
export function* readings(text: string): Generator<string> {
  let last = text
  yield last
  for (let depth = 0; depth < DEEPEST; depth++) {
    const read = asRead(last)
    if (read === last) return
    last = read
    yield last
  }
}

/** Where in the text is what has these places, in order and apart, in its next reading. */
export function placesIn(text: string, places: readonly Place[]): Place[] {
  if (places.length === 0) return []
  const starts: number[] = []
  const ends: number[] = []
  // The first and the last character of each place, in turn.
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
  for (const match of text.matchAll(ESCAPES)) {
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
