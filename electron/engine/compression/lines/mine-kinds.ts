import type { LogColumns } from './find-columns.ts'
import type { LogLines } from './log-lines.ts'
import { hashMasked } from './mask-line.ts'
import { mergeKinds } from './merge-kinds.ts'
import { ColumnSplitter } from './split-columns.ts'
import type { LineKind } from './line-kind.ts'

export interface MinedLog {
  readonly lines: LogLines
  readonly columns: LogColumns
  /** In order of first occurrence. */
  readonly kinds: readonly LineKind[]
  kindOf(line: number): number
  isContinuation(line: number): boolean
  /** Offset of the message, after the columns. */
  messageStart(line: number): number
}

/** Bounds memory; later lines are distinguished by their first words only. */
const MAX_KINDS = 20_000
const COARSE_LENGTH = 24
const TRACE_LINE =
  /^(?:Caused by\b|Suppressed:|Traceback \(|During handling|The above exception|at [\w$.<>]+|\.\.\. \d+ more|[\w.$]+(?:Exception|Error)\b|goroutine \d+|panic:|stack backtrace|\d+: 0x|#\d+ )/

/** One pass, one or two numbers per line. */
export function mineKinds(lines: LogLines, columns: LogColumns): MinedLog {
  const { text, count } = lines
  const width = columns.kinds.length
  const timeColumn = columns.kinds.indexOf('time')
  const levelColumn = columns.kinds.indexOf('level')
  const splitter = new ColumnSplitter()
  const kindOfLine = new Uint32Array(count)
  const continues = new Uint8Array(count)
  const byHash = new Map<number, number>()
  const first: number[] = []
  const last: number[] = []
  const counts: number[] = []
  const samples: number[][] = []

  const hasColumns = (line: number): boolean => {
    if (width === 0) return false
    splitter.split(text, lines.start(line), lines.end(line), width)
    if (splitter.count < width) return false
    return (
      timeColumn < 0 || hasDigitSoon(text, splitter.starts[timeColumn] ?? 0, splitter.ends[timeColumn] ?? 0)
    )
  }
  const messageStart = (line: number) => (hasColumns(line) ? splitter.rest : lines.start(line))

  const levelOf = (line: number): string =>
    levelColumn >= 0 && hasColumns(line)
      ? text.slice(splitter.starts[levelColumn], splitter.ends[levelColumn]).replace(/[^\p{L}\p{N}]/gu, '')
      : ''

  for (let line = 0; line < count; line++) {
    const start = lines.start(line)
    const end = lines.end(line)
    const structured = hasColumns(line)
    const from = structured ? splitter.rest : start
    const level = structured && levelColumn >= 0 ? text.charCodeAt(splitter.starts[levelColumn] ?? start) : 0
    if (!structured && line > 0 && isContinuationText(text, start, end, continues[line - 1] === 1))
      continues[line] = 1
    const seed = level * 2 + (continues[line] ?? 0)
    let hash = hashMasked(text, from, end, seed)
    let kind = byHash.get(hash)
    if (kind === undefined && byHash.size >= MAX_KINDS) {
      hash = hashMasked(text, from, Math.min(end, from + COARSE_LENGTH), ~seed)
      kind = byHash.get(hash) ?? (byHash.size >= 2 * MAX_KINDS ? 0 : undefined)
    }
    if (kind === undefined) {
      kind = first.length
      byHash.set(hash, kind)
      first.push(line)
      last.push(line)
      counts.push(0)
      samples.push([])
    }
    kindOfLine[line] = kind
    const seen = (counts[kind] ?? 0) + 1
    counts[kind] = seen
    last[kind] = line
    // Powers of two: few lines per kind, spread over the log.
    if ((seen & (seen - 1)) === 0) samples[kind]?.push(line)
  }

  const mined: LineKind[] = first.map((line, kind) => ({
    first: line,
    last: last[kind] ?? line,
    count: counts[kind] ?? 0,
    samples: samples[kind] ?? [],
    level: levelOf(line),
    isContinuation: continues[line] === 1,
  }))
  const { kinds, newIndex } = mergeKinds(mined, (kind) => {
    const line = first[kind] ?? 0
    return text.slice(messageStart(line), Math.min(lines.end(line), messageStart(line) + 600))
  })
  return {
    lines,
    columns,
    kinds,
    kindOf: (line) => newIndex[kindOfLine[line] ?? 0] ?? 0,
    isContinuation: (line) => continues[line] === 1,
    messageStart,
  }
}

function isContinuationText(text: string, start: number, end: number, afterContinuation: boolean): boolean {
  const code = text.charCodeAt(start)
  if (code === 32 || code === 9) return true
  const head = text.slice(start, Math.min(end, start + 80))
  return TRACE_LINE.test(head) || (afterContinuation && /^(?:[\])}]|[\w.]+: )/.test(head))
}

function hasDigitSoon(text: string, start: number, end: number): boolean {
  const reach = text.charCodeAt(start) === 91 ? 14 : 3
  for (let i = start; i < end && i < start + reach; i++) {
    const code = text.charCodeAt(i)
    if (code >= 48 && code <= 57) return true
  }
  // Month names precede the day.
  const code = text.charCodeAt(start)
  return end - start === 3 && code >= 65 && code <= 90
}
