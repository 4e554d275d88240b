import type { Goal } from '../rank/goal.ts'
import { groupDigits } from '../group-digits.ts'
import type { ReadKinds } from './read-kinds.ts'

/** `src/main.rs:12:4`, `Program.cs(8,3)`: what compilers and linters begin lines with. */
const PLACE = /^\s*((?:[^\s:()[\]{}"'<>]*[/\\])?[\w.@~+-]+\.[A-Za-z]\w{0,9})(?::\d+|\(\d+[,)])/
const LONGEST_PLACE = 300
const MOSTLY = 0.5
const MOST_FILES = 5
/** Where lines have this word of the goal, only those are counted. */
const LEVELS = /\b(error|warning|failure|note|hint|info)s?\b/i
const ASKS_FOR_COUNTS = /\b(?:most|many|often|each|per|fewest|least)\b/i

/** How many lines the files have that most lines begin with, where a goal asks which has most: lines that are printed don't tell. Undefined otherwise. */
export function countByFile(read: ReadKinds, goal: Goal): string | undefined {
  if (!goal.askedTypes.has('path') || !ASKS_FOR_COUNTS.test(goal.text)) return undefined
  const { lines } = read
  const all = new Map<string, number>()
  const ofLevel = new Map<string, number>()
  const level = LEVELS.exec(goal.text)?.[1]?.toLowerCase()
  const hasLevel = level === undefined ? undefined : new RegExp(`\\b${level}\\b`, 'i')
  let placed = 0
  for (let line = 0; line < lines.count; line++) {
    const start = lines.start(line)
    const [place, file] =
      PLACE.exec(lines.text.slice(start, Math.min(lines.end(line), start + LONGEST_PLACE))) ?? []
    if (place === undefined || file === undefined) continue
    placed++
    all.set(file, (all.get(file) ?? 0) + 1)
    if (hasLevel?.test(lines.text.slice(start + place.length, lines.end(line))) === true)
      ofLevel.set(file, (ofLevel.get(file) ?? 0) + 1)
  }
  const counts = ofLevel.size > 0 ? ofLevel : all
  if (placed < MOSTLY * lines.count || counts.size < 2) return undefined
  const sorted = [...counts].sort((one, other) => other[1] - one[1])
  const isLeast = goal.order?.of === 'number' && goal.order.end === 'min'
  const shown = (isLeast ? sorted.toReversed() : sorted).slice(0, MOST_FILES)
  const rest = counts.size - shown.length
  const named = shown.map(([file, count]) => `${file} ${groupDigits(count)}`)
  const which = ofLevel.size > 0 ? `lines with "${level}"` : 'lines'
  return `${which} by file: ${[...named, ...(rest > 0 ? [`${groupDigits(rest)} more files`] : [])].join(', ')}`
}
