import { sampleLines, type LogLines } from './log-lines.ts'
import { ColumnSplitter, MAX_COLUMNS } from './split-columns.ts'

type FoundKind = ColumnKind | 'part-of-time'

type ColumnKind = 'time' | 'level' | 'constant' | 'number' | 'source'

export interface LogColumns {
  /** Columns before nearly every message, if any. */
  readonly kinds: readonly ColumnKind[]
  readonly constants: readonly (string | undefined)[]
  /** True for columns that repeat an earlier one: the same value or the time. */
  readonly repeats: readonly boolean[]
}

const SAMPLE = 400
const NEARLY_ALL = 0.9
const LEVELS =
  /^[[(<]?(?:trace|debug|verbose|info|information|notice|warn|warning|error|err|severe|fatal|critical|crit|alert|emerg|panic|fine|finer|finest|config|[tdviwef])[\])>]?[:,]?$/i
const TIME =
  /^[[("]?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T_ .-].*)?|\d{1,2}[-/.]\w{2,3}[-/.]\d{2,4}(?:[T:].*)?|\d{1,2}:\d{2}(?::\d{1,2})?(?:[.,:]\d+)?Z?(?:[+-]\d\d:?\d\d)?|\d{8}-\d{1,2}:.*|1\d{9}(?:\.\d+)?|1\d{12})[\])"]?[,:;]?$/
/** Month, day, seconds: a time only beside another part. */
const PART_OF_TIME = /^[[(]?(?:[A-Z][a-z]{2}|\d{1,2}|\d{4}|\d{1,2}[-/]\d{1,2}|\d+\.\d+)[\])]?[,:]?$/
/** A bracketed time, or seconds since boot. */
const BRACKETED_TIME = /^\[[^\]]{0,20}\d{1,2}:\d{2}:\d{2}[^\]]{0,20}\]|^\[\s*\d+\.\d{3,}\]$/
const SOURCE = /^(?:[[(<].*[\])>]:?|[\w$.@/()-]+(?:\[\d+\])?:|(?:[a-z][\w$]*\.){1,8}[\w$]+:?)$/
/** As messages begin: lower-case or capitalised, quoted or not. */
const WORD_OF_A_MESSAGE = /^["'(]?[A-Za-z]?[a-z]+["')]?$|^["']/
const WORD = /^[\w.:$/[\]@()-]+$/

/** Recognises the columns at the start of nearly every log line: time, level, thread, class, process. */
export function findColumns(lines: LogLines): LogColumns {
  const sample = sampleColumns(lines)
  const found: (FoundKind | undefined)[] = []
  const constants: (string | undefined)[] = []
  for (let column = 0; column < MAX_COLUMNS; column++) {
    const values = sample.map((row) => row[column]).filter((value) => value !== undefined)
    if (values.length < sample.length * NEARLY_ALL || values.length < 5) break
    const counts = new Map<string, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    const [common, uses] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))
    const isAbove = (pattern: RegExp, share: number) => isShareAbove(counts, values.length, pattern, share)
    const isConstant = uses >= values.length * 0.95
    const kind = classify(isAbove, isConstant, counts.size)
    // A column of few words belongs to the beginning only when a structural one follows.
    if (
      kind === undefined &&
      !(counts.size <= Math.max(12, values.length * 0.1) && isAbove(WORD, NEARLY_ALL))
    )
      break
    found.push(kind)
    constants.push(isConstant ? common : undefined)
  }
  const kinds = found.map((kind, i) =>
    kind === 'part-of-time'
      ? isBesideTime(found, i)
        ? 'time'
        : constants[i] === undefined
          ? 'number'
          : 'constant'
      : kind,
  )
  const length = endOfColumns(kinds, constants)
  if (length === 0) return { kinds: [], constants: [], repeats: [] }
  return {
    kinds: kinds.slice(0, length).map((kind) => kind ?? 'source'),
    constants: constants.slice(0, length),
    repeats: Array.from({ length }, (_, column) => isRepeat(sample, column)),
  }
}

/**
 * Columns extend to the last time or level, and through following sources and words unlike a message's: words in
 * every line may be how messages begin.
 */
function endOfColumns(
  kinds: readonly (ColumnKind | undefined)[],
  constants: readonly (string | undefined)[],
): number {
  let end = kinds.findLastIndex((kind) => kind === 'time' || kind === 'level') + 1
  if (end === 0) return 0
  const isSource = (column: number) => kinds[column] === 'source' || SOURCE.test(constants[column] ?? '')
  const goesOn = (column: number) =>
    isSource(column) || (kinds[column] === 'constant' && !WORD_OF_A_MESSAGE.test(constants[column] ?? ''))
  for (;;) {
    // A host, process number or one of a few words belongs to the beginning when a source follows directly.
    const isBeforeSource = kinds[end] === undefined ? goesOn(end + 1) : isSource(end + 1)
    const next = goesOn(end) ? end : isBeforeSource ? end + 1 : -1
    if (next < 0 || next >= kinds.length) return end
    end = next + 1
  }
}

function isBesideTime(found: readonly (FoundKind | undefined)[], column: number): boolean {
  for (const step of [-1, 1])
    for (let i = column + step; found[i] === 'part-of-time' || found[i] === 'time'; i += step)
      if (found[i] === 'time') return true
  return false
}

function classify(
  isAbove: (pattern: RegExp, share: number) => boolean,
  isConstant: boolean,
  distinct: number,
): FoundKind | undefined {
  if (isAbove(LEVELS, NEARLY_ALL)) return 'level'
  if (isAbove(TIME, NEARLY_ALL) || isAbove(BRACKETED_TIME, NEARLY_ALL)) return 'time'
  if (isAbove(PART_OF_TIME, NEARLY_ALL)) return 'part-of-time'
  if (isConstant) return 'constant'
  if (isAbove(SOURCE, NEARLY_ALL)) return 'source'
  if (isAbove(/\d/, 0.95) && distinct > 1) return 'number'
  return undefined
}

/** Tries distinct values once, until certain. */
function isShareAbove(
  counts: ReadonlyMap<string, number>,
  all: number,
  pattern: RegExp,
  share: number,
): boolean {
  let fitting = all
  for (const [value, uses] of counts) {
    if (pattern.test(value)) continue
    fitting -= uses
    if (fitting / all <= share) return false
  }
  return fitting / all > share
}

function isRepeat(sample: readonly (readonly string[])[], column: number): boolean {
  for (let earlier = 0; earlier < column; earlier++) {
    const same = sample.filter((row) => row[column] !== undefined && row[column] === row[earlier]).length
    if (same >= sample.length * 0.95) return true
  }
  return false
}

/** Sampled over the log; indented lines belong to the previous. */
function sampleColumns(lines: LogLines): string[][] {
  const splitter = new ColumnSplitter()
  const rows: string[][] = []
  for (const line of sampleLines(lines.count, SAMPLE)) {
    const start = lines.start(line)
    const first = lines.text.charCodeAt(start)
    if (first === 32 || first === 9) continue
    splitter.split(lines.text, start, lines.end(line), MAX_COLUMNS)
    const row: string[] = []
    for (let i = 0; i < splitter.count; i++)
      row.push(
        lines.text.slice(
          splitter.starts[i],
          Math.min(splitter.ends[i] ?? 0, (splitter.starts[i] ?? 0) + 200),
        ),
      )
    rows.push(row)
  }
  return rows
}
