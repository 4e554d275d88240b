import { hashOfField } from './field-class.ts'
import { hashMasked } from './mask-line.ts'
import { cutAtWord } from './cut-line.ts'
import { levelOf, severityOfNumber } from './levels.ts'
import { sampleLines, type TextLines } from './text-lines.ts'

/** Members of JSON objects one per line, at any depth, in the text's own form. */
export interface JsonLines {
  readonly isObject: (line: number) => boolean
  /** Of the members that are neither constant nor a time, whatever their order; and the stated level. */
  look(line: number): { readonly hash: number; readonly level: number | undefined }
  /** Without constants and, unless wanted, times. At most `longest` characters of each value. */
  print(line: number, withTime: boolean, longest: number): string
  /** Beyond `most` characters codes that are not asked for give way to sentences, with a mark for each run of them. */
  fit(
    line: number,
    withTime: boolean,
    longest: number,
    most: number,
    isAsked: (member: string) => boolean,
  ): string
  /** As in the text. */
  readonly constants: readonly string[]
}

const SAMPLE = 300
const LEAST_OBJECTS = 5
const LEAST_SHARE = 0.5
const NEARLY_ALL = 0.9
const LONGEST_CONSTANT = 160
const TIME_VALUE =
  /^"?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|1\d{9}(?:\.\d+)?"?$|1\d{12}(?:\d{3}|\d{6})?"?$|\d\d:\d\d:\d\d)/
const LEVEL_KEY = /^"(?:\w+[._])?(?:level|severity|lvl|levelname|loglevel|priority|@l|l)"$/i
const LONGEST_LEVEL = 40
const LONGEST_MASKED = 1000
const MOST_MEMBERS = 400
/** Of values in lines that are too long. */
const SHORT_VALUE = 90
/** Objects below this are values: every depth is read once more. */
const DEEPEST = 6

interface Member {
  readonly start: number
  readonly valueStart: number
  readonly end: number
  /** 0 in the outermost object. */
  readonly depth: number
}

/** Undefined where fewer than half of the lines are objects. */
export function readJsonLines(lines: TextLines): JsonLines | undefined {
  const { text } = lines
  const isObject = (line: number): boolean =>
    text.charCodeAt(lines.start(line)) === 123 && text.charCodeAt(lines.end(line) - 1) === 125
  let sampled = 0
  let objects = 0
  const uses = new Map<string, number>()
  const timed = new Map<string, number>()
  for (const line of sampleLines(lines.count, SAMPLE)) {
    sampled++
    if (!isObject(line)) continue
    objects++
    for (const member of leavesOf(text, lines.start(line), lines.end(line))) {
      const { start, valueStart, end } = member
      const key = text.slice(start, valueStart)
      if (TIME_VALUE.test(text.slice(valueStart, Math.min(end, valueStart + 40))))
        timed.set(key, (timed.get(key) ?? 0) + 1)
      else if (end - start <= LONGEST_CONSTANT && (levelAt(text, member) ?? 0) === 0) {
        const member = text.slice(start, end)
        uses.set(member, (uses.get(member) ?? 0) + 1)
      }
    }
  }
  if (objects < LEAST_OBJECTS || objects < LEAST_SHARE * sampled) return undefined
  const constants = new Set([...uses.keys()].filter((member) => uses.get(member)! >= NEARLY_ALL * objects))
  const times = new Set([...timed].filter(([, count]) => count >= objects / 2).map(([key]) => key))
  const hashes = new Set([...constants].map((member) => hashOfField(member, 0, member.length)))
  const timeHashes = new Set([...times].map((key) => hashOfField(key, 0, key.length)))
  const isDropped = ({ start, end }: Member): boolean =>
    end - start <= LONGEST_CONSTANT && hashes.has(hashOfField(text, start, end))
  const isTime = ({ start, valueStart }: Member): boolean =>
    timeHashes.has(hashOfField(text, start, valueStart))

  const leftOut =
    (withTime: boolean) =>
    (member: Member): boolean =>
      isDropped(member) || (!withTime && isTime(member))

  return {
    isObject,
    constants: [...constants],
    look(line) {
      let hash = 0
      let level: number | undefined
      for (const member of leavesOf(text, lines.start(line), lines.end(line))) {
        const { start, valueStart, end } = member
        if (level === undefined && end - start <= LONGEST_LEVEL) level = levelAt(text, member)
        if (!isDropped(member) && !isTime(member))
          hash += hashMasked(text, start, Math.min(end, valueStart + LONGEST_MASKED), 0) % 2 ** 45
      }
      return { hash, level }
    },
    print: (line, withTime, longest) =>
      printMembers(text, lines.start(line), lines.end(line), longest, leftOut(withTime)),
    fit(line, withTime, longest, most, isAsked) {
      const from = lines.start(line)
      const to = lines.end(line)
      const isLeft = leftOut(withTime)
      const whole = printMembers(text, from, to, longest, isLeft)
      if (whole.length <= most) return whole
      // What is cut anyway is cut first: a stack of calls may repeat the message.
      const limit = (value: string): number =>
        value.length > longest ? Math.min(longest, SHORT_VALUE) : longest
      const shorter = printMembers(text, from, to, limit, isLeft)
      let over = shorter.length - most
      const without = new Set<number>()
      for (const member of codesIn(text, from, to)) {
        if (over <= 0) break
        const { start, valueStart, end } = member
        if (isLeft(member) || isTime(member) || isAsked(text.slice(start, end))) continue
        without.add(start)
        over -= valueStart - start + Math.min(end - valueStart, SHORT_VALUE)
      }
      return printMembers(text, from, to, limit, isLeft, without)
    },
  }
}

