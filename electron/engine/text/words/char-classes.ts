/** Classes of UTF-16 code units for the word scanner. */
export const SEPARATOR = 0
export const LOWER = 1
export const UPPER = 2
const DIGIT = 3
/** No blanks between words: each character is one. */
export const IDEOGRAPH = 4
/** In words, but not compared. */
export const MARK = 5
const UNKNOWN = 255

/** classOf fills unknown pages. */
export const classes = new Uint8Array(65_536).fill(UNKNOWN)
const folded = new Uint16Array(65_536)

/** Pages of 256 are computed on first use, because most texts need one or two. */
export function classOf(code: number): number {
  const known = classes[code] ?? SEPARATOR
  if (known !== UNKNOWN) return known
  fillPage(code >> 8)
  return classes[code] ?? SEPARATOR
}

/** Without case and accents: "Émile" matches "emile". */
export function foldOf(code: number): number {
  if (classes[code] === UNKNOWN) fillPage(code >> 8)
  return folded[code] ?? code
}

/** Without case, accents and thousands commas. */
export function foldWord(word: string): string {
  let plain = true
  for (let i = 0; i < word.length && plain; i++) {
    const code = word.charCodeAt(i)
    plain = code < 128 && code !== 44
  }
  return plain
    ? word.toLowerCase()
    : word
        .normalize('NFD')
        .replace(/[\p{M},]/gu, '')
        // Syllables of Hangul stay whole.
        .normalize('NFC')
        .toLowerCase()
}

function fillPage(page: number): void {
  for (let code = page * 256; code < page * 256 + 256; code++) {
    const character = String.fromCharCode(code)
    classes[code] = classify(character)
    folded[code] = isHangul(character) ? code : character.normalize('NFD').toLowerCase().charCodeAt(0)
  }
}

const isHangul = (character: string) => /[\uac00-\ud7a3]/.test(character)

/** Particles hang on Korean words: their pairs of syllables count, as in Chinese. */
function classify(character: string): number {
  if (/[\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(character))
    return IDEOGRAPH
  if (isHangul(character)) return IDEOGRAPH
  if (/\p{Lu}/u.test(character)) return UPPER
  if (/\p{L}/u.test(character)) return LOWER
  if (/\p{N}/u.test(character)) return DIGIT
  return /\p{M}/u.test(character) ? MARK : SEPARATOR
}

// Every text needs ASCII.
fillPage(0)
