import { structuredPatch } from 'diff'

const MOST_LINES = 5_000
/** Counted, not timed, so that the same results have the same difference. */
const MOST_EDITS = 400
const CONTEXT_LINES = 1

/** Hunks of a unified diff, undefined for texts with too much between them. */
export function lineDifference(before: string, after: string): string | undefined {
  if (linesIn(before) > MOST_LINES || linesIn(after) > MOST_LINES) return undefined
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MOST_EDITS,
  })
  if (!patch || patch.hunks.length === 0) return undefined
  return patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n')
}

function linesIn(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
