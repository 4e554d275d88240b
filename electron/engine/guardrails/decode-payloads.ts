export interface Payload {
  readonly start: number
  readonly end: number
  readonly encoding:
    | 'base64'
    | 'hexadecimal'
    | 'escapes'
    | 'percent'
    | 'entities'
    | 'spaced letters'
    | 'rot13'
  readonly text: string
}

const MOST_PAYLOADS = 64
const LONGEST_ENCODED = 65_536
const FEWEST_CHARACTERS = 12

const HEX = /^(?:[0-9a-f]{2})+$/i
const ESCAPES = /(?:\\(?:x[0-9a-f]{2}|u00[0-9a-f]{2})){8,}/gi
const PERCENT = /(?:%[0-7][0-9a-f]){8,}/gi
const ENTITIES = /(?:&#(?:x[0-9a-f]{2}|\d{2,3});){8,}/gi
const SPACED = /(?:\b[a-z](?:[ ._-]|[ ]{2,3})){9,}[a-z]\b/gi
const ROT13_SIGN = /\b(?:vafgehpgvbaf?|vtaber|cerivbhf|qvfertneq|flfgrz cebzcg)\b/gi
const MAY_BE_ROT13 = new RegExp(ROT13_SIGN.source, 'i')

/** Only printable results count, which excludes keys, hashes, pictures and paths. */
export function decodePayloads(text: string): Payload[] {
  const payloads: Payload[] = []
  const add = (encoding: Payload['encoding'], start: number, end: number, decoded: string): void => {
    if (payloads.length < MOST_PAYLOADS && decoded.length >= FEWEST_CHARACTERS && isReadable(decoded))
      payloads.push({ start, end, encoding, text: decoded })
  }

  forEachBase64Run(text, (start, end) => {
    const run = text.slice(start, Math.min(end, start + LONGEST_ENCODED))
    if (HEX.test(run)) return add('hexadecimal', start, end, Buffer.from(run, 'hex').toString('latin1'))
    if (isReadable(fromBase64(run.slice(0, 64)))) add('base64', start, end, fromBase64(run))
  })
  const each = (encoding: Payload['encoding'], pattern: RegExp, decode: (found: string) => string): void => {
    for (const found of text.matchAll(pattern)) {
      if (payloads.length >= MOST_PAYLOADS) return
      add(encoding, found.index, found.index + found[0].length, decode(found[0].slice(0, LONGEST_ENCODED)))
    }
  }
  if (text.includes('\\'))
    each('escapes', ESCAPES, (found) => fromCodes(found, /\\(?:x|u00)([0-9a-f]{2})/gi, 16))
  if (text.includes('%')) each('percent', PERCENT, (found) => fromCodes(found, /%([0-9a-f]{2})/gi, 16))
  if (text.includes('&#')) each('entities', ENTITIES, fromEntities)
  if (maySpaceLetters(text))
    each('spaced letters', SPACED, (found) =>
      found.replace(/([a-z])[ ._-](?=[a-z])/gi, '$1').replace(/ {2,}/g, ' '),
    )
  for (const found of MAY_BE_ROT13.test(text) ? text.matchAll(ROT13_SIGN) : []) {
    const start = Math.max(0, found.index - 200)
    const end = Math.min(text.length, found.index + 200)
    add('rot13', start, end, rot13(text.slice(start, end)))
    if (payloads.length >= MOST_PAYLOADS) break
  }
  return payloads
}

const SHORTEST_BASE64 = 24

/** A regular expression would retry at each character. */
function forEachBase64Run(text: string, visit: (start: number, end: number) => void): void {
  // Checking the 24th character first skips most ordinary text.
  for (let start = 0; start + SHORTEST_BASE64 <= text.length;) {
    let first = start + SHORTEST_BASE64
    while (first > start && BASE64[text.charCodeAt(first - 1)] === 1) first--
    if (first > start) {
      start = first
      continue
    }
    let end = start + SHORTEST_BASE64
    while (end < text.length && BASE64[text.charCodeAt(end)] === 1) end++
    visit(start, end)
    start = end
  }
}

/** Ten letters and nine separators: at one of these steps five units are adjacent. */
const STEP = 15
const LETTER = 1
const SEPARATOR = 2
const SPACING = new Uint8Array(0x10000)
for (let code = 97; code <= 122; code++) SPACING[code] = SPACING[code - 32] = LETTER
for (const separator of ' ._-') SPACING[separator.charCodeAt(0)] = SEPARATOR

/** False only if `SPACED` can't match, which is slow and rarely matches. */
function maySpaceLetters(text: string): boolean {
  for (let i = 0; i + 4 < text.length; i += STEP) {
    let before = SPACING[text.charCodeAt(i)] ?? 0
    let letters = before === LETTER ? 1 : 0
    let width = before === 0 ? 0 : 1
    while (before !== 0 && width < 5) {
      const kind = SPACING[text.charCodeAt(i + width)] ?? 0
      if (kind === 0 || (kind === LETTER && before === LETTER)) break
      if (kind === LETTER) letters++
      before = kind
      width++
    }
    if (width === 5 && letters > 0) return true
  }
  return false
}

const BASE64 = new Uint8Array(0x10000)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=')
  BASE64[character.charCodeAt(0)] = 1

const fromBase64 = (run: string): string => Buffer.from(run, 'base64').toString('utf8')

const fromCodes = (found: string, pattern: RegExp, radix: number): string =>
  Array.from(found.matchAll(pattern), ([, digits = '0']) =>
    String.fromCharCode(Number.parseInt(digits, radix)),
  ).join('')

const fromEntities = (found: string): string =>
  Array.from(found.matchAll(/&#(x?)([0-9a-f]+);/gi), ([, x, digits = '0']) =>
    String.fromCharCode(Number.parseInt(digits, x === '' ? 10 : 16)),
  ).join('')

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })

function isReadable(text: string): boolean {
  const sample = text.slice(0, 400)
  let printable = 0
  let letters = 0
  let spaces = 0
  for (let i = 0; i < sample.length; i++) {
    const code = sample.charCodeAt(i)
    if ((code >= 32 && code < 127) || code === 10 || code === 9 || (code > 0xa0 && code < 0xd800)) printable++
    if ((code | 32) >= 97 && (code | 32) <= 122) letters++
    if (code === 32 || code === 10) spaces++
  }
  return (
    printable >= sample.length * 0.97 &&
    letters >= sample.length * 0.55 &&
    spaces >= Math.floor(sample.length / 20)
  )
}
