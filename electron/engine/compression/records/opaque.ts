import type { JsonDocument } from '../../text/tree/json-document.ts'

/** Long hexadecimal or base-64 text, a long link: read only when asked for. */
export function looksOpaque(text: string, start: number, stop: number): boolean {
  const quoted = text.charCodeAt(start) === QUOTE
  const from = quoted ? start + 1 : start
  const to = quoted ? stop - 1 : stop
  const length = to - from
  if (length < SHORTEST) return false
  if (length > LONG_LINK && text.startsWith('http', from)) return !hasBlank(text, from, to)
  if (text.startsWith('data:', from)) return true
  let hexadecimal = 0
  let digits = 0
  for (let i = from; i < Math.min(to, from + LOOKED_AT); i++) {
    const code = text.charCodeAt(i)
    if (code <= 32) return false
    const isDigit = code >= 48 && code <= 57
    if (isDigit) digits++
    if (isDigit || (code >= 97 && code <= 102) || (code >= 65 && code <= 70) || code === DASH) hexadecimal++
    else if (length < UNBROKEN) return false
  }
  const looked = Math.min(length, LOOKED_AT)
  return (hexadecimal === looked && digits > 0 && digits < looked) || length >= UNBROKEN
}

/** A number, or digits without a longer run of letters. */
export function isCoded({ text, starts, stops }: JsonDocument, node: number): boolean {
  const value = text.slice(starts[node] ?? 0, stops[node] ?? 0)
  return value.length < LONGEST_CODE && /\d/.test(value) && !/\s|[a-z]{4}/i.test(value)
}

/** A digit and no blank: a key ("SHOP-2349"), a date, an address. */
export function isCode({ text, starts, stops }: JsonDocument, node: number): boolean {
  const value = text.slice(starts[node] ?? 0, stops[node] ?? 0)
  return value.length < LONGEST_CODE && /\d/.test(value) && !/\s/.test(value)
}

const LONGEST_CODE = 60
const SHORTEST = 24
const LONG_LINK = 30
const UNBROKEN = 60
const LOOKED_AT = 100
const QUOTE = 34
const DASH = 45

function hasBlank(text: string, from: number, to: number): boolean {
  const blank = text.indexOf(' ', from)
  return blank >= 0 && blank < to
}
