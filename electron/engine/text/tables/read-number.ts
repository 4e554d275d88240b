const SCALES: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12 }
/** Currency sign or similar, number, scale ("3.2M", "414Mi"); then the unit. */
const NUMBER = /^[^\d\-.]{0,4}(-?(?:\d[\d,]*(?:\.\d+)?|\.\d+))(?:([kKMGBT])i?B?(?![A-Za-z]))?/
const DATE =
  /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b/i
const CLOCK = /^(\d{1,3}):(\d\d)(?::(\d\d))?(\.\d+)?\b/
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** After a currency sign or bracket. */
const LATEST_START = 5
const MAX_LENGTH = 40

/** "$1,234", "12.5 %", "3.2M", "(45)" is −45; else NaN. */
export function readNumber(cell: string): number {
  if (isPlainNumber(cell)) return Number(cell)
  if (!hasDigitEarly(cell)) return Number.NaN
  const plain = cell.includes('[') ? cell.replace(/\[[^\]]*\]/g, '') : cell
  const text = (/[−–]/.test(plain) ? plain.replace(/[−–]/g, '-') : plain).trim()
  if (text.length > MAX_LENGTH) return Number.NaN
  const clock = text.includes(':') ? CLOCK.exec(text) : null
  if (clock !== null) return readClock(clock)
  const match = DATE.test(text) ? null : NUMBER.exec(text)
  if (match === null) return Number.NaN
  const value = Number((match[1] ?? '').replaceAll(',', '')) * (SCALES[match[2] ?? ''] ?? 1)
  return text.endsWith(')') && /^\$?\s?\(.*\)$/.test(text) ? -value : value
}

/** Digits with at most one point: most cells, without patterns. */
function isPlainNumber(cell: string): boolean {
  if (cell.length === 0 || cell.length > MAX_LENGTH || !isDigit(cell.charCodeAt(0))) return false
  let points = 0
  for (let i = 1; i < cell.length; i++) {
    const code = cell.charCodeAt(i)
    if (code === POINT) points++
    else if (!isDigit(code)) return false
  }
  return points === 0 || (points === 1 && isDigit(cell.charCodeAt(cell.length - 1)))
}

const POINT = 46

/** Seconds, or minutes for two parts: consistent within a column. */
function readClock([, first, second, third, fraction = '']: RegExpExecArray): number {
  const high = Number(first) * 60 + Number(second)
  return (third === undefined ? high : high * 60 + Number(third)) + Number(`0${fraction}`)
}

function hasDigitEarly(cell: string): boolean {
  let start = 0
  while (start < cell.length && cell.charCodeAt(start) <= 32) start++
  for (let i = start; i < Math.min(cell.length, start + LATEST_START); i++)
    if (isDigit(cell.charCodeAt(i))) return true
  return false
}

function hasDigit(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isDigit(text.charCodeAt(i))) return true
  return false
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** Days since a fixed point for dates and years; else NaN. */
export function readDate(cell: string): number {
  const text = cell.slice(0, MAX_LENGTH)
  if (!hasDigit(text)) return Number.NaN
  const iso = /\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?/.exec(text)
  if (iso !== null) return dayNumber(Number(iso[1]), Number(iso[2]), Number(iso[3] ?? 1))
  const year = Number(/\b(1\d{3}|20\d{2})\b/.exec(text)?.[1] ?? Number.NaN)
  const name = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i.exec(text)?.[1]?.toLowerCase()
  const month = name === undefined ? 0 : MONTHS.indexOf(name) + 1
  const day = Number(/\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(text)?.[1] ?? 1)
  if (month > 0) return dayNumber(Number.isNaN(year) ? 0 : year, month, day)
  return /^\D{0,3}(?:1\d{3}|20\d{2})(?:\s*[-–/]\s*\d{2,4})?\D{0,3}$/.test(text)
    ? dayNumber(year, 1, 1)
    : Number.NaN
}

const dayNumber = (year: number, month: number, day: number) => year * 372 + month * 31 + day
