import { isShareAbove, share } from './sample-lines.ts'

const LONG_LISTING = /^(?:total \d+|(?:\s*\d+\s+\d+\s+)?[-dlbcps][rwxsStT-]{9}[+.@]? )/
const MARKED = /^\[(?:FILE|DIR|file|dir)\] \S/
/** No blanks, with an extension or trailing slash. */
const NAME = /^[\w.@+~-]+(?:\.\w{1,8}|\/|:)$/

const LISTINGS = [
  [LONG_LISTING, 0.7],
  [MARKED, 0.7],
] as const

/** Paths, a long listing, or a file server's folder listing. */
export function isFileList(lines: readonly string[]): boolean {
  if (lines.length < 5) return false
  for (const [pattern, bound] of LISTINGS)
    if (isShareAbove(lines, bound, (line) => pattern.test(line))) return true
  const paths = lines.filter(isPath).length / lines.length
  const names = share(lines, NAME)
  return paths > 0.8 || (paths + names > 0.8 && names > 0.4)
}

const MAX_PATH = 260
const MAX_BLANKS = 4
const SIZED = /^\d[\d.,]*[KMGT]?\t[^\t]+$/

function isPath(line: string): boolean {
  if (!line.includes('/') && !line.includes('\\')) return false
  const path = line.trim()
  // Cells, of which one may be a path; `du` has a size before each.
  if (path.includes('\t') && !SIZED.test(path)) return false
  if (path.length > MAX_PATH || path.includes('  ') || path.split(' ').length > MAX_BLANKS) return false
  return !/[<>"|;{}()=]|:\d|: |, |\. |^https?:/.test(path)
}
