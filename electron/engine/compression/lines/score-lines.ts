import { bm25, type Scorable } from '../../text/words/bm25.ts'
import { partCounter } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'
import type { MinedLog } from './mine-kinds.ts'

/** Lines of one kind with equal counts of the goal's words have equal value. */
export interface LineGroup {
  readonly kind: number
  readonly score: number
  /** The first ones and the last. */
  readonly lines: readonly number[]
}

const LONGEST_SCORED = 3000
const LINES_KEPT = 8
const MAX_GROUPS = 100_000
/** Low, because lines are short and similarly long. */
const LENGTH_B = 0.3

/** BM25 over groups of equal lines: bounds memory, and a dominant kind's words don't look common. */
export function scoreLines(log: MinedLog, goal: Goal): LineGroup[] {
  const { lines } = log
  const all: Group[] = []
  const groups = new Map<string, Group>()
  // Lines without goal words need no key.
  const plain = new Map<number, Group>()
  const count = partCounter(lines.text, goal)
  for (let line = 0; line < lines.count; line++) {
    const start = lines.start(line)
    const unit = count(start, Math.min(lines.end(line), start + LONGEST_SCORED))
    const kind = log.kindOf(line)
    const isFull = all.length >= MAX_GROUPS
    const isPlain = !isFull && unit.counts === undefined
    const key = isPlain ? '' : isFull ? `${kind}` : `${kind} ${signature(unit)}`
    const group = isPlain ? plain.get(kind) : groups.get(key)
    if (group === undefined) {
      const added = { kind, unit, lines: [line] }
      all.push(added)
      if (isPlain) plain.set(kind, added)
      else groups.set(key, added)
    } else {
      if (group.lines.length < LINES_KEPT) group.lines.push(line)
      else group.lines[LINES_KEPT - 1] = line
    }
  }
  const { scores } = bm25(
    all.map(({ unit }) => unit),
    goal,
    { b: LENGTH_B },
  )
  return all.map(({ kind, lines }, i) => ({ kind, lines, score: scores[i] ?? 0 }))
}

interface Group {
  readonly kind: number
  readonly unit: Scorable
  readonly lines: number[]
}

function signature({ counts, pairs }: Scorable): string {
  if (counts === undefined) return ''
  let text = `${pairs}`
  counts.forEach((count, term) => {
    if (count > 0) text += ` ${term}:${count}`
  })
  return text
}
