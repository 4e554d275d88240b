import { hashOfField } from './field-class.ts'
import { hashMasked } from './mask-line.ts'
import { cutAtWord } from './cut-line.ts'
import { levelOf, severityOfNumber } from './levels.ts'
import { sampleLines, type TextLines } from './text-lines.ts'

/** Members of JSON objects one per line, in the text's own form. */
export interface JsonLines {
  readonly isObject: (line: number) => boolean
  /** Of the members that are neither constant nor a time, whatever their order; and the stated level. */
  look(line: number): { readonly hash: number; readonly level: number | undefined }
  /** Without constants and, unless wanted, times. At most `longest` characters of each value. */
  print(line: number, withTime: boolean, longest: number): string
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
const LEVEL_KEY = /^"(?:log\.?)?(?:level|severity|lvl|levelname|loglevel|priority|@l|l)"$/i
const LONGEST_LEVEL = 40
const LONGEST_MASKED = 1000
const MOST_MEMBERS = 400

interface Member {
  readonly start: number
  readonly valueStart: number
  readonly end: number
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
    for (const { start, valueStart, end } of membersOf(text, lines.start(line), lines.end(line))) {
      const key = text.slice(start, valueStart)
      if (TIME_VALUE.test(text.slice(valueStart, Math.min(end, valueStart + 40))))
        timed.set(key, (timed.get(key) ?? 0) + 1)
      else if (end - start <= LONGEST_CONSTANT && (levelAt(text, { start, valueStart, end }) ?? 0) === 0) {
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

  return {
    isObject,
    constants: [...constants],
    look(line) {
      let hash = 0
      let level: number | undefined
      for (const member of membersOf(text, lines.start(line), lines.end(line))) {
        const { start, valueStart, end } = member
        if (level === undefined && end - start <= LONGEST_LEVEL) level = levelAt(text, member)
        if (!isDropped(member) && !isTime(member))
          hash += hashMasked(text, start, Math.min(end, valueStart + LONGEST_MASKED), 0) % 2 ** 45
      }
      return { hash, level }
    },
    print(line, withTime, longest) {
      const kept = membersOf(text, lines.start(line), lines.end(line)).filter(
        (member) => !isDropped(member) && (withTime || !isTime(member)),
      )
      const shown = kept.map(
        ({ start, valueStart, end }) =>
          text.slice(start, valueStart) + cutValue(text.slice(valueStart, end), longest),
      )
      return `{${shown.join(',')}}`
    },
  }
}

function levelAt(text: string, { start, valueStart, end }: Member): number | undefined {
  if (!LEVEL_KEY.test(text.slice(start, text.indexOf('"', start + 1) + 1))) return undefined
  const value = text.slice(valueStart, end)
  return /^\d/.test(value) ? severityOfNumber(Number(value)) : levelOf(value)
}

/** Members of the outermost object. One pass; what does not parse ends the list. */
function membersOf(text: string, from: number, to: number): Member[] {
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
    members.push({ start: i, valueStart, end })
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

function cutValue(value: string, longest: number): string {
  if (value.length <= longest) return value
  const cut = cutAtWord(value, longest).replace(/\\+$/, '')
  return value.startsWith('"') ? `${cut}…"` : `${cut}…`
}
