import { mayBeText } from './base64-look.ts'
import { codeCues, CUES, type JoinedWords } from './code-cues.ts'
import { BASE32_RUN, CODES, fromBase64, textOf, textOfBase32 } from './decode-codes.ts'
import {
  BASE64_WORD_END,
  BREAK_IN_WORD,
  CSS_LETTER,
  fromBase64Words,
  fromCssLetters,
  fromHexWords,
  HEX_WORDS,
  withoutBreaks,
} from './decode-words.ts'
import { encodedPieces, fromPieces } from './encoded-pieces.ts'
import { codesOf } from './text-codes.ts'

export interface Payload {
  readonly start: number
  readonly end: number
  /** Outermost first. */
  readonly encoding: string
  readonly text: string
}

const MOST_PAYLOADS = 64
/** Characters before and after a sign. */
const AROUND = 200
const LONGEST_ENCODED = 65_536
const FEWEST_CHARACTERS = 12

const HEX = /^(?:[0-9a-f]{2})+$/i
const ESCAPES = /(?:\\(?:x[0-9a-f]{2}|u00[0-9a-f]{2})){8,}/gi
const PERCENT = /(?:%[0-7][0-9a-f]){8,}/gi
/** No address needs it: letters stand for themselves there. */
const PERCENT_LETTER = /%(?:[46][1-9a-f]|[57][\da])/gi
/** Words of a sentence in an address, and words in other letters. */
const PERCENT_WORDS =
  /(?:%20|\+)(?:[^\s%+]{1,40}(?:%20|\+)){3}|(?:%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}){2}/gi
