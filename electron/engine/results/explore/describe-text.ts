import { number } from './describe-data.ts'
import { clip } from './token-counter.ts'

/** Lines that tell where one is, by kind of content. */
const LANDMARKS: Readonly<Record<string, { what: string; pattern: RegExp }>> = {
  markdown: { what: 'headings', pattern: /^#{1,6}\s/ },
  html: { what: 'titles and headings', pattern: /<(?:title|h[1-6])\b/i },
  diff: { what: 'files', pattern: /^(?:diff --git |\+\+\+ )/ },
  log: {
    what: 'lines with errors',
    pattern: /\b(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE)\b|Exception\b|^Traceback|\bpanic:/,
  },
  'test-report': {
    what: 'failures and totals',
    pattern: /✗|✘|×|\bFAIL|\bnot ok\b|\berror\b.*:|\d+ (?:passed|failed|passing|failing)/i,
  },
  code: {
    what: 'definitions',
    pattern:
      /^\s{0,4}(?:(?:export|default|public|private|protected|static|async|abstract|pub(?:\(\w+\))?)\s+)*(?:class|interface|trait|struct|enum|impl|function\*?|def|fn|func|module|namespace|type)\s+[\w(]/,
  },
}
const LEVEL = /\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/i
const LINE = 160

/** Where things are in a text that is no data: its landmarks with line numbers, or else lines from all over it. */
export function describeText(lines: Iterable<string>, lineCount: number, kind: string, most: number): string {
  const landmark = LANDMARKS[kind]
  const levels = new Map<string, number>()
  const marks: string[] = []
  const spread: string[] = []
  const every = Math.max(1, Math.ceil(lineCount / most))
  let found = 0
  let at = 0
  let longest = 0
  for (const line of lines) {
    at++
    longest = Math.max(longest, line.length)
    if (landmark?.pattern.test(line.length > 2000 ? line.slice(0, 2000) : line)) {
      found++
      if (marks.length < most) marks.push(`${at}: ${clip(line, LINE)}`)
    }
    if ((at - 1) % every === 0 && line.trim() !== '') spread.push(`${at}: ${clip(line, LINE)}`)
    const level = kind === 'log' ? LEVEL.exec(line.slice(0, 200))?.[1]?.toUpperCase() : undefined
    if (level !== undefined) levels.set(level, (levels.get(level) ?? 0) + 1)
  }
  const counted = [...levels].map(([level, many]) => `${level} ${number(many)}`).join(', ')
  return [
    ...(counted === '' ? [] : [`Levels: ${counted}`]),
    ...(longest > 10_000 ? [`Longest line: ${number(longest)} characters`] : []),
    ...(landmark && found > 0
      ? [
          `${number(found)} ${landmark.what}${found > marks.length ? `, the first ${marks.length}` : ''}:`,
          ...marks,
        ]
      : []),
    ...(landmark && found >= 3 ? [] : ['Lines from all over it:', ...spread]),
  ].join('\n')
}
