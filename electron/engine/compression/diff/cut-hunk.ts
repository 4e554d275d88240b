import type { DiffHunk } from './parse-diff.ts'

/** Line numbers are correct, so the result still reads as a diff. */
export interface HunkPiece {
  readonly lines: readonly string[]
  readonly oldStart: number
  readonly newStart: number
  readonly context: string
  readonly changes: number
}

/** Keeps `context` unchanged lines on either side. */
export function cutHunk(hunk: DiffHunk, context: number, longest: number): HunkPiece[] {
  const { lines } = hunk
  const keep = new Uint8Array(lines.length)
  lines.forEach((line, i) => {
    if (!isChange(line)) return
    for (let k = Math.max(0, i - context); k <= Math.min(lines.length - 1, i + context); k++) keep[k] = 1
  })
  const pieces: HunkPiece[] = []
  let oldLine = hunk.oldStart
  let newLine = hunk.newStart
  let open: { lines: string[]; oldStart: number; newStart: number; changes: number } | undefined
  const close = () => {
    if (open && open.changes > 0) pieces.push({ ...open, context: hunk.context })
    open = undefined
  }
  lines.forEach((line, i) => {
    if (keep[i] === 1 || line.startsWith('\\')) {
      if (open && open.lines.length >= longest && !line.startsWith('\\')) close()
      if (!open && !line.startsWith('\\'))
        open = { lines: [], oldStart: oldLine, newStart: newLine, changes: 0 }
      open?.lines.push(line)
      if (open && isChange(line)) open.changes++
    } else close()
    if (line.startsWith('+')) newLine++
    else if (line.startsWith('-')) oldLine++
    else if (!line.startsWith('\\')) {
      oldLine++
      newLine++
    }
  })
  close()
  return pieces
}

export function showPiece({ lines, oldStart, newStart, context }: HunkPiece): string {
  const oldCount = lines.filter((line) => line.startsWith('-') || isUnchanged(line)).length
  const newCount = lines.filter((line) => line.startsWith('+') || isUnchanged(line)).length
  const around = context === '' ? '' : ` ${context}`
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@${around}\n${lines.join('\n')}`
}

// A side without lines names the line before it, as diff tools do.
const range = (start: number, count: number) =>
  count === 1 ? `${start}` : `${count === 0 ? Math.max(0, start - 1) : start},${count}`
const isChange = (line: string) => line.startsWith('+') || line.startsWith('-')
const isUnchanged = (line: string) => !isChange(line) && !line.startsWith('\\')
