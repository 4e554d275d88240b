import { isLevelWord } from './levels.ts'

/** What a field at the beginning of a line is, by its form alone. */
export const TIME = 0
export const LEVEL = 1
/** Digits and marks. */
export const NUMBER = 2
/** Letters with digits. */
export const MIXED = 3
export const WORD = 4

export type FieldClass = typeof TIME | typeof LEVEL | typeof NUMBER | typeof MIXED | typeof WORD

const TIME_SHAPES = [
  // 2024-01-31, with or without a clock; 24/01/31; 24.01.31; 01-31; 31/Jan/2024:…
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T_ :-]\d{1,2}[:.]\d{2}.*)?$/,
  /^\d\d[/.-]\d\d[/.-]\d{2,4}$|^\d\d[-/]\d\d$|^\d{1,4}[-/.]\w{3}[-/.]\d{1,4}(?:[ T:].*)?$/,
  /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?[ T:]\d{1,2}:\d\d.*$/,
  /^\w+ \d{4}-\d\d-\d\dT[\d:.]+Z$/,
  /^[A-Z][a-z]{2} (?:[A-Z][a-z]{2} )? ?\d{1,2}[ ,].*\d:\d\d.*$|^[A-Z][a-z]{2}-\d\d$/,
  // 10:31, 10:31:07.2, 31:07.25; "00:1f.2" and "00:14.3" are places on a bus.
  /^\d{1,2}:\d{2}(?::\d{2}(?:[.,:]\d+)?|[.,]\d{2,})?(?:Z|[+-]\d{2}:?\d{2})?$/,
  /^\d{8}-\d{1,2}:\d+:\d+:\d+$|^\d{8}T?\d{6}$/,
]
const EPOCH = /^1\d{9}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?$|^\s*\d+\.\d{3,}$/
const DAYS_AND_MONTHS = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$/
const KEY = /^[A-Za-z_@]{1,12}=(?=.)/
const OPENING = /^[[(<"']+/
const CLOSING = /[\])>"',|:;]+$/
const LONGEST = 64

/** Forms repeat: by a hash in which digits count as one. */
const known = new Map<number, FieldClass>()
const MOST_KNOWN = 20_000

export function classOfField(text: string, start = 0, end = text.length): FieldClass {
  if (end - start > LONGEST) return /\d/.test(text.slice(start, end)) ? MIXED : WORD
  const shape = hashOfField(text, start, end, true)
  const found = known.get(shape)
  if (found !== undefined) return found
  const made = classify(text.slice(start, end))
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(shape, made)
  return made
}

/** `asShape`: digits behind the first character are equal. */
export function hashOfField(text: string, start: number, end: number, asShape = false): number {
  let hash = 0x811c9dc5 | 0
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    hash = Math.imul(hash ^ (asShape && i > start && code >= 48 && code <= 57 ? 48 : code), 0x01000193)
    hash ^= hash >>> 15
  }
  return hash
}

function classify(field: string): FieldClass {
  const value = field.replace(KEY, '')
  const bare = value.replace(OPENING, '').replace(CLOSING, '')
  const isBracketed = value.length > bare.length && /^[[(]/.test(value)
  if (!/\d/.test(bare)) {
    if (DAYS_AND_MONTHS.test(bare)) return TIME
    return isLevelWord(bare) ? LEVEL : WORD
  }
  if (TIME_SHAPES.some((shape) => shape.test(bare))) return TIME
  if (EPOCH.test(bare) && (isBracketed || bare.length >= 10)) return TIME
  return /\p{L}/u.test(value) ? MIXED : NUMBER
}

export const isKeyed = (field: string): boolean => KEY.test(field)

/** Letters of short formats: levels only where a whole column has them. */
export const isLevelLetter = (field: string): boolean =>
  field.length <= 4 && /^[[(<]?[VDIWEFT][\])>]?[:/]?$/.test(field)
