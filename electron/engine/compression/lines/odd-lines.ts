import type { ReadKinds } from './read-kinds.ts'

/** Fewer lines have no usual number. */
const LEAST_LINES = 10
const MOST_LINES = 5000
const LONGEST = 600
/** Least share of lines with 0 at a place, and with as many numbers as the others. */
const ZEROS = 0.75
const ALIKE = 0.9
const MOST_ODD = 2
const NUMBER = /(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w.]*\w)/g

/** Of lines of one kind: those with the largest number where most others have 0, such as the interface that drops packets. */
export function oddLines(read: ReadKinds, own: readonly number[]): readonly number[] {
  const { lines } = read
  if (own.length < LEAST_LINES || own.length > MOST_LINES) return []
  const places: { count: number; most: number; line: number }[] = []
  const sizes = new Map<number, number>()
  for (const line of own) {
    const start = read.bodyStart(line)
    const numbers = lines.text.slice(start, Math.min(lines.end(line), start + LONGEST)).match(NUMBER) ?? []
    sizes.set(numbers.length, (sizes.get(numbers.length) ?? 0) + 1)
    for (const [place, digits] of numbers.entries()) {
      const number = Number(digits.replaceAll(',', ''))
      const known = (places[place] ??= { count: 0, most: 0, line })
      if (number !== 0) known.count++
      if (number > known.most) Object.assign(known, { most: number, line })
    }
  }
  if (Math.max(...sizes.values()) < ALIKE * own.length) return []
  const odd = places.flatMap(({ count, line }) =>
    count > 0 && count <= (1 - ZEROS) * own.length ? [line] : [],
  )
  return [...new Set(odd)].slice(0, MOST_ODD)
}
