import {
  classOfField,
  hashOfField,
  isKeyed,
  isLevelLetter,
  LEVEL,
  MIXED,
  NUMBER,
  TIME,
  WORD,
  type FieldClass,
} from './field-class.ts'
import { FieldSplitter, MAX_FIELDS } from './split-fields.ts'
import { sampleLines, type TextLines } from './text-lines.ts'

/** A column before the messages of a group of lines. */
export interface PrefixColumn {
  readonly role: 'time' | 'level' | 'constant' | 'number' | 'name' | 'few'
  readonly common: string
  readonly share: number
  /** Each line has its own: what a reader names it by, such as a commit. */
  readonly isId: boolean
  /** See `Sampled.marks`. */
  readonly isMarked: boolean
  /** Names with numbers that differ from line to line: programs with their processes, devices. */
  readonly isSubject: boolean
}

interface LearntColumn extends PrefixColumn {
  /** `key=value`. */
  readonly isKeyed: boolean
  /** Names with digits, many of them, that nothing marks as a speaker's. */
  readonly isVaried: boolean
}

export interface Prefixes {
  readonly isTabbed: boolean
  readonly groups: readonly (readonly PrefixColumn[])[]
  /** Group of a line by its first two fields, -1 for none; `splitter` holds the fields of the prefix after it. */
  groupOf(line: number, splitter: FieldSplitter): number
}

const SAMPLE = 400
const LEAST_LINES = 8
const LEAST_SHARE = 0.03
const NEARLY_ALL = 0.9
/** First words of at least this share of lines may be a prefix: a service, a job. */
const COMMON_WORD = 0.01
/** A constant first word is a prefix if at least this share of lines begins with it, whatever follows. */
const ALL_BUT_FEW = 0.85
/** Fields of a speaker behind the last time or level: thread, class, process. */
const SPEAKER = 3
const USUAL_SHARE = 0.25
const MOST_VALUES = 400

interface Sampled {
  readonly fields: readonly string[]
  /** By field: a colon or a closing bracket ends it, or a bar or tab parts it from the next. */
  readonly marks: readonly boolean[]
  readonly indent: number
}

/**
 * Lines are grouped by the classes of their first two fields; in each group columns of classes are walked until one is
 * neither regular nor constant. The prefix ends at the last time or level, so words that vary may precede a time,
 * and how messages begin does not count.
 */
export function learnPrefixes(lines: TextLines): Prefixes {
  const isTabbed = haveTabs(lines)
  const splitter = new FieldSplitter(isTabbed)
  const rows: Sampled[] = []
  const firstWords = new Map<string, number>()
  for (const line of sampleLines(lines.count, SAMPLE)) {
    splitter.split(lines.text, lines.start(line), lines.end(line), MAX_FIELDS)
    const fields = fieldsIn(lines.text, splitter)
    rows.push({
      fields,
      marks: fields.map((field, i) => isMarked(field, lines.text, splitter.ends[i] ?? 0)),
      indent: (splitter.starts[0] ?? 0) - lines.start(line),
    })
    const [first] = fields
    if (first !== undefined) firstWords.set(first, (firstWords.get(first) ?? 0) + 1)
  }
  const least = Math.max(2, COMMON_WORD * rows.length)
  const commonWords = new Set<number>()
  for (const [word, uses] of firstWords) if (uses >= least) commonWords.add(hashOfField(word, 0, word.length))

  const byKey = new Map<string, Sampled[]>()
  for (const row of rows) {
    const [first, second] = row.fields
    if (first === undefined || second === undefined || first.startsWith('{')) continue
    const key =
      keyOfClass(first, 0, first.length, isTabbed, commonWords) +
      keyOfClass(second, 0, second.length, true, commonWords)
    const group = byKey.get(key)
    if (group === undefined) byKey.set(key, [row])
    else group.push(row)
  }
  const groups: (readonly PrefixColumn[])[] = []
  const groupOfKey = new Map<string, number>()
  const indents: number[] = []
  for (const [key, group] of byKey) {
    if (group.length < Math.max(LEAST_LINES, LEAST_SHARE * rows.length) || key.startsWith('?')) continue
    const columns = learnColumns(
      group,
      isTabbed,
      (word) => (firstWords.get(word) ?? 0) >= ALL_BUT_FEW * rows.length,
    )
    if (columns.length === 0) continue
    groupOfKey.set(key, groups.length)
    indents.push(deepestOf(group))
    // What few lines begin with is printed: a "Date:" among other headers.
    const isUsual = group.length >= USUAL_SHARE * rows.length
    groups.push(isUsual ? columns : columns.map((column) => ({ ...column, share: 0 })))
  }
  return {
    isTabbed,
    groups,
    groupOf(line, fields) {
      if (groups.length === 0) return -1
      const start = lines.start(line)
      if (lines.text.charCodeAt(start) === 123) return -1
      fields.split(lines.text, start, lines.end(line), 2)
      if (fields.count < 2) return -1
      const { text } = lines
      const { starts, ends } = fields
      const key =
        keyOfClass(text, starts[0] ?? 0, ends[0] ?? 0, isTabbed, commonWords) +
        keyOfClass(text, starts[1] ?? 0, ends[1] ?? 0, true, commonWords)
      const group = groupOfKey.get(key)
      if (group === undefined || (fields.starts[0] ?? 0) - start > (indents[group] ?? 0)) return -1
      const columns = groups[group] ?? []
      if (columns.length > 2) fields.split(lines.text, start, lines.end(line), columns.length)
      return fits(columns, lines.text, fields) ? group : -1
    },
  }
}

