/** Characters of one gram. */
const GRAM = 12
/** Grams of which one is kept. */
const WINDOW = 8
/** Characters in common from which two texts have a fingerprint in common. */
export const LEAST_SHARED = GRAM + WINDOW - 1

const BASES = [0x01000193, 0x5bd1e995] as const
const POWERS = BASES.map((base) => {
  let power = 1
  for (let i = 1; i < GRAM; i++) power = Math.imul(power, base)
  return power
})
const [BASE_A, BASE_B] = BASES
const [POWER_A = 1, POWER_B = 1] = POWERS

/** Letters and digits alone, since quoting, escaping and breaking lines change the rest on the way. */
const withoutForm = (text: string): string =>
  text
    .replaceAll(/\\[nrtbf]|\\u00[0-9a-f]{2}/gi, ' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}@]+/gu, '')

/**
 * Hashes, of 53 bits, of some of a text's grams of 12 characters. Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003): of
 * each eight neighbours the least, so that the same run of text has the same ones wherever it is. Linear time.
 */
export function fingerprintsOf(text: string): number[] {
  const found: number[] = []
  if (text.length < LEAST_SHARED) return found
  const plain = withoutForm(text)
  if (plain.length < LEAST_SHARED) return found
  const hashes = new Float64Array(WINDOW)
  let [a, b] = [0, 0]
  let last = -1
  for (let at = 0; at < plain.length; at++) {
    const code = plain.charCodeAt(at) + 1
    if (at >= GRAM) {
      const gone = plain.charCodeAt(at - GRAM) + 1
      a = (a - Math.imul(gone, POWER_A)) | 0
      b = (b - Math.imul(gone, POWER_B)) | 0
    }
    a = (Math.imul(a, BASE_A) + code) | 0
    b = (Math.imul(b, BASE_B) + code) | 0
    const gram = at - GRAM + 1
    if (gram < 0) continue
    hashes[gram % WINDOW] = (a >>> 0) * 0x200000 + (b >>> 11)
    if (gram < WINDOW - 1) continue
    let least = gram
    for (let back = 1; back < WINDOW; back++)
      if ((hashes[(gram - back) % WINDOW] ?? 0) < (hashes[least % WINDOW] ?? 0)) least = gram - back
    // Of equals the one already taken.
    if (last > gram - WINDOW && hashes[last % WINDOW] === hashes[least % WINDOW]) continue
    last = least
    found.push(hashes[least % WINDOW] ?? 0)
  }
  return found
}
