export interface PlacedText {
  /** JSON pointer (RFC 6901); empty for the value itself. */
  readonly path: string
  readonly text: string
}

/** Keys that a model reads as prose rather than as names: those with white space, or longer than any field name. */
const PROSE_KEY = /\s|^.{41}/su
const NON_ASCII = /[^\u0020-\u007e]/

/**
 * Every text of a JSON value in the order in which it stands there, keys that hold prose or unusual characters
 * included. Without recursion, so that no nesting is too deep.
 */
export function textsIn(value: unknown): PlacedText[] {
  const texts: PlacedText[] = []
  const open: { path: string; value: unknown }[] = [{ path: '', value }]
  const seen = new Set<object>()
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value: current } = next
    if (typeof current === 'string') {
      texts.push({ path, text: current })
    } else if (typeof current === 'object' && current !== null && !seen.has(current)) {
      seen.add(current)
      const entries = Object.entries(current)
      if (!Array.isArray(current)) {
        for (const [key] of entries)
          if (PROSE_KEY.test(key) || NON_ASCII.test(key))
            texts.push({ path: childPath(path, key), text: key })
      }
      for (const [key, child] of entries.reverse()) open.push({ path: childPath(path, key), value: child })
    }
  }
  return texts
}

/** Deep paths are cut at the front: each level repeats the whole path, which would cost the square of the depth. */
const LONGEST_PATH = 500

function childPath(path: string, key: string): string {
  const whole = `${path}/${key.slice(0, LONGEST_PATH).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return whole.length <= LONGEST_PATH ? whole : `…${whole.slice(-LONGEST_PATH)}`
}
