import { inflateSync, gunzipSync } from 'node:zlib'
import { CUES, type JoinedWords } from './code-cues.ts'
import { wideEncoding } from './read-payload.ts'

/** A way to write characters as something else, which models can read back. */
export interface Code {
  readonly name: string
  /** Bit of `codeCues`. */
  readonly sign: number
  /** A text without one of these has none. */
  readonly cue: RegExp
  /** Bounded, and without overlap: linear. */
  readonly run: RegExp
  /** Where a run may be, if its places are known: it holds only letters and these signs. */
  readonly within?: { readonly places: keyof JoinedWords; readonly signs: string }
  /** Undefined if it is none. */
  readonly decode: (run: string) => string | undefined
}

export const BASE32_RUN = /^[A-Z2-7]{32,}={0,6}$/
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const MORSE = new Map(
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'
    .split(' ')
    .map((code, index) => [code, String.fromCharCode(97 + index)]),
)

/** As bytes in UTF-8, or in UTF-16 where about every other one is NUL. */
export const textOf = (codes: readonly number[] | Buffer): string => {
  const bytes = Buffer.from(codes)
  const wide = wideEncoding(bytes)
  return wide ? new TextDecoder(wide).decode(bytes) : bytes.toString('utf8')
}

const codesIn = (run: string, radix: number): string =>
  textOf((run.match(/[0-9a-f]+/gi) ?? []).map((digits) => Number.parseInt(digits, radix)))

