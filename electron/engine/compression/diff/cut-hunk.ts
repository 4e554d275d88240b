import { signOf, type DiffHunk } from './parse-diff.ts'

/** Part of a hunk, to be printed below the hunk's own first line. */
export interface HunkPiece {
  readonly lines: readonly string[]
  readonly changes: number
  /** Of the changed file (of the old one where it is gone), where lines before it are left out; else 0. */
  readonly startLine: number
  /** Lines of the hunk are left out behind it, and no other piece follows. */
  readonly isCutAfter: boolean
}

/** Keeps `context` unchanged lines on either side of changes, in pieces of at most about `longest` lines. */
export function cutHunk(hunk: DiffHunk, context: number, longest: number): HunkPiece[] {
  const { lines, oldStart, newStart } = hunk
  const isChange = (line: string): boolean => /[+-]/.test(signOf(line, hunk))
  const keep = new Uint8Array(lines.length)
  lines.forEach((line, i) => {
    if (!isChange(line)) return
    for (let k = Math.max(0, i - context); k <= Math.min(lines.length - 1, i + context); k++) keep[k] = 1
  })
  const pieces: HunkPiece[] = []
  let oldLine = oldStart
  let newLine = newStart
  let open: { lines: string[]; startLine: number; changes: number } | undefined
  let end = 0
  const close = (at: number): void => {
    if (open && open.changes > 0) {
      pieces.push({ ...open, isCutAfter: false })
      end = at
    }
    open = undefined
  }
  lines.forEach((line, i) => {
    if (keep[i] === 1 || line.startsWith('\\')) {
      if (open && open.lines.length >= longest && !line.startsWith('\\')) close(i)
      if (!open && !line.startsWith('\\'))
        open = {
          lines: [],
          startLine: i === 0 ? 0 : Math.max(1, newLine === 0 ? oldLine : newLine),
          changes: 0,
        }
      open?.lines.push(line)
      if (open && isChange(line)) open.changes++
    } else close(i)
    const sign = signOf(line, hunk)
    if (sign === '+') newLine++
    else if (sign === '-') oldLine++
    else if (sign === ' ') {
      oldLine++
      newLine++
    }
  })
  close(lines.length)
  const last = pieces.at(-1)
  if (last !== undefined && end < lines.length) pieces[pieces.length - 1] = { ...last, isCutAfter: true }
  return pieces
}

export const showPiece = ({ lines, startLine, isCutAfter }: HunkPiece): string =>
  [startLine === 0 ? [] : `${PIECE_MARK}${startLine}`, lines, isCutAfter ? '…' : []].flat().join('\n')

/** Says where a piece begins. */
const PIECE_MARK = '… line '
