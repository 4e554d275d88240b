import type { ReadKinds } from './read-kinds.ts'

const LEAST_LINES = 20
const MOST_VALUES = 12
const MOST_COLUMNS = 30
const RARE = 0.02
const LONGEST = 600

interface Uses {
  count: number
  readonly first: number
}

/** By hash of the value; undefined once there are too many. */
type Column = Map<number, Uses> | undefined

/**
 * Lines with a rare value in a column of few, within one kind: a status, a state, a server. The first line of each
 * such value, rarest first.
 */
export function oddLines(read: ReadKinds): number[] {
  const { lines, kinds } = read
  const { text } = lines
  const byKind = new Map<number, Column[]>()
  for (let line = 0; line < lines.count; line++) {
    const kind = read.kindOf(line)
    if ((kinds[kind]?.count ?? 0) < LEAST_LINES) continue
    const known = byKind.get(kind)
    const columns = known ?? []
    if (known === undefined) byKind.set(kind, columns)
    const from = read.bodyStart(line)
    addFields(text, from, Math.min(lines.end(line), from + LONGEST), line, columns)
  }
  const found = new Map<number, number>()
  for (const [kind, columns] of byKind) {
    const total = kinds[kind]?.count ?? 0
    for (const column of columns) {
      if (column === undefined || column.size < 2 || have(column) < 0.9 * total) continue
      for (const { count, first } of column.values())
        if (count <= Math.max(1, RARE * total))
          found.set(first, Math.min(found.get(first) ?? Number.POSITIVE_INFINITY, count / total))
    }
  }
  return [...found].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([line]) => line)
}

function have(column: ReadonlyMap<number, Uses>): number {
  let sum = 0
  for (const { count } of column.values()) sum += count
  return sum
}

function addFields(text: string, from: number, to: number, line: number, columns: Column[]): void {
  let place = 0
  let hash = SEED
  let inside = false
  for (let i = from; i <= to && place < MOST_COLUMNS; i++) {
    const code = i < to ? text.charCodeAt(i) : BLANK
    if (code !== BLANK && code !== 9 && code !== 44 && code !== 59 && code !== 61 && code !== 124) {
      hash = Math.imul(hash ^ code, 0x01000193)
      inside = true
      continue
    }
    if (!inside) continue
    if (place === columns.length) columns.push(new Map())
    const column = columns[place]
    if (column !== undefined) {
      const known = column.get(hash)
      if (known !== undefined) known.count++
      else if (column.size >= MOST_VALUES) columns[place] = undefined
      else column.set(hash, { count: 1, first: line })
    }
    place++
    hash = SEED
    inside = false
  }
}

const SEED = 0x811c9dc5 | 0
const BLANK = 32