export const CODES: readonly Code[] = [
  {
    name: 'hexadecimal',
    sign: CUES.hexadecimal,
    cue: /[0-9a-f]{2}[ ,:][0-9a-f]{2}[ ,:][0-9a-f]{2}[ ,:]/i,
    run: /(?:\b(?:0x)?[0-9a-f]{2}[ ,:]{1,2}){11,}[0-9a-f]{2}\b/gi,
    decode: (run) => codesIn(run.replace(/0x/gi, ''), 16),
  },
  {
    name: 'octal numbers',
    sign: CUES.octal,
    cue: /\b[01][0-7]{2}[ ,\\]+[01][0-7]{2}[ ,\\]/,
    run: /(?:[01][0-7]{2}[ ,\\]{1,2}){11,}[01][0-7]{2}\b/g,
    decode: (run) => codesIn(run, 8),
  },
  {
    name: 'decimal numbers',
    sign: CUES.decimal,
    cue: /\b\d{2,3}[ ,]+\d{2,3}[ ,]+\d{2,3}[ ,]/,
    run: /(?:\b(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])[ ,]{1,2}){11,}(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])\b/g,
    decode: (run) => codesIn(run, 10),
  },
  {
    name: 'binary numbers',
    sign: CUES.binary,
    cue: /[01]{8} ?[01]{8}/,
    run: /(?:[01]{8}[ ,]?){12,}/g,
    decode: (run) => textOf((run.match(/[01]{8}/g) ?? []).map((digits) => Number.parseInt(digits, 2))),
  },
  {
    name: 'quoted-printable',
    sign: CUES.quotedPrintable,
    cue: /=[0-9A-F]{2}/,
    run: /(?:[\x20-\x3c\x3e-\x7e]|=[0-9A-F]{2}|=\r?\n){16,}/g,
    decode: (run) =>
      (run.match(/=[0-9A-F]{2}/g)?.length ?? 0) >= 8
        ? run.replace(/=\r?\n/g, '').replace(/(?:=[0-9A-F]{2})+/g, (bytes) => codesIn(bytes, 16))
        : undefined,
  },
  {
    name: 'Morse code',
    sign: CUES.morse,
    cue: /[.-]{1,5} [.-]{1,5} [.-]{1,5} [.-]{1,5}/,
    run: /(?:[.-]{1,5} (?:[/|] )?){12,}[.-]{1,5}/g,
    decode: (run) =>
      run
        .split(/ [/|] /)
        .map((word) =>
          word
            .split(' ')
            .map((code) => MORSE.get(code) ?? '')
            .join(''),
        )
        .join(' '),
  },
  {
    name: 'leet',
    sign: CUES.leet,
    cue: /[a-z][013457@$][a-z].{0,200}[a-z][013457@$][a-z]/i,
    run: /(?<![a-z013457@$])(?:[a-z013457@$]{1,16}[ ,.]{1,2}){3,}[a-z013457@$]{2,}/gi,
    decode: (run) =>
      (run.match(/[a-z][013457@$]|[013457@$][a-z]/gi)?.length ?? 0) * 8 >= run.length
        ? run.replace(/[013457@$]/g, (sign) => LEET[sign] ?? sign)
        : undefined,
  },
  {
    name: 'joined words',
    sign: CUES.separated,
    cue: /[a-z][_-][a-z]{1,12}[_-][a-z]{1,12}[_-][a-z]/i,
    run: /\b[a-z]{1,16}(?:[_-][a-z]{1,16}){3,}/gi,
    within: { places: 'separated', signs: '_-' },
    decode: (run) => run.replace(/[_-]/g, ' '),
  },
  {
    name: 'joined words',
    sign: CUES.camelCase,
    cue: /[a-z][A-Z][a-z]{1,12}[A-Z][a-z]{1,12}[A-Z][a-z]/,
    run: /[a-z]{1,16}(?:[A-Z][a-z]{1,16}){4,}|(?<![\w+/=])[A-Za-z][a-z]{0,15}(?:[A-Z][a-z]{1,16}){3,}(?![\w+/=])/g,
    within: { places: 'camelCase', signs: '' },
    decode: (run) => run.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  },
  {
    name: 'cut words',
    sign: CUES.cut,
    cue: /[a-z]-[a-z]{2,5} [a-z]{1,5}-[a-z]/i,
    run: /(?:\b[a-z]+(?:-[a-z]+){0,4}[ ,.]{1,2}){5,}[a-z]+(?:-[a-z]+)*/gi,
    decode: (run) =>
      (run.match(/[a-z]-[a-z]/gi)?.length ?? 0) * 12 >= run.length ? run.replaceAll('-', '') : undefined,
  },
  {
    name: 'reversed letters',
    sign: CUES.reversed,
    cue: /\b(?:eht|dna|ruoy|snoitcurtsni|tpmorp|metsys|suoiverp)\b/i,
    run: /[^\n]{12,4000}/g,
    decode: (run) => {
      if (!REVERSED.test(run)) return undefined
      const letters = Array.from(run).toReversed().join('')
      return `${letters}\n${run.replace(/\p{L}+/gu, (word) => Array.from(word).toReversed().join(''))}`
    },
  },
]

const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
}
/** Two words that every sentence has. */
const REVERSED =
  /\b(?:eht|dna|ruoy|uoy|lla|ton|fo|ot|siht)\b.{0,200}\b(?:eht|dna|ruoy|uoy|lla|ton|siht|snoitcurtsni|tpmorp|metsys|selur|sredro)\b/i

export const textOfBase32 = (run: string): string => textOf(base32(run))

function base32(run: string): number[] {
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const letter of run.replaceAll('=', '')) {
    bits = (bits << 5) | BASE32.indexOf(letter)
    count += 5
    if (count < 8) continue
    count -= 8
    bytes.push((bits >> count) & 0xff)
    bits &= (1 << count) - 1
  }
  return bytes
}

const MOST_UNPACKED = 1_000_000

/** Base64 of text, gzip or zlib. */
export function fromBase64(run: string): string {
  const bytes = Buffer.from(run, 'base64')
  const [a = 0, b = 0] = bytes
  const isGzip = a === 0x1f && b === 0x8b
  if (!isGzip && !(a === 0x78 && (0x7800 | b) % 31 === 0)) return textOf(bytes)
  try {
    return (isGzip ? gunzipSync : inflateSync)(bytes, { maxOutputLength: MOST_UNPACKED }).toString('utf8')
  } catch {
    return textOf(bytes)
  }
}