/** A line that is indented further is a detail of another one; numbers in front may all be flush right. */
function deepestOf(group: readonly Sampled[]): number {
  const indents = group.map(({ indent }) => indent).sort((a, b) => a - b)
  const isIndented = (indents[Math.floor(indents.length / 2)] ?? 0) > 0
  return isIndented ? Math.max(LITTLE_INDENT, indents.at(-1) ?? 0) : LITTLE_INDENT
}

const LITTLE_INDENT = 3

/** Most lines begin with a cell that a tab ends. */
function haveTabs(lines: TextLines): boolean {
  const sample = [...sampleLines(lines.count, SAMPLE)]
  return sample.filter((line) => /^\S[^\t]{0,80}\t/.test(lines.read(line))).length > sample.length / 2
}

/** A column of times holds a time in this line too, a column of numbers a digit: the rest would be its message. */
function fits(
  columns: readonly PrefixColumn[],
  text: string,
  { count, starts, ends }: FieldSplitter,
): boolean {
  if (count < columns.length) return false
  for (let i = 0; i < columns.length; i++) {
    const { role, common } = columns[i] ?? NO_COLUMN
    if (role !== 'time' && role !== 'number') continue
    const [start, end] = [starts[i] ?? 0, ends[i] ?? 0]
    const kind = classOfField(text, start, end)
    if ((role === 'time' ? kind !== TIME : kind === WORD) && text.slice(start, end) !== common) return false
  }
  return true
}

const NO_COLUMN: Partial<PrefixColumn> = {}

const fieldsIn = (text: string, { count, starts, ends }: FieldSplitter): string[] => {
  const fields: string[] = []
  for (let i = 0; i < count; i++) fields.push(text.slice(starts[i], ends[i]))
  return fields
}

function isMarked(field: string, text: string, end: number): boolean {
  const last = field.charCodeAt(field.length - 1)
  if (text.charCodeAt(end) === 9 || last === 58 || last === 93) return true
  let next = end
  while (text.charCodeAt(next) === 32) next++
  return text.charCodeAt(next) === 124
}

/** '?' for a word that few lines begin with. */
function keyOfClass(
  text: string,
  start: number,
  end: number,
  isCommon: boolean,
  commonWords: ReadonlySet<number>,
): string {
  const kind = classOfField(text, start, end)
  if (kind === TIME) return 't'
  if (kind === NUMBER || kind === MIXED) return 'x'
  return isCommon || commonWords.has(hashOfField(text, start, end)) ? 'w' : '?'
}

function learnColumns(
  lines: readonly Sampled[],
  tabbed: boolean,
  isEverywhere: (word: string) => boolean,
): PrefixColumn[] {
  const all: LearntColumn[] = []
  for (let place = 0; place < MAX_FIELDS; place++) {
    const column = learnColumn(lines, place, tabbed)
    if (column === undefined) break
    all.push(column)
  }
  const columns = all.slice(0, laterTime(all))
  let end = columns.findLastIndex(
    ({ role, common }, place) =>
      role === 'time' ||
      role === 'level' ||
      (place === 0 && role === 'constant' && isEverywhere(common)) ||
      (place === 1 && tabbed && columns[0]?.role === 'constant'),
  )
  if (end < 0) return []
  // The program that speaks: "sshd[12]:", "kernel:", "[http-nio-1]".
  if (columns.some(({ role }) => role === 'time' || role === 'level'))
    for (let place = end + 1, last = end + SPEAKER; place <= last && place < columns.length; place++)
      if (columns[place]?.isMarked === true) end = place
  for (let next = columns[end + 1]; isPrefixNumber(next); next = columns[end + 1]) end++
  const withoutMessage = lines.filter(({ fields }) => fields.length < end + 2).length
  return withoutMessage > lines.length / 2 ? [] : columns.slice(0, end + 1)
}

