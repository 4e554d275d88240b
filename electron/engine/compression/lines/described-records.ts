/** A line of a text that describes similar things one after another, like `kubectl describe`. */
export interface DescribedLine {
  readonly text: string
  readonly record: number
  /** Its parent lines by indentation, innermost first, and the record's first line. */
  readonly above: readonly number[]
  /** Most records have another value here, or none. */
  readonly isUnusual: boolean
}

const LEAST_RECORDS = 3
const MOST_LINES = 200_000
const KEY = /^(\s*)([^\s:][^:]{0,60}):(?:\s+(\S.*))?$/
const KEY_SHARE = 0.5
/** A line is unusual in at most this share of the records, when at least that share has another value. */
const RARE = 0.25
const USUAL = 0.5

interface Read {
  readonly text: string
  readonly record: number
  readonly above: readonly number[]
  readonly place: string
  readonly said: string
}

/** Undefined unless the first line's key repeats per record. */
export function describedRecords(text: string): DescribedLine[] | undefined {
  const first = KEY.exec(/^.*/.exec(text)?.[0] ?? '')
  if (first?.[1] !== '' || first[3] === undefined) return undefined
  const opening = `${first[2]}:`
  if (text.split(`\n${opening}`, LEAST_RECORDS).length < LEAST_RECORDS) return undefined
  const lines = text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  if (lines.length > MOST_LINES || !mostlyKeys(lines)) return undefined
  const read = readLines(lines, opening)
  return withUnusual(read, (read.at(-1)?.record ?? 0) + 1)
}

const mostlyKeys = (lines: readonly string[]): boolean =>
  lines.filter((line) => KEY.test(line)).length > lines.length * KEY_SHARE

function readLines(lines: readonly string[], opening: string): Read[] {
  const names = namesIn(lines, opening)
  let record = -1
  let head = 0
  let own: RegExp | undefined
  const open: { indent: number; line: number; part: string }[] = []
  return lines.map((text, line) => {
    if (text.startsWith(opening)) {
      record++
      head = line
      own = ownWords(text.slice(opening.length))
    }
    const [, , key, value] = KEY.exec(text) ?? []
    const indent = text.length - text.trimStart().length
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop()
    const above = open.map((each) => each.line).toReversed()
    const place = [...open.map(({ part }) => part), key !== undefined && names.has(key) ? key : '*'].join('/')
    open.push({ indent, line, part: key !== undefined && names.has(key) ? key : '*' })
    return {
      text,
      record,
      above: line === head || above.includes(head) ? above : [...above, head],
      place,
      said: masked(key === undefined || !names.has(key) ? text.trim() : (value ?? ''), own),
    }
  })
}

/** Keys that are fields; the others (of a container, of a volume) are names. */
function namesIn(lines: readonly string[], opening: string): Set<string> {
  const uses = new Map<string, Set<number>>()
  const withValue = new Set<string>()
  let record = -1
  for (const line of lines) {
    if (line.startsWith(opening)) record++
    const [, , key, value] = KEY.exec(line) ?? []
    if (key === undefined) continue
    if (value !== undefined) withValue.add(key)
    const seen = uses.get(key)
    if (seen === undefined) uses.set(key, new Set([record]))
    else seen.add(record)
  }
  const isField = (key: string, seen: ReadonlySet<number>) =>
    withValue.has(key) || seen.size > (record + 1) * USUAL
  return new Set([...uses].flatMap(([key, seen]) => (isField(key, seen) ? [key] : [])))
}

/** Words of a record's name: naming itself isn't a difference. */
function ownWords(name: string): RegExp | undefined {
  const words = name.toLowerCase().match(/[a-z]{3,}/g)
  return words === null ? undefined : new RegExp(words.join('|'), 'gi')
}

const masked = (text: string, own: RegExp | undefined): string =>
  (own === undefined ? text : text.replace(own, '@'))
    .replace(/\b(?=[\w-]*\d)[\w-]+/g, '#')
    .replace(/\s+/g, ' ')

function withUnusual(lines: readonly Read[], records: number): DescribedLine[] {
  const saying = new Map<string, Set<number>>()
  const having = new Map<string, Set<number>>()
  const most = new Map<string, number>()
  const note = (map: Map<string, Set<number>>, key: string, record: number): number => {
    const set = map.get(key)
    if (set === undefined) map.set(key, new Set([record]))
    else set.add(record)
    return set?.size ?? 1
  }
  for (const { place, said, record } of lines) {
    note(having, place, record)
    const count = note(saying, `${place}\n${said}`, record)
    most.set(place, Math.max(most.get(place) ?? 0, count))
  }
  const few = Math.max(1, records * RARE)
  return lines.map(({ text, record, above, place, said }) => {
    const same = saying.get(`${place}\n${said}`)?.size ?? 0
    const isRarePlace = (having.get(place)?.size ?? 0) <= few
    const hasUsual = (most.get(place) ?? 0) >= records * USUAL
    return { text, record, above, isUnusual: same <= few && (isRarePlace || hasUsual) }
  })
}
