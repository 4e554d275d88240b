const QUOTED_LINES = 5

/**
 * Lines that say nothing about why a program ended: stack frames, Node's source line and version, braces and carets of
 * a printed error, what npm announces and where it keeps its log.
 */
const SAYS_NOTHING = [
  /^\s+at \S.*(?::\d+(?::\d+)?\)?|\((?:native|<anonymous>|Native Method|Unknown Source)\))(?: \{)?$/,
  /^node:[\w/]+:\d+$/,
  /^\s*throw \S+;$/,
  /^Node\.js v\d/,
  /^[\s^~{}[\](),;|-]*$/,
  /^npm (?:notice|warn|WARN)\b/,
  /^npm (?:error|ERR!)(?: \d+)?$/,
  /^npm (?:error|ERR!) (?:A complete log of this run|\s*\S+debug-\d+\.log$)/,
]

/** What a program wrote to stderr before it ended, as a sentence for an error message. */
export function lastWords(lines: readonly string[]): string {
  const telling = lines.filter((line) => !SAYS_NOTHING.some((pattern) => pattern.test(line)))
  const quoted = (telling.length > 0 ? telling : lines).slice(-QUOTED_LINES)
  return quoted.length === 0 ? '' : ` Its last words: ${quoted.map((line) => line.trim()).join(' | ')}`
}
