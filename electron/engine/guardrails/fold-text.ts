import { invisibleWidth } from './invisible-characters.ts'
import { latinLookAlike } from './look-alikes.ts'
import { originalIndex } from './original-index.ts'
import { codesOf } from './text-codes.ts'

export interface FoldedText {
  readonly text: string
  /** At the length: the original's length. */
  originalIndex(index: number): number
  /** Look-alikes beside Latin, styled letters, and invisible characters within words. */
  readonly disguised: number
}

// oxlint-disable-next-line no-control-regex -- everything that is not ASCII
const NOT_ASCII = /[^\0-\x7f]/
const COMBINING = /^\p{M}+$/u
/** By unit; of surrogates all but those that begin musical, mathematical and enclosed letters and tags. */
const STAYS = new Uint8Array(0x10000).fill(1, 0, 0x80).fill(1, 0xd800, 0xe000)
for (const unit of [0xd834, 0xd835, 0xd83c, 0xdb40]) STAYS[unit] = 0
/** Changing characters; a few thousand exist. */
const changes = new Map<number, Folding>()

/**
 * Look-alikes and styled letters become Latin, accents and invisible characters are removed. Undefined for plain
 * ASCII.
 */
export function foldText(text: string): FoldedText | undefined {
  if (!NOT_ASCII.test(text)) return undefined
  const codes = codesOf(text)
  const pieces: string[] = []
  const jumps: number[] = []
  let length = 0
  let kept = 0
  let disguised = 0

  for (let i = 0; i < text.length; i++) {
    if (STAYS[codes[i] ?? 0] === 1) continue
    const code = text.codePointAt(i) ?? 0
    const width = code > 0xffff ? 2 : 1
    const folding = changes.get(code) ?? foldCharacter(text, i, code)
    if (folding.to === undefined) {
      // A surrogate's other pairs may differ.
      if (width === 1 && (code & 0xf800) !== 0xd800) STAYS[code] = 1
    } else {
      changes.set(code, folding)
      if (kept < i) pieces.push(text.slice(kept, i))
      length += i - kept + folding.to.length
      pieces.push(folding.to)
      kept = i + width
      if (folding.to.length !== width) jumps.push(length, kept)
      if (
        folding.disguise === 'always' ||
        (folding.disguise === 'beside-latin' &&
          (isLatin(codes[i - 1] ?? 0) || isLatin(codes[i + width] ?? 0)))
      )
        disguised++
    }
    i += width - 1
  }
  if (pieces.length === 0) return { text, originalIndex: (index) => index, disguised: 0 }
  pieces.push(text.slice(kept))
  return { text: pieces.join(''), originalIndex: (index) => originalIndex(jumps, index), disguised }
}

/** Each before its letter. */
const SMALL_CAPITALS = 'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpǫqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'

interface Folding {
  /** Undefined: stays. */
  readonly to: string | undefined
  readonly disguise: 'always' | 'beside-latin' | 'never'
}

function foldCharacter(text: string, index: number, code: number): Folding {
  if (invisibleWidth(text, index) > 0) return { to: '', disguise: 'beside-latin' }
  const character = String.fromCodePoint(code)
  const latin = latinLookAlike(character)
  if (latin !== undefined) return { to: latin, disguise: 'beside-latin' }
  const small = SMALL_CAPITALS.indexOf(character)
  if (small !== -1 && small % 2 === 0) return { to: SMALL_CAPITALS.charAt(small + 1), disguise: 'always' }
  // Mathematical and enclosed alphabets.
  if (code >= 0x1d400 && code <= 0x1d7ff) return { to: character.normalize('NFKC'), disguise: 'always' }
  if ((code >= 0x24b6 && code <= 0x24e9) || (code >= 0x1f130 && code <= 0x1f189))
    return { to: enclosedLetter(code), disguise: 'always' }
  if (code >= 0xff01 && code <= 0xff5e) return { to: String.fromCharCode(code - 0xfee0), disguise: 'always' }
  if (code >= 0xc0 && code <= 0x24f) {
    const base = character.normalize('NFD').charAt(0)
    return base.charCodeAt(0) < 0x80 ? { to: base, disguise: 'never' } : { to: undefined, disguise: 'never' }
  }
  if (code >= 0x300 && code <= 0x36f && COMBINING.test(character)) return { to: '', disguise: 'never' }
  if (code === 0x2018 || code === 0x2019) return { to: "'", disguise: 'never' }
  if (code === 0x201c || code === 0x201d) return { to: '"', disguise: 'never' }
  if (code === 0xa0 || (code >= 0x2000 && code <= 0x200a)) return { to: ' ', disguise: 'never' }
  return { to: undefined, disguise: 'never' }
}

function enclosedLetter(code: number): string {
  if (code < 0x10000) return String.fromCharCode(97 + ((code - 0x24b6) % 26))
  const offset = (code - 0x1f130) % 32
  return offset < 26 ? String.fromCharCode(97 + offset) : ''
}

const isLatin = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122
