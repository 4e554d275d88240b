import { SluiceError } from '../../ground/errors.ts'
import type { ExploredText } from './explored-text.ts'
import { LONG_LINE } from './find-regex.ts'
import type { Match, Matches } from './find-regex.ts'

const WORD = 32
const LONGEST_PATTERN = 256
/** Share of the pattern's characters. */
const TOLERANCE = 0.3
const MOST_PER_DISTANCE = 1000

/**
 * Closest first: Myers' bit-vector algorithm in Hyyrö's block form. One pass, time proportional to text × pattern /
 * 32 for any content.
 */
export function findFuzzy(source: ExploredText, pattern: string): Matches {
  const wanted = fold(pattern.trim())
  if (wanted.length === 0 || wanted.length > LONGEST_PATTERN) {
    throw new SluiceError(
      'BAD_INPUT',
      `mode "fuzzy" takes patterns of 1 to ${LONGEST_PATTERN} characters; this one has ${wanted.length}. Use "bm25" for longer ones.`,
    )
  }
  const allowed = wanted.length < 3 ? 0 : Math.max(1, Math.floor(wanted.length * TOLERANCE))
  const byDistance: Match[][] = Array.from({ length: allowed + 1 }, () => [])
  let total = 0
  let best: { end: number; distance: number } | undefined
  const settle = () => {
    if (!best) return
    const { end, distance } = best
    best = undefined
    total++
    const list = byDistance[distance]
    if (!list || list.length >= MOST_PER_DISTANCE) return
    // The exact start is unknown; assume the line of the end.
    const start = Math.max(0, end - wanted.length)
    const lineStart = start + source.text.slice(start, end - 1).lastIndexOf('\n') + 1
    const note = distance === 0 ? 'exact' : `${distance} of ${wanted.length} characters differ`
    list.push({ start: lineStart, end, note })
  }
  eachDistance(fold(source.text), wanted, (end, distance) => {
    // A match ends when the next candidate is further than the pattern's length.
    if (best && end - best.end >= wanted.length) settle()
    if (distance <= allowed && (!best || distance < best.distance)) best = { end, distance }
  })
  settle()
  const matches = onePerLine(source, byDistance.flat())
  return {
    matches,
    total: matches.length,
    isCapped: total > matches.length && matches.length >= MOST_PER_DISTANCE,
  }
}

function onePerLine(source: ExploredText, matches: readonly Match[]): Match[] {
  const lines = new Set<number>()
  return matches.filter((match) => {
    const line = source.lineAt(match.start)
    if (source.lineStart(line + 1) - source.lineStart(line) > LONG_LINE) return true
    const isNew = !lines.has(line)
    lines.add(line)
    return isNew
  })
}

function eachDistance(text: string, pattern: string, found: (end: number, distance: number) => void): void {
  const blocks = Math.ceil(pattern.length / WORD)
  const equal = equalBits(pattern, blocks)
  const none = new Int32Array(blocks)
  const plus = new Int32Array(blocks).fill(-1)
  const minus = new Int32Array(blocks)
  const lastBit = 1 << ((pattern.length - 1) % WORD)
  let distance = pattern.length
  for (let at = 0; at < text.length; at++) {
    const bits = equal.get(text.charCodeAt(at)) ?? none
    let carry = 0
    for (let block = 0; block < blocks; block++) {
      const vertical = plus[block] ?? 0
      const negative = minus[block] ?? 0
      const same = bits[block] ?? 0
      const x = same | negative
      const start = carry < 0 ? same | 1 : same
      const horizontal = (((start & vertical) + vertical) ^ vertical) | start
      let up = negative | ~(horizontal | vertical)
      let down = vertical & horizontal
      const top = block === blocks - 1 ? lastBit : 1 << (WORD - 1)
      const out = (up & top) !== 0 ? 1 : (down & top) !== 0 ? -1 : 0
      up <<= 1
      down <<= 1
      if (carry < 0) down |= 1
      else if (carry > 0) up |= 1
      plus[block] = down | ~(x | up)
      minus[block] = up & x
      carry = out
    }
    distance += carry
    found(at + 1, distance)
  }
}

function equalBits(pattern: string, blocks: number): Map<number, Int32Array> {
  const equal = new Map<number, Int32Array>()
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at)
    const bits = equal.get(code) ?? new Int32Array(blocks)
    const block = Math.floor(at / WORD)
    bits[block] = (bits[block] ?? 0) | (1 << (at % WORD))
    equal.set(code, bits)
  }
  return equal
}

/** Keeps positions; the few characters that grow (İ) stay. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, (character) => {
    const small = character.toLowerCase()
    return small.length === character.length ? small : character
  }).join('')
}
