import { HASH_START, hashOn } from './word-table.ts'

/** Kinds of letters, as bits; above them what ends a word. */
const SMALL = 1
export const CAPITAL = 2
export const OTHER = 4
export const DIGIT = 8
export const IN_WORD = SMALL | CAPITAL | OTHER | DIGIT
export const UNSPACED = 16
export const STOP = 32
export const BREAK = 64
export const KINDS = new Uint8Array(0x10000)
KINDS.fill(OTHER, 0xc0)
KINDS.fill(0, 0x2000, 0x2c00)
KINDS.fill(0, 0x2e00, 0x3040)
KINDS.fill(UNSPACED, 0x3040, 0x3100)
KINDS.fill(UNSPACED, 0x3400, 0xa000)
KINDS[0x3005] = UNSPACED
KINDS.fill(0, 0xd800, 0xf900)
KINDS.fill(0, 0xfe00, 0xfe70)
KINDS.fill(0, 0xff00, 0xffff)
KINDS.fill(CAPITAL, 65, 91)
KINDS.fill(SMALL, 97, 123)
KINDS.fill(DIGIT, 48, 58)
for (const stop of '.!?。！？؟।…') KINDS[stop.charCodeAt(0)] = STOP
for (const other of '،؛') KINDS[other.charCodeAt(0)] = 0
KINDS[10] = BREAK

export const AT = 1
export const SLASH = 2
export const UNDERSCORE = 4
/** Maybe the name of a shell command. */
export const COMMAND = 8
export const CLAUSE = 16
export const BORDER = 32
export const SIGNS = new Uint8Array(0x10000)
for (const [sign, bit] of Object.entries({ '@': AT, '/': SLASH, _: UNDERSCORE }))
  SIGNS[sign.charCodeAt(0)] = bit
for (const sign of ',:-(–—،、,') SIGNS[sign.charCodeAt(0)] = CLAUSE
for (const sign of '"\\<>|;') SIGNS[sign.charCodeAt(0)] = (SIGNS[sign.charCodeAt(0)] ?? 0) | BORDER
/** By the first ten bits of a word's hash. */
export const COMMANDS = new Uint8Array(1 << 10)
for (const name of 'curl wget sh bash rm sudo nc chmod pip git powershell'.split(' '))
  COMMANDS[Array.from(name).reduce((hash, letter) => hashOn(hash, letter.charCodeAt(0)), HASH_START) >>> 22] =
    COMMAND
/** White space, and what closes a sentence. */
export const CLOSING = new Uint8Array(0x10000)
for (const sign of '\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"\'”’)]*_`')
  CLOSING[sign.charCodeAt(0)] = 1
CLOSING.fill(1, 0x2000, 0x200b)

const SPACE = 0x20
const DASH = 0x2d
const EMPHASIS = 0x2a
/** Blanks and marks of emphasis between a name and the sign behind it. */
const MOST_BETWEEN = 4
const CALLS = new Set(Array.from(',:!–—', (sign) => sign.charCodeAt(0)))

/** Whether a name that ends at `from` has behind it what follows a name that is called: a comma, colon or dash. */
export function endsCall(codes: Uint16Array, from: number): boolean {
  let at = from
  while (at - from < MOST_BETWEEN && (codes[at] === SPACE || codes[at] === EMPHASIS)) at++
  const code = codes[at] ?? 0
  return code === DASH ? at > from && codes[at + 1] === SPACE : CALLS.has(code)
}
