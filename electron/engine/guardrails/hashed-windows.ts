/**
 * Classifier features: hashed word 1-2-grams and character 3-5-grams of overlapping windows. Shared by training and
 * scanning.
 */
const BUCKET_BITS = 15
export const BUCKETS = 2 ** BUCKET_BITS
/** Normalised characters. Windows overlap by half, so that an attack across a border is whole in one. */
const WINDOW = 256
const STEP = WINDOW / 2

export type HalfWindowVisitor = (buckets: Uint16Array, count: number, start: number, end: number) => void

const GRAMS_PER_CHARACTER = 5
/** Shared, because allocating takes longer than reading a short text. */
const buckets = new Uint16Array(STEP * GRAMS_PER_CHARACTER)
const SPACE = 32
const START_OF_TEXT = 2
const PRIME = 0x01000193
const SHIFT = 32 - BUCKET_BITS

/**
 * Visits half windows of 128 normalised characters (lower case, digits to 0, white space collapsed). A gram belongs
 * to the half where it ends. Not reentrant.
 */
export function forEachHalfWindow(text: string, visit: HalfWindowVisitor): void {
  let count = 0
  let filled = 0
  let halfStart = 0
  let word = 0
  let previousWord = START_OF_TEXT
  let c1 = START_OF_TEXT
  let c2 = 0
  let c3 = 0
  let c4 = 0

  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? normalise(text.charCodeAt(i)) : SPACE
    if (code === SPACE && c1 === SPACE) continue

    let hash = Math.imul(code ^ 0x811c9dc5, PRIME)
    hash = Math.imul(hash ^ c1, PRIME)
    if (c2 !== 0) {
      hash = Math.imul(hash ^ c2, PRIME)
      buckets[count++] = mix(hash ^ 3) >>> SHIFT
      if (c3 !== 0) {
        hash = Math.imul(hash ^ c3, PRIME)
        buckets[count++] = mix(hash ^ 4) >>> SHIFT
        if (c4 !== 0) buckets[count++] = mix(Math.imul(hash ^ c4, PRIME) ^ 5) >>> SHIFT
      }
    }
    c4 = c3
    c3 = c2
    c2 = c1
    c1 = code

    if (isWordCharacter(code)) {
      word = Math.imul(word ^ code ^ 0x9e3779b9, PRIME)
    } else if (word !== 0) {
      buckets[count++] = mix(word ^ 1) >>> SHIFT
      buckets[count++] = mix(Math.imul(word, 31) ^ previousWord) >>> SHIFT
      previousWord = word
      word = 0
    }

    filled++
    if (filled === STEP) {
      visit(buckets, count, halfStart, Math.min(i + 1, text.length))
      count = 0
      filled = 0
      halfStart = i + 1
    }
  }
  if (count > 0) visit(buckets, count, halfStart, text.length)
}

/** Murmur3's finaliser, because FNV's high bits are weak for few characters. */
function mix(hash: number): number {
  let h = hash ^ (hash >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/\s/.test(character) || code < SPACE) return SPACE
  if (/[0-9]/.test(character)) return 48
  return character.toLowerCase().charCodeAt(0)
})

function normalise(code: number): number {
  if (code < 128) return ASCII[code] ?? SPACE
  if (code === 0xa0 || code === 0x2028 || code === 0x2029) return SPACE
  const lower = String.fromCharCode(code).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : code
}

/** ASCII letters, digits, underscore; everything from U+00C0, which covers all scripts. */
const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || code === 48 || code === 95 || code >= 0xc0
