/** Lines looked at; a record may have hundreds. */
const SAMPLE = 3000
const LEAST_RECORDS = 3
const FIRST_KEYS = 3
/** Keys beside the first that most records have once, the share of records that is, and of lines with such a key. */
const LEAST_KEYS = 2
const FEW_RECORDS = 6
const LEAST_OF_FEW = 4
const MOST_RECORDS = 0.75
const MOST_LINES = 0.6

/** A line between records: psql's `-[ RECORD 1 ]-`, MySQL's `*** 1. row ***`. */
const NUMBERED = /^(?:-\[ RECORD \d+ \][-+]*|\*{3,} \d+\. row \*{3,})$/
const NUMBERED_FIRST = /^(?:-\[ RECORD|\*{3,} \d+\. row)/m
/** `======== photo.jpg`, `*** node 3 ***`, `==> file <==`. */
const BANNER = /^(([=*~+>-])\2{2,}|==>)[ \t]+(\S(?:.{0,400}\S)?)[ \t]*$/
const RULE_BEHIND = /[ \t]+(?:([=*~+<>-])\1{2,}|<==)$/

/** Whether records begin with a mark of their number. */
export const isNumbered = (text: string): boolean => NUMBERED_FIRST.test(text.slice(0, 500))

interface Mark {
  /** Undefined for a number. */
  readonly name: string | undefined
}

/** Of a trimmed line. */
export function markOf(source: string): Mark | undefined {
  if (NUMBERED.test(source)) return { name: undefined }
  const [, signs = '', , words = ''] = BANNER.exec(source) ?? []
  const name = words.replace(RULE_BEHIND, '')
  // `=== RUN x` and `--- FAIL: x` are lines of a report.
  return words === '' || (name === words && signs.length < LEAST_OPEN) ? undefined : { name }
}

/** Signs before a name without any behind it. */
const LEAST_OPEN = 4

/** Whether a text has several banners with a name. */
export function hasBanners(lines: {
  readonly count: number
  readonly line: (line: number) => string
}): boolean {
  let found = 0
  for (let line = 0; line < Math.min(SAMPLE, lines.count) && found < LEAST_RECORDS; line++) {
    const source = lines.line(line)
    if (markOf(source)?.name !== undefined) found++
    else if (line === 0) return false
  }
  return found >= LEAST_RECORDS
}

/**
 * One of the first keys, where it comes again and again with the same keys behind it: records without a blank line
 * between. `keyOf` is undefined for a line without a key, and for an indented one.
 */
export function periodicKey(count: number, keyOf: (line: number) => string | undefined): string | undefined {
  const keys: string[] = []
  for (let line = 0; line < Math.min(SAMPLE, count); line++) {
    const key = keyOf(line)
    if (key !== undefined) keys.push(key)
  }
  return [...new Set(keys.slice(0, FIRST_KEYS))].find(
    (first) => !LEVEL.test(first) && isPeriodic(keys, first),
  )
}

/** Before messages. */
const LEVEL = /^(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|crit(?:ical)?)\b/i

/** Most records have some keys once: by chance, as levels before messages, keys come any number of times. */
function isPeriodic(keys: readonly string[], first: string): boolean {
  let records = 0
  const others = new Map<string, { lines: number; once: number; inRecord: number; last: number }>()
  for (const key of keys) {
    if (key === first) records++
    if (key === first || records === 0) continue
    let known = others.get(key)
    if (known === undefined) others.set(key, (known = { lines: 0, once: 0, inRecord: 0, last: 0 }))
    known.inRecord = known.last === records ? known.inRecord + 1 : 1
    known.last = records
    known.lines++
    known.once += known.inRecord === 1 ? 1 : known.inRecord === 2 ? -1 : 0
  }
  if (records < LEAST_RECORDS) return false
  const common = [...others.values()].filter(({ once }) => once >= MOST_RECORDS * (records - 1))
  const isRegular = common.length >= (records < FEW_RECORDS ? LEAST_OF_FEW : LEAST_KEYS)
  const present = [...others.values()].filter(({ lines }) => lines >= MOST_RECORDS * (records - 1))
  const lines = present.reduce((sum, each) => sum + each.lines, records)
  return isRegular && lines >= MOST_LINES * keys.length
}