function levelAt(text: string, { start, valueStart, end }: Member): number | undefined {
  if (!LEVEL_KEY.test(text.slice(start, text.indexOf('"', start + 1) + 1))) return undefined
  const value = text.slice(valueStart, end)
  return /^\d/.test(value) ? severityOfNumber(Number(value)) : levelOf(value)
}

/** Where a member of `without` began there is a mark, one for several. */
function printMembers(
  text: string,
  from: number,
  to: number,
  longest: number | ((value: string) => number),
  isLeft: (member: Member) => boolean,
  without?: ReadonlySet<number>,
  depth = 0,
): string {
  const shown: string[] = []
  for (const member of membersOf(text, from, to, depth)) {
    const { start, valueStart, end } = member
    if (isLeft(member)) continue
    const value = isEntered(text, member)
      ? printMembers(text, valueStart, end, longest, isLeft, without, depth + 1)
      : cutValue(text.slice(valueStart, end), longest)
    const isHollow = without?.has(start) === true || value === '{…}'
    if (isHollow && shown.at(-1) !== '…') shown.push('…')
    if (!isHollow && (value !== '{}' || end - valueStart <= 2))
      shown.push(text.slice(start, valueStart) + value)
  }
  return `{${shown.join(',')}}`
}

/** The deepest first, of them numbers and ids. Neither sentences nor levels. */
const codesIn = (text: string, from: number, to: number): Member[] =>
  leavesOf(text, from, to)
    .map((leaf) => ({
      leaf,
      value: text.slice(leaf.valueStart, Math.min(leaf.end, leaf.valueStart + LONGEST_MASKED)),
    }))
    .filter(({ leaf, value }) => !SENTENCE.test(value) && levelAt(text, leaf) === undefined)
    .sort((a, b) => b.leaf.depth - a.leaf.depth || Number(DIGIT.test(b.value)) - Number(DIGIT.test(a.value)))
    .map(({ leaf }) => leaf)

const SENTENCE = /\p{L}{2,}[,:]? \p{L}{2,}/u
const DIGIT = /\d/

/** Members that are no objects with members, at any depth. */
const leavesOf = (text: string, from: number, to: number, depth = 0): Member[] =>
  membersOf(text, from, to, depth).flatMap((member) =>
    isEntered(text, member) ? leavesOf(text, member.valueStart, member.end, depth + 1) : member,
  )

const isEntered = (text: string, { valueStart, end, depth }: Member): boolean =>
  depth < DEEPEST &&
  text.charCodeAt(valueStart) === 123 &&
  text.charCodeAt(end - 1) === 125 &&
  end - valueStart > 2

/** Members of one object. One pass; what does not parse ends the list. */
function membersOf(text: string, from: number, to: number, depth: number): Member[] {
  const members: Member[] = []
  let i = from
  while (i < to && members.length < MOST_MEMBERS) {
    if (text.charCodeAt(i) !== 34) {
      i++
      continue
    }
    let valueStart = stringEnd(text, i, to)
    while (valueStart < to && isBlank(text.charCodeAt(valueStart))) valueStart++
    if (text.charCodeAt(valueStart) !== 58) return members
    valueStart++
    while (valueStart < to && isBlank(text.charCodeAt(valueStart))) valueStart++
    const end = valueEnd(text, valueStart, to)
    members.push({ start: i, valueStart, end, depth })
    i = end
  }
  return members
}

const isBlank = (code: number): boolean => code === 32 || code === 9

function stringEnd(text: string, from: number, to: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0 && at < to; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === 92) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return to
}

function valueEnd(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from)
  if (first === 34) return stringEnd(text, from, to)
  let depth = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) i = stringEnd(text, i, to) - 1
    else if (code === 91 || code === 123) depth++
    else if ((code === 93 || code === 125) && --depth <= 0) return depth === 0 ? i + 1 : i
    else if (code === 44 && depth === 0) return i
  }
  return to
}

function cutValue(value: string, longest: number | ((value: string) => number)): string {
  const most = typeof longest === 'number' ? longest : longest(value)
  if (value.length <= most) return value
  const cut = cutAtWord(value, most).replace(/\\+$/, '')
  return value.startsWith('"') ? `${cut}…"` : `${cut}…`
}
