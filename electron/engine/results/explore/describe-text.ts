import { number } from './describe-data.ts'
import { clip } from './token-counter.ts'

/** By kind of content. */
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
/** Of a line, for patterns; bounds their cost. */
const LOOK_AT = 2000
const MOST = 40
const LONG = 10_000

export interface TextOutline {
  readonly facts: readonly string[]
  readonly landmarks: string | undefined
  readonly landmarkCount: number
  readonly marks: readonly string[]
  readonly spread: readonly string[]
}

/** In one pass. */
export function outlineText(lines: Iterable<string>, lineCount: number, kind: string): TextOutline {
  const landmark = LANDMARKS[kind]
  const levels = new Map<string, number>()
  const marks: string[] = []
  const spread: string[] = []
  const every = Math.max(1, Math.ceil(lineCount / MOST))
  let landmarkCount = 0
  let at = 0
  let longest = 0
  for (const line of lines) {
    at++
    longest = Math.max(longest, line.length)
    if (landmark?.pattern.test(line.length > LOOK_AT ? line.slice(0, LOOK_AT) : line)) {
      landmarkCount++
      if (marks.length < MOST) marks.push(`${at}: ${clip(line, LINE)}`)
    }
    if ((at - 1) % every === 0 && line.trim() !== '') spread.push(`${at}: ${clip(line, LINE)}`)
    const level = kind === 'log' ? LEVEL.exec(line.slice(0, 200))?.[1]?.toUpperCase() : undefined
    if (level !== undefined) levels.set(level, (levels.get(level) ?? 0) + 1)
  }
  const counted = [...levels].map(([level, many]) => `${level} ${number(many)}`).join(', ')
  const facts = [
    ...(counted === '' ? [] : [`Levels: ${counted}`]),
    ...(longest > LONG ? [`Longest line: ${number(longest)} characters`] : []),
  ]
  return { facts, landmarks: landmark?.what, landmarkCount, marks, spread }
}

export function describeText(outline: TextOutline, most: number): string {
  const { facts, landmarks, landmarkCount, marks, spread } = outline
  const shown = marks.slice(0, most)
  const first = landmarkCount > shown.length ? `, the first ${shown.length}` : ''
  const every = Math.max(1, Math.ceil(spread.length / most))
  return [
    ...facts,
    ...(shown.length > 0 ? [`${number(landmarkCount)} ${landmarks}${first}:`, ...shown] : []),
    ...(landmarkCount >= 3
      ? []
      : ['Lines from all over it:', ...spread.filter((_, index) => index % every === 0)]),
  ].join('\n')
}
