/** Kinds of content whose lines have roles. */
export const LINE_KINDS = ['diff', 'log'] as const
export type LineKind = (typeof LINE_KINDS)[number]

export type LineRole = 'added' | 'removed' | 'place' | 'error' | 'warning'

/** Of one line; undefined for an ordinary one. */
export const lineRole = (kind: LineKind, line: string): LineRole | undefined =>
  kind === 'diff' ? diffRole(line) : logRole(line)

function diffRole(line: string): LineRole | undefined {
  if (/^(?:@@|diff |index |--- |\+\+\+ )/.test(line)) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'removed' : undefined
}

/** By its level, which is near its beginning. */
function logRole(line: string): LineRole | undefined {
  const [, level] = /^.{0,80}?\b(FATAL|CRITICAL|ERROR|ERR|WARN(?:ING)?)\b/.exec(line) ?? []
  if (level === undefined) return undefined
  return level.startsWith('WARN') ? 'warning' : 'error'
}
