import { sampleLines, type TextLines } from './text-lines.ts'

const LEAST_MESSAGES = 5
/** Lines a message has on average, its head included. */
const MOST_LINES = 5
const SAMPLE = 300
const LONGEST_HEAD = 80
const MOST_NAMES = 4
/** Beyond this a message's further lines are lines of their own. */
const LONGEST_MESSAGE = 400
const CLOCK = /(?<![\d.])\d{1,2}:\d\d(?::\d\d)?(?!\d)/
const CUE_NUMBER = /^\d{1,6}$/

/**
 * Chats, transcripts and subtitles: a line of nothing but a time and who speaks heads what is said below it. Such a head
 * and its text become one line, with the line breaks inside.
 */
export function joinMessages(lines: TextLines): TextLines {
  const heads = findHeads(lines)
  if (heads.length < LEAST_MESSAGES) return lines
  const starts: number[] = []
  const ends: number[] = []
  const opens: number[] = []
  const add = (from: number, to: number): void => {
    starts.push(lines.start(from))
    ends.push(lines.end(to))
    opens.push(from)
  }
  let next = 0
  for (let line = 0; line < lines.count;) {
    const head = heads[next]
    if (head === undefined || line < head.first) {
      add(line, line)
      line++
      continue
    }
    next++
    const limit = Math.min(lines.count, heads[next]?.first ?? Infinity)
    let last = head.time
    while (
      last + 1 < limit &&
      (last === head.time || !lines.opensParagraph(last + 1)) &&
      lines.end(last + 1) - lines.start(line) <= LONGEST_MESSAGE
    )
      last++
    add(line, last)
    line = last + 1
  }
  return {
    text: lines.text,
    count: starts.length,
    all: lines.all,
    heightOf: (line) => (opens[line + 1] ?? lines.count) - (opens[line] ?? 0),
    start: (line) => starts[line] ?? 0,
    end: (line) => ends[line] ?? 0,
    opensParagraph: (line) => lines.opensParagraph(opens[line] ?? 0),
    opensPart: (line) => lines.opensPart(opens[line] ?? 0),
    read: (line) => lines.text.slice(starts[line], ends[line]),
  }
}

interface Head {
  /** The number of a cue before its time. */
  readonly first: number
  readonly time: number
}

function findHeads(lines: TextLines): readonly Head[] {
  if (!mayHaveHeads(lines)) return []
  const byForm = new Map<string, number[]>()
  for (let line = 0; line < lines.count; line++) {
    const form = formOf(lines, line)
    if (form === undefined) continue
    const same = byForm.get(form)
    if (same === undefined) byForm.set(form, [line])
    else same.push(line)
  }
  const times = [...byForm.values()].reduce<number[]>(
    (most, each) => (each.length > most.length ? each : most),
    [],
  )
  const isFew = times.length < LEAST_MESSAGES || times.length * MOST_LINES < lines.count
  if (isFew || !areSpoken(lines, times)) return []
  return times.map((time) => ({ first: isCueNumber(lines, time - 1) ? time - 1 : time, time }))
}

/** A look at few of many lines. */
function mayHaveHeads(lines: TextLines): boolean {
  const sample = [...sampleLines(lines.count, SAMPLE)]
  return sample.filter((line) => formOf(lines, line) !== undefined).length * 2 * MOST_LINES >= sample.length
}

const isCueNumber = (lines: TextLines, line: number): boolean =>
  line >= 0 && lines.opensParagraph(line) && CUE_NUMBER.test(lines.read(line))

/** Below nearly each is a text that is not indented, and names come again. */
function areSpoken(lines: TextLines, times: readonly number[]): boolean {
  const isHead = new Set(times)
  const names = new Set<string>()
  let spoken = 0
  for (const line of times) {
    names.add(lines.read(line).replace(/[^\p{L}]+/gu, ' '))
    const below = line + 1
    const isText =
      below < lines.count &&
      !isHead.has(below) &&
      !/^\s/.test(lines.read(below)) &&
      /\p{L}/u.test(lines.read(below))
    if (isText) spoken++
  }
  return spoken >= NEARLY_ALL * times.length && (names.size === 1 || names.size <= times.length / 2)
}

const NEARLY_ALL = 0.9

/** With names and numbers made equal; undefined where it says more than a time and a name, or no time. */
function formOf(lines: TextLines, line: number): string | undefined {
  if (lines.end(line) - lines.start(line) > LONGEST_HEAD) return undefined
  const text = lines.read(line)
  if (!CLOCK.test(text)) return undefined
  const names = text.match(/\p{L}[\p{L}\p{M}'’.-]*/gu) ?? []
  if (names.length > MOST_NAMES) return undefined
  return text.replace(/\p{L}[\p{L}\p{M}'’.-]*(?: \p{L}[\p{L}\p{M}'’.-]*)*/gu, 'a').replace(/\d+/g, '0')
}
