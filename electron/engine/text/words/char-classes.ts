/** Classes of UTF-16 code units for the word scanner. */
export const SEPARATOR = 0
export const LOWER = 1
export const UPPER = 2
const DIGIT = 3
/** Written without blanks between words: each character is a word. */
export const IDEOGRAPH = 4
/** Part of the word, but ignored in comparisons. */
export const MARK = 5
const UNKNOWN = 255

/** By code unit; pages are unknown until classOf fills them. */
export const classes = new Uint8Array(65_536).fill(UNKNOWN)
const folded = new Uint16Array(65_536)

/** Class of a code unit; pages of 256 are computed on first use, because most texts need one or two. */
export function classOf(code: number): number {
  const known = classes[code] ?? SEPARATOR
  if (known !== UNKNOWN) return known
  fillPage(code >> 8)
  return classes[code] ?? SEPARATOR
}

/** Lower-case without accents, so that "Émile" and "emile" match. */
export function foldOf(code: number): number {
  if (classes[code] === UNKNOWN) fillPage(code >> 8)
  return folded[code] ?? code
}

/** A word for comparison: lower-case, without accents and thousands commas. */
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
        .toLowerCase()
}

function fillPage(page: number): void {
  for (let code = page * 256; code < page * 256 + 256; code++) {
    const character = String.fromCharCode(code)
    classes[code] = classify(character)
    folded[code] = character.normalize('NFD').toLowerCase().charCodeAt(0)
  }
}

function classify(character: string): number {
  if (/[\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(character))
    return IDEOGRAPH
  if (/\p{Lu}/u.test(character)) return UPPER
  if (/\p{L}/u.test(character)) return LOWER
  if (/\p{N}/u.test(character)) return DIGIT
  return /\p{M}/u.test(character) ? MARK : SEPARATOR
}

// Every text needs ASCII.
fillPage(0)
