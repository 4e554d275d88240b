/**
 * Of different texts different, but for chance. For lists to compare, no guard: loading `node:crypto` takes a
 * connector ten milliseconds.
 */
export function fingerprintOf(text: string): string {
  // FNV-1a twice, with the offset basis and a second one.
  let [one, two] = [0x811c9dc5, 0x9747b28c]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ ((code << 7) | (code >>> 9)), 0x85ebca6b)
    two ^= two >>> 13
  }
  return `${text.length}:${(one >>> 0).toString(16)}:${(two >>> 0).toString(16)}`
}
