import { COMMENT } from '../comments.ts'
import { lineOf, trimStart, type SourceLines } from '../source-lines.ts'

/** Records of a head and the lines below it, which are indented. */
export interface IndentedLines {
  /** Numbers of the lines that say something, in order. */
  readonly order: readonly number[]
  /** By line: column of its first word. */
  readonly columns: Int32Array
  /** By line: the head of its record; -1 outside of records. */
  readonly records: Int32Array
  /** Where a line's value begins: behind its key. At the line's first word where it has none. */
  valueStart(line: number): number
  /** Share of characters in heads and in lines whose key other records have. */
  readonly explained: number
}

const TAB = 8
const SAMPLE_WORDS = 3
const LEAST_RECORDS = 4
/** On average; parts of larger ones say more than some whole ones. */
const MOST_LINES_OF_RECORD = 16
/** Keys that most lines below heads have, and in how many records each is. */
const LEAST_KEYS = 2
const RECORDS_OF_KEY = 3
const SHARE_OF_RECORDS = 0.1
const MOST_LINES = 0.7
/** Lines below a head whose key another line of the record has: a list, a trace. */
const MOST_REPEATED = 0.5
/** Lines that open or close brackets: code. */
const MOST_OPENED = 0.1
const OPENED = /[{([,\\]$|^[})\]]|\):$/
/** Of a log. */
const MOST_TIMED = 0.5
const TIME = /^\W{0,2}(?:\w{3} +\d{1,2} |\d{4}[-/]\d\d[-/]\d\d)?[T ]?\d\d:\d\d:\d\d/
/** Lines right above a head that belong to it where most heads have one. */
const MOST_OPENERS = 2
/** How much rarer a key may be than the same with a word less. */
const MOSTLY = 0.3
/** Share of the heads. */
const MOST_HEADS = 0.5
/** A key of some words and its sign, or of one word with the value right behind. */
const SEPARATED = /^(?:[\p{L}_][^:=]{0,40}?[ \t]*[:=](?=[ \t]|$)|[\p{L}_][\w.-]{0,40}[:=](?=[^\s:=/]))[ \t]*/u
const WORD = /[^\s\d:="'<>{}()[\],;][^\s:="'<>{}()[\],;]*[ \t]+/y
const LETTER = /[\p{L}\p{N}]/u
const LONGEST = 300

/** Undefined where other lines are in between, or lines below heads have little in common. Linear time. */
export function readIndented(lines: SourceLines): IndentedLines | undefined {
  const layout = layoutOf(lines)
  if (layout === undefined) return undefined
  const { order, columns, firsts, base } = layout
  const { text, stops } = lines
  const counts = countKeys(text, order, firsts, stops)
  const valueStart = (line: number): number => {
    const first = firsts[line] ?? 0
    return first + keyEnd(text.slice(first, Math.min(stops[line] ?? 0, first + LONGEST)), counts)
  }
  const keyOf = (line: number): string => text.slice(firsts[line], valueStart(line)).trim()

  const { heads, records } = findRecords(layout)
  const timed = heads.filter((head) => TIME.test(lineOf(lines, head).slice(0, LONGEST)))
  if (heads.length < LEAST_RECORDS || timed.length > heads.length * MOST_TIMED) return undefined
  const isComment = (line: number): boolean => text[firsts[line] ?? 0] === COMMENT
  const isHead = new Set([...heads, ...addOpeners(heads, records, { columns, keyOf, isComment })])
  if (order.length > heads.length * MOST_LINES_OF_RECORD) return undefined
  if (order.filter((line) => records[line] === -1).length > heads.length) return undefined

  const below = order.filter((line) => columns[line] !== base)
  const common = commonKeys(below, records, keyOf, heads.length)
  if (common === undefined) return undefined
  let explained = 0
  let comments = 0
  for (const line of order) {
    const size = (stops[line] ?? 0) - (firsts[line] ?? 0)
    if (isComment(line)) comments += size
    else if (isHead.has(line) || common.has(keyOf(line))) explained += size
  }
  const share = Math.min(1, explained / Math.max(1, lines.size - comments))
  return { order, columns, records, valueStart, explained: share }
}

interface Layout extends Pick<IndentedLines, 'order' | 'columns'> {
  /** By line: its first word's index in the text. */
  readonly firsts: Int32Array
  /** The least column: of the heads. */
  readonly base: number
}

/** Undefined for code, and where the first line is indented, as in keys aligned to the right. */
function layoutOf(lines: SourceLines): Layout | undefined {
  const { text, count, starts, stops } = lines
  const columns = new Int32Array(count).fill(-1)
  const firsts = new Int32Array(count)
  const order: number[] = []
  let base = Infinity
  let opened = 0
  for (let line = 0; line < count; line++) {
    const source = lineOf(lines, line).slice(0, LONGEST)
    if (!LETTER.test(source)) continue
    const start = starts[line] ?? 0
    const first = trimStart(text, start, stops[line] ?? start)
    firsts[line] = first
    columns[line] = columnOf(text, start, first)
    base = Math.min(base, columns[line] ?? 0)
    if (OPENED.test(source)) opened++
    order.push(line)
  }
  const isAligned = columns[order[0] ?? 0] !== base
  return isAligned || opened > order.length * MOST_OPENED ? undefined : { order, columns, firsts, base }
}

/** Heads have a deeper line below. */
function findRecords({ order, columns, base }: Layout): { heads: number[]; records: Int32Array } {
  const records = new Int32Array(columns.length).fill(-1)
  const heads: number[] = []
  order.forEach((line, i) => {
    if (columns[line] !== base) records[line] = heads.at(-1) ?? -1
    else if ((columns[order[i + 1] ?? -1] ?? -1) > base) {
      records[line] = line
      heads.push(line)
    }
  })
  return { heads, records }
}

/** Keys of lines below heads that several records have; undefined where most lines have others. */
function commonKeys(
  below: readonly number[],
  records: Int32Array,
  keyOf: (line: number) => string,
  recordCount: number,
): ReadonlySet<string> | undefined {
  const keys = new Map<string, { records: number; lines: number; last: number }>()
  let repeated = 0
  for (const line of below) {
    const record = records[line] ?? -1
    const key = keyOf(line)
    let known = keys.get(key)
    if (known === undefined) keys.set(key, (known = { records: 0, lines: 0, last: -1 }))
    if (known.last === record) repeated++
    else known.records++
    known.last = record
    known.lines++
  }
  const least = Math.max(RECORDS_OF_KEY, recordCount * SHARE_OF_RECORDS)
  const common = [...keys].filter(([key, known]) => key !== '' && known.records >= least)
  const lines = common.reduce((sum, [, known]) => sum + known.lines, 0)
  if (common.length < LEAST_KEYS || lines < below.length * MOST_LINES) return undefined
  return repeated > below.length * MOST_REPEATED ? undefined : new Set(common.map(([key]) => key))
}

function columnOf(text: string, start: number, first: number): number {
  let column = 0
  for (let at = start; at < first; at++) column += text.charCodeAt(at) === 9 ? TAB - (column % TAB) : 1
  return column
}

/** How many lines begin with the same one, two or three words without digits. */
function countKeys(
  text: string,
  order: readonly number[],
  firsts: Int32Array,
  stops: Int32Array,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of order) {
    const source = text.slice(firsts[line], stops[line]).slice(0, LONGEST)
    const separated = SEPARATED.exec(source)?.[0].length
    for (const end of separated === undefined ? wordEnds(source) : [separated]) {
      const key = source.slice(0, end).trim()
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/** Behind each of the first words, and the blanks behind it; a value has to follow. */
function wordEnds(source: string): number[] {
  const ends: number[] = []
  WORD.lastIndex = 0
  while (ends.length < SAMPLE_WORDS && WORD.test(source)) ends.push(WORD.lastIndex)
  return ends
}

/** Of a trimmed line; 0 without a key. */
function keyEnd(source: string, counts: ReadonlyMap<string, number>): number {
  if (source.startsWith(COMMENT)) return /^#+[ \t]*/.exec(source)?.[0].length ?? 0
  const separated = SEPARATED.exec(source)?.[0].length
  let found = 0
  let before = 1
  for (const end of separated === undefined ? wordEnds(source) : [separated]) {
    const known = counts.get(source.slice(0, end).trim()) ?? 0
    if (known < 2 || known < before * MOSTLY) break
    found = end
    before = known
  }
  return found
}

/** `auto eth0` above `iface eth0`: lines right above heads whose key most heads have above them begin the records. */
function addOpeners(
  heads: readonly number[],
  records: Int32Array,
  {
    columns,
    keyOf,
    isComment,
  }: { columns: Int32Array; keyOf: (line: number) => string; isComment: (line: number) => boolean },
): Iterable<number> {
  const openers = heads.map((head) => {
    let line = head
    while (
      head - line < MOST_OPENERS &&
      columns[line - 1] === columns[head] &&
      records[line - 1] === -1 &&
      !isComment(line - 1)
    )
      line--
    return line
  })
  const counts = new Map<string, number>()
  openers.forEach((line, i) => {
    if (line !== heads[i]) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  })
  const first = new Map<number, number>()
  openers.forEach((line, i) => {
    if (line !== heads[i] && (counts.get(keyOf(line)) ?? 0) > heads.length * MOST_HEADS)
      first.set(heads[i] ?? line, line)
  })
  if (first.size === 0) return []
  for (let line = 0; line < records.length; line++) {
    const opener = first.get(records[line] ?? -1)
    if (opener !== undefined) records[line] = opener
  }
  for (const [head, opener] of first) records.fill(opener, opener, head)
  return first.values()
}
