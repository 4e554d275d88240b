/** What a UTF-16 code unit is to the word scanner. */
export const SEPARATOR = 0
export const LOWER = 1
export const UPPER = 2
const DIGIT = 3
/** Written without blanks between words: each character is taken as a word of its own. */
export const IDEOGRAPH = 4
/** Combining marks belong to the word but not to what is compared. */
export const MARK = 5
const UNKNOWN = 255

/** By code unit; a page that was not met yet is unknown, which classOf changes. */
export const classes = new Uint8Array(65_536).fill(UNKNOWN)
const folded = new Uint16Array(65_536)

/** The class of a code unit; pages of 256 are worked out when first met, since most texts need only one or two. */
export function classOf(code: number): number {
  const known = classes[code] ?? SEPARATOR
  if (known !== UNKNOWN) return known
  fillPage(code >> 8)
  return classes[code] ?? SEPARATOR
}

/** Lower-case and without accents, so that "Émile" and "emile" meet. */
export function foldOf(code: number): number {
  if (classes[code] === UNKNOWN) fillPage(code >> 8)
  return folded[code] ?? code
}

/** A word as it is compared: lower-case, without accents and without thousands commas. */
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

// That of ASCII is needed by every text.
fillPage(0)