/**
 * A time that is told, not when: behind another time and a key ("expires="), or behind a time or level and a name that
 * varies or more words than a speaker has. Where there is none, or a level comes after it, all columns.
 */
function laterTime(columns: readonly LearntColumn[]): number {
  const level = columns.findLastIndex(({ role }) => role === 'level')
  let anchor = -1
  let hasTime = false
  for (const [place, { role, isKeyed }] of columns.entries()) {
    if (role !== 'time' && role !== 'level') continue
    const between = columns.slice(anchor + 1, place)
    const isInformative =
      (hasTime && isKeyed) || between.length > SPEAKER || between.some(({ isVaried }) => isVaried)
    if (role === 'time' && anchor >= 0 && isInformative && place > level) return place
    anchor = place
    hasTime ||= role === 'time'
  }
  return columns.length
}

/** A process, or the year and the zone behind a clock. */
const isPrefixNumber = (column: PrefixColumn | undefined): boolean =>
  (column?.role === 'number' && (column.share >= 0.6 || column.isMarked)) ||
  (column?.role === 'constant' && classOfField(column.common) === NUMBER)

function learnColumn(lines: readonly Sampled[], place: number, tabbed: boolean): LearntColumn | undefined {
  const classes = [0, 0, 0, 0, 0]
  const uses = new Map<string, number>()
  let have = 0
  let marked = 0
  let letters = 0
  let keyed = 0
  for (const { fields, marks } of lines) {
    const field = fields[place]
    if (field === undefined) continue
    have++
    if (marks[place] === true) marked++
    const kind: FieldClass = classOfField(field)
    classes[kind] = (classes[kind] ?? 0) + 1
    if (isLevelLetter(field)) letters++
    if (isKeyed(field)) keyed++
    if (uses.size < MOST_VALUES || uses.has(field)) uses.set(field, (uses.get(field) ?? 0) + 1)
  }
  const total = lines.length
  if (have < NEARLY_ALL * total) return undefined
  const byUse = [...uses].sort((a, b) => b[1] - a[1])
  const [common = '', most = 0] = byUse[0] ?? []
  const share = most / total
  const are = (...kinds: FieldClass[]) =>
    kinds.reduce<number>((sum, kind) => sum + (classes[kind] ?? 0), 0) >= NEARLY_ALL * total
  const ofEight = byUse.slice(0, 8).reduce((sum, [, times]) => sum + times, 0)
  const isFew = (tabbed && place < 3) || (uses.size <= Math.max(8, total / 40) && ofEight >= 0.8 * total)
  const role = are(TIME)
    ? 'time'
    : are(LEVEL) || letters >= 0.95 * total
      ? 'level'
      : share >= 0.97
        ? 'constant'
        : are(NUMBER, MIXED, TIME) && !(isFew && marked >= NEARLY_ALL * total && are(MIXED))
          ? 'number'
          : marked >= NEARLY_ALL * total
            ? 'name'
            : isFew
              ? 'few'
              : undefined
  if (role === undefined) return undefined
  const isId = place === 0 && are(MIXED) && uses.size >= Math.min(NEARLY_ALL * have, MOST_VALUES)
  const isMostlyMarked = marked >= 0.85 * total
  const isSubject = role === 'number' && isMostlyMarked && areNames(byUse)
  return {
    role,
    common,
    share,
    isId,
    isMarked: isMostlyMarked,
    isSubject,
    isKeyed: keyed > total / 2,
    isVaried: role === 'number' && are(MIXED) && !isFew && !isMostlyMarked,
  }
}

/** Several names before numbers, none of them most lines'. */
function areNames(byUse: readonly (readonly [string, number])[]): boolean {
  const uses = new Map<string, number>()
  let all = 0
  for (const [field, times] of byUse) {
    const [name] = /^\p{L}[\p{L}-]+/u.exec(field) ?? []
    if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + times)
    all += times
  }
  const named = [...uses.values()]
  return named.reduce((sum, times) => sum + times, 0) >= USUALLY * all && Math.max(...named) < USUALLY * all
}

const USUALLY = 0.6
