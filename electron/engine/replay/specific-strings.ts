/** A place in a text, with a hash of what is there. */
export type Visit = (key: number, start: number, end: number) => void

const LETTER = 1
const CAPITAL = 2
const DIGIT = 3
/** Joins parts of names, paths, versions and addresses. */
const JOINT = 4
/** Belongs to a run in its middle only. */
const INNER = 5

const classes = new Uint8Array(128)
for (let code = 97; code <= 122; code++) classes[code] = LETTER
for (let code = 65; code <= 90; code++) classes[code] = CAPITAL
for (let code = 48; code <= 57; code++) classes[code] = DIGIT
for (const joint of '_-./:\\') classes[joint.charCodeAt(0)] = JOINT
for (const inner of '@$%+~#?&=') classes[inner.charCodeAt(0)] = INNER

const SHORTEST = 5
const SHORTEST_NUMBER = 3
/** Longer ones are data such as base64. */
const LONGEST = 400

const isWord = (kind: number): boolean => kind === LETTER || kind === CAPITAL || kind === DIGIT
const classAt = (text: string, at: number): number => classes[text.charCodeAt(at)] ?? 0

/**
 * Strings that say where they come from: names with a digit, a capital inside or a joint, paths, addresses, numbers
 * from three digits on. A path is also visited without its line number, and by its last two parts, because sessions
 * name files in several ways.
 */
export function visitSpecific(text: string, visit: Visit): void {
  const { length } = text
  let at = 0
  while (at < length) {
    if (classAt(text, at) === 0) {
      at++
      continue
    }
    const start = at
    while (at < length && classAt(text, at) !== 0) at++
    visitRun(text, start, at, visit)
  }
}

function visitRun(text: string, from: number, to: number, visit: Visit): void {
  let [start, end] = [from, to]
  while (start < end && !isWord(classAt(text, start)) && !isPathStart(text, start)) start++
  while (end > start && !isWord(classAt(text, end - 1))) end--
  if (end - start < SHORTEST_NUMBER || end - start > LONGEST || !isSpecific(text, start, end)) return
  visit(keyOf(text, start, end), start, end)
  const lineless = withoutLine(text, start, end)
  if (lineless !== end && lineless - start >= SHORTEST) visit(keyOf(text, start, lineless), start, lineless)
  const tail = lastTwo(text, start, lineless)
  if (tail > start && lineless - tail >= SHORTEST) visit(keyOf(text, tail, lineless), tail, lineless)
}

const SLASH = 47
const BACKSLASH = 92
const COLON = 58

const isPathStart = (text: string, at: number): boolean => text.charCodeAt(at) === SLASH

function isSpecific(text: string, start: number, end: number): boolean {
  let digits = 0
  let joints = 0
  let capitals = 0
  for (let at = start; at < end; at++) {
    const kind = classAt(text, at)
    if (kind === DIGIT) digits++
    else if (kind === JOINT || kind === INNER) joints++
    // The first letter of a sentence says nothing.
    else if (kind === CAPITAL && at > start) capitals++
  }
  if (digits === end - start) return true
  return end - start >= SHORTEST && digits + joints + capitals > 0
}

/** Where `:12` or `:12:5` at the end begins. */
function withoutLine(text: string, start: number, end: number): number {
  let cut = end
  for (let at = end - 1; at > start; at--) {
    if (text.charCodeAt(at) === COLON) {
      if (at === cut - 1) return cut
      cut = at
    } else if (classAt(text, at) !== DIGIT) return cut
  }
  return cut
}

function lastTwo(text: string, start: number, end: number): number {
  let slashes = 0
  for (let at = end - 1; at > start; at--) {
    const code = text.charCodeAt(at)
    if (code !== SLASH && code !== BACKSLASH) continue
    if (++slashes === 2) return at + 1
  }
  return start
}

const SHORTEST_LINE = 12
/** A line of code, not of prose. */
const CODE = /[(){}[\];=<>]/

/** Whole lines of code, without indentation and without the numbers that apps write before them. */
export function visitCodeLines(text: string, visit: Visit): void {
  let from = 0
  while (from < text.length) {
    let to = text.indexOf('\n', from)
    if (to < 0) to = text.length
    let [start, end] = [afterNumber(text, from, to), to]
    while (start < end && text.charCodeAt(start) <= 32) start++
    while (end > start && text.charCodeAt(end - 1) <= 32) end--
    const length = end - start
    if (length >= SHORTEST_LINE && length <= LONGEST && CODE.test(text.slice(start, end)))
      visit(keyOf(text, start, end), start, end)
    from = to + 1
  }
}

const TAB = 9
const ARROW = 0x2192

function afterNumber(text: string, from: number, to: number): number {
  let at = from
  while (at < to && text.charCodeAt(at) === 32) at++
  const digits = at
  while (at < to && classAt(text, at) === DIGIT) at++
  const code = text.charCodeAt(at)
  return at > digits && at < to && (code === TAB || code === ARROW) ? at + 1 : from
}

/** As a source file has it: without the numbers before its lines. */
export const withoutNumbers = (text: string): string => text.replaceAll(/^ *\d+[\t→]/gm, '')

/** 52 bits: among a million strings none collides as a rule. */
export function keyOf(text: string, start = 0, end = text.length): number {
  let one = 0x811c9dc5
  let two = 0x9e3779b9
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ (code + 0x7f), 0x85ebca6b)
    two ^= two >>> 13
  }
  return (one >>> 0) * 0x100000 + ((two >>> 0) & 0xfffff)
}