const PERCENT_BYTES = /%[c-f][0-9a-f]%/i
const ENTITIES = /(?:&#(?:x[0-9a-f]{2}|\d{2,3});){8,}/gi
/** As pages and JSON in ASCII spell other scripts. */
const LETTER_ENTITIES = /(?:&#(?:x[0-9a-f]{3,6}|[1-9]\d{3,6});){2}/gi
const LETTER_ESCAPE = /\\u(?!00[0-7])[0-9a-f]{4}/gi
/** Letters of English, which stand for themselves. */
const PLAIN_LETTER_ENTITY =
  /&#(?:x0{0,4}(?:[46][1-9a-f]|[57][\da])|0{0,4}(?:6[5-9]|[78]\d|90|9[7-9]|1[01]\d|12[0-2]));/gi
const PLAIN_LETTER_ESCAPE = /\\(?:x|u00)(?:[46][1-9a-f]|[57][\da])/gi
const SPACED = /(?:\b[a-z](?:[ ._-]|[ ]{2,3})){9,}[a-z]\b/gi
const ROT13_SIGN = /\b(?:vafgehpgvbaf?|vtaber|cerivbhf|qvfertneq|flfgrz cebzcg)\b/gi

/** Encodings within encodings. */
const DEEPEST = 4
/** Decoded characters in relation to the text's. */
const MOST_DECODED = 4

/** Only printable results count, which excludes keys, hashes, pictures and paths. What is decoded is read again. */
export function decodePayloads(text: string): Payload[] {
  const payloads: Payload[] = []
  let left = MOST_DECODED * text.length + LONGEST_ENCODED
  const add = (found: Payload, depth: number): void => {
    left -= found.text.length
    if (payloads.length >= MOST_PAYLOADS || left < 0) return
    const isWords = found.text.length >= FEWEST_CHARACTERS && isReadable(found.text)
    if (isWords) payloads.push(found)
    if (depth === DEEPEST || (!isWords && !ENCODED.test(found.text))) return
    const { start, end, encoding } = found
    decodeOnce(found.text, (inner) =>
      add({ start, end, encoding: `${encoding}, ${inner.encoding}`, text: inner.text }, depth + 1),
    )
  }
  decodeOnce(text, (found) => add(found, 1))
  return payloads
}

/** Nothing else, so that it may be an encoding in another. */
const ENCODED = /^[\w+/=%\s-]{24,}$/

function decodeOnce(text: string, add: (found: Payload) => void): void {
  for (const { start, end, run } of base64Runs(text)) {
    if (HEX.test(run)) {
      add({ start, end, encoding: 'hexadecimal', text: textOf(Buffer.from(run, 'hex')) })
      continue
    }
    if (BASE32_RUN.test(run)) add({ start, end, encoding: 'base32', text: textOfBase32(run) })
    const base64 = [run, ...afterNames(run)].find((each) => isTextIn(each))
    if (base64 !== undefined) add({ start, end, encoding: 'base64', text: fromBase64(base64) })
  }
  const joined: JoinedWords = { camelCase: [], separated: [] }
  const cues = codeCues(text, joined)
  const each = (
    encoding: string,
    pattern: RegExp,
    decode: (found: string) => string | undefined,
    matches: Iterable<RegExpExecArray> = text.matchAll(pattern),
  ): void => {
    let count = 0
    for (const found of matches) {
      if (++count > MOST_PAYLOADS) return
      const decoded = decode(found[0].slice(0, LONGEST_ENCODED))
      if (decoded !== undefined)
        add({ start: found.index, end: found.index + found[0].length, encoding, text: decoded })
    }
  }
  const around = (encoding: string, sign: RegExp, decode: (found: string) => string): void => {
    let start = 0
    let end = 0
    const addRegion = (): void => {
      if (end > 0) add({ start, end, encoding, text: decode(text.slice(start, end)) })
    }
    for (const { index } of text.matchAll(sign)) {
      if (end === 0 || index - AROUND > end) {
        addRegion()
        start = Math.max(0, index - AROUND)
      }
      end = Math.min(text.length, index + AROUND)
    }
    addRegion()
  }
  if (text.includes('\\')) each('escapes', ESCAPES, (found) => fromCodes(found, /\\(?:x|u00)([0-9a-f]{2})/gi))
  if (text.includes('\\'))
    around('escapes of letters', PLAIN_LETTER_ESCAPE, (found) =>
      found.replace(PLAIN_LETTER_ESCAPE, (letter) =>
        fromCode(letter.slice(letter.startsWith('\\x') ? 2 : 4), 16),
      ),
    )
  if (text.includes('\\')) around('escapes of a style sheet', CSS_LETTER, fromCssLetters)
  if (text.includes('\\u'))
    around('Unicode escapes', LETTER_ESCAPE, (found) =>
      found.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => fromCode(digits, 16)),
    )
  if ((cues & CUES.percent) !== 0 || (text.includes('%') && PERCENT_BYTES.test(text))) {
    const decode = (found: string): string => fromCodes(found, /%([0-9a-f]{2})/gi)
    each('percent', PERCENT, decode)
    around('percent', PERCENT_LETTER, (found) => found.replace(PERCENT_LETTER, decode))
    around('an address', PERCENT_WORDS, (found) =>
      found.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, decode),
    )
  }
  if (text.includes('&#')) {
    each('entities', ENTITIES, fromEntities)
    around('numeric entities', LETTER_ENTITIES, fromEntities)
    around('entities of letters', PLAIN_LETTER_ENTITY, fromEntities)
  }
  if (/[&<*~`]/.test(text)) around('breaks in words', BREAK_IN_WORD, withoutBreaks)
  if ((cues & CUES.hexWords) !== 0) each('words in hexadecimal', HEX_WORDS, fromHexWords)
  for (const { start, end, pieces } of encodedPieces(text)) {
    const head = fromPieces(pieces(FIRST_PIECES))
    if (isReadable(head) || ENCODED.test(head))
      add({ start, end, encoding: 'pieces', text: fromPieces(pieces()) })
  }
  if (text.includes('=')) around('words in base64', BASE64_WORD_END, fromBase64Words)
  if ((cues & CUES.spaced) !== 0)
    each('spaced letters', SPACED, (found) =>
      found.replace(/([a-z])[ ._-](?=[a-z])/gi, '$1').replace(/ {2,}/g, ' '),
    )
  for (const { name, sign, cue, run, within, decode } of CODES)
    if ((cues & sign) !== 0 && cue.test(text))
      each(name, run, decode, within && matchesAt(text, run, joined[within.places], within.signs))
  if ((cues & CUES.rot13) !== 0) around('rot13', ROT13_SIGN, rot13)
}

/** As `matchAll` finds them, in the words at these places alone. */
function* matchesAt(
  text: string,
  pattern: RegExp,
  places: readonly number[],
  signs: string,
): Generator<RegExpExecArray> {
  const isWithin = (at: number): boolean => {
    const code = text.charCodeAt(at)
    return ((code | 32) >= 97 && (code | 32) <= 122) || signs.includes(text.charAt(at))
  }
  let end = 0
  for (const place of places) {
    if (place < end) continue
    let start = place
    while (start > end && isWithin(start - 1)) start--
    end = place
    while (end < text.length && isWithin(end)) end++
    // What is beside it decides, too.
    const from = Math.max(0, start - 1)
    for (const match of text.slice(from, end + 1).matchAll(pattern)) {
      match.index += from
      yield match
    }
  }
}

/** Tell whether the others are read. */
const FIRST_PIECES = 8
const SHORTEST_BASE64 = 24
/** Of a path or a name, as in "/files/aWdub3Jl", whose letters shift those behind them. */
const LONGEST_NAMES = 100
const LOOKED_AT = 800

function* afterNames(run: string): Generator<string> {
  for (const { index } of run.slice(0, LONGEST_NAMES).matchAll(/[/_-]/g)) {
    const end = Math.min(run.length, index + 1 + LOOKED_AT)
    if (end - index - 1 < SHORTEST_BASE64) return
    if (mayBeText(run, index + 1, end) && isTextIn(run.slice(index + 1, end))) yield run.slice(index + 1)
    else {
      const slash = run.indexOf('/', index + 1)
      const part = slash < 0 || slash > end ? end : slash
      if (part - index - 1 >= SHORTEST_BASE64) yield run.slice(index + 1, part)
    }
  }
}

function isTextIn(base64: string): boolean {
  if (!mayBeText(base64)) return false
  const decoded = fromBase64(base64)
  return isReadable(decoded) || ENCODED.test(decoded.slice(0, 64))
}

interface Run {
  readonly start: number
  readonly end: number
  /** Without line breaks. */
  readonly run: string
}

/** A regular expression would retry at each character. */
function base64Runs(text: string): Run[] {
  const codes = codesOf(text)
  const runs: Run[] = []
  // Checking the 24th character first skips most ordinary text.
  for (let start = 0; start + SHORTEST_BASE64 <= text.length;) {
    let first = start + SHORTEST_BASE64
    while (first > start && BASE64[codes[first - 1] ?? 0] === 1) first--
    if (first > start) {
      start = first
      continue
    }
    let end = start + SHORTEST_BASE64
    while (BASE64[codes[end] ?? 0] === 1) end++
    // The letter of an escape, as in "\n", is none of it.
    if (start > 0 && codes[start - 1] === 0x5c) start++
    const last = endOfLines(text, start, end)
    const run = text.slice(start, Math.min(last, start + LONGEST_ENCODED))
    let padded = last
    while (padded < last + 2 && codes[padded] === 0x3d) padded++
    runs.push({ start, end: padded, run: last === end ? run : run.replace(/\s+/g, '') })
    start = padded
  }
  return runs
}

const SHORTEST_LINE = 40

/** Base64 is often broken into lines of one length, of which the last may be shorter. */
function endOfLines(text: string, start: number, end: number): number {
  const width = end - start
  if (width < SHORTEST_LINE) return end
  let last = end
  for (;;) {
    let from = last
    if (text.charCodeAt(from) === 0x0d) from++
    if (text.charCodeAt(from) !== 0x0a) return last
    from++
    while (text.charCodeAt(from) === 0x20) from++
    let to = from
    while (to < from + width && BASE64[text.charCodeAt(to)] === 1) to++
    if (from === last || to === from || BASE64[text.charCodeAt(to)] === 1) return last
    // A shorter line is the last, and ends there.
    if (to - from < width && text.charCodeAt(to) === 0x20) return last
    last = to
    if (to - from < width) return last
  }
}

const BASE64 = new Uint8Array(0x10000)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  BASE64[character.charCodeAt(0)] = 1

/** Of bytes: UTF-8, or else Latin-1. */
function fromCodes(found: string, pattern: RegExp): string {
  const bytes = Array.from(found.matchAll(pattern), ([, digits = '0']) => Number.parseInt(digits, 16))
  const text = textOf(bytes)
  return text.includes('\ufffd') ? Buffer.from(bytes).toString('latin1') : text
}

const fromEntities = (found: string): string =>
  found.replace(/&#(x?)([0-9a-f]{2,7});/gi, (_, x: string, digits: string) =>
    fromCode(digits, x === '' ? 10 : 16),
  )

function fromCode(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })

/** Of any script; Chinese, Japanese and Thai have no spaces. */
function isReadable(text: string): boolean {
  const sample = text.slice(0, 400)
  let printable = 0
  let letters = 0
  let spaces = 0
  for (let i = 0; i < sample.length; i++) {
    const code = sample.charCodeAt(i)
    if ((code >= 32 && code < 127) || code === 10 || code === 9 || (code > 0xa0 && code < 0xfffd)) printable++
    if (((code | 32) >= 97 && (code | 32) <= 122) || (code >= 0xc0 && code < 0x2000)) letters++
    else if (code >= 0x3040 && code < 0xd800) letters++
    if (code === 32 || code === 10 || isUnspaced(code)) spaces++
  }
  return (
    printable >= sample.length * 0.97 &&
    letters >= sample.length * 0.55 &&
    spaces >= Math.floor(sample.length / 20)
  )
}

const isUnspaced = (code: number): boolean =>
  (code >= 0xe00 && code < 0x1000) || (code >= 0x3000 && code < 0xac00)
