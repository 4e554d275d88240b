import { setImmediate } from 'node:timers/promises'

export interface PlacedText {
  /** JSON pointer (RFC 6901); empty for the value itself. */
  readonly path: string
  readonly text: string
}

/** Longer than any field name: a model reads such a key as prose. */
const LONGEST_NAME = 40

/**
 * Every text of a JSON value in the order in which it stands there, keys that hold prose or unusual characters
 * included. Without recursion, so that no nesting is too deep.
 */
export function textsIn(value: unknown): PlacedText[] {
  const reader = readerOf(value)
  reader.read(Infinity)
  return reader.texts
}

/** So many values are read in a few milliseconds. */
const AT_ONCE = 10_000

/** The same, with turns for others in between. */
export async function textsInTurns(value: unknown): Promise<PlacedText[]> {
  const reader = readerOf(value)
  while (!reader.read(AT_ONCE)) await setImmediate()
  return reader.texts
}

interface TextReader {
  readonly texts: PlacedText[]
  /** Reads on, at most so many values; whether that was all. */
  read(most: number): boolean
}

function readerOf(value: unknown): TextReader {
  const texts: PlacedText[] = []
  // Not through `Object.entries`, which makes an array for each field: this is done twice for every call.
  const open: unknown[] = [value]
  const paths: string[] = ['']
  const seen = new Set<object>()
  const readOne = (): void => {
    const current = open.pop()
    const path = paths.pop() ?? ''
    if (typeof current === 'string') {
      texts.push({ path, text: current })
    } else if (typeof current === 'object' && current !== null && !seen.has(current)) {
      seen.add(current)
      if (Array.isArray(current)) {
        for (let index = current.length - 1; index >= 0; index--) {
          open.push(current[index])
          paths.push(childPath(path, String(index)))
        }
      } else {
        const keys = Object.keys(current)
        for (const key of keys) if (!isPlainName(key)) texts.push({ path: childPath(path, key), text: key })
        for (let index = keys.length - 1; index >= 0; index--) {
          const key = keys[index] ?? ''
          open.push((current as Record<string, unknown>)[key])
          paths.push(childPath(path, key))
        }
      }
    }
  }
  return {
    texts,
    read: (most) => {
      for (let left = most; left > 0 && open.length > 0; left--) readOne()
      return open.length === 0
    },
  }
}

/** No white space in it, and nothing but ASCII. */
function isPlainName(key: string): boolean {
  if (key.length > LONGEST_NAME) return false
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    if (code <= 0x20 || code > 0x7e) return false
  }
  return true
}

/** Deep paths are cut at the front: each level repeats the whole path, which would cost the square of the depth. */
const LONGEST_PATH = 500

function childPath(path: string, key: string): string {
  const short = key.length > LONGEST_PATH ? key.slice(0, LONGEST_PATH) : key
  const whole = `${path}/${/[~/]/.test(short) ? short.replaceAll('~', '~0').replaceAll('/', '~1') : short}`
  return whole.length <= LONGEST_PATH ? whole : `…${whole.slice(-LONGEST_PATH)}`
}
