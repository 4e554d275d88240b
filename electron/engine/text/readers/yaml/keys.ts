import { isBlank, isSpace, trimStart } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { quotedStop } from './quoted.ts'

const HASH = 0x23
const COLON = 0x3a
const SAMPLE = 120
const KEY_LINE = /^(?:- +)*(?:"[^"]*"|'[^']*'|[^\s"'#:{[][^:#]{0,80}?(?::[^\s:][^:#\s]{0,80}?){0,3}):(?:\s|$)/

/** Whether lines of a sample have keys. */
export function mayBeYaml(lines: SourceLines): boolean {
  let keyed = 0
  let clean = 0
  let all = 0
  for (let line = 0; line < lines.count && all < SAMPLE; line++) {
    const start = trimStart(lines.text, lines.starts[line] ?? 0, lines.stops[line] ?? 0)
    const code = lines.text.charCodeAt(start)
    if (isBlank(lines, line) || code === HASH) continue
    all++
    const source = lines.text.slice(start, Math.min(lines.stops[line] ?? 0, start + 200))
    const isFlow = /^- +[{[]/.test(source)
    if (isFlow || KEY_LINE.test(source)) keyed++
    if (isFlow || CLEAN_KEY.test(source)) clean++
  }
  return keyed > 1 && keyed >= all * 0.2 && clean >= keyed * CLEAN
}

const LONGEST_KEY = 300

/** Least share of keys that are one word, no address: sentences and statements have others before a colon. */
const CLEAN = 0.6
const CLEAN_KEY =
  /^(?:- +)*(?:"[^"]*"|'[^']*'|(?![\da-f]{4,}:)[\w.$/@*+~<>%-]+(?::[A-Za-z_*/][\w.*/-]*)*):(?:\s|$)/

/** The colon after a key; -1 without one. */
export function keyEnd(text: string, start: number, stop: number): number {
  const first = text.charCodeAt(start)
  if (first === 0x22 || first === 0x27) {
    const end = quotedStop(text, start)
    if (end < 0 || end > stop) return -1
    const colon = trimStart(text, end, stop)
    return text.charCodeAt(colon) === COLON && colon < stop ? colon : -1
  }
  if (first === 0x7b || first === 0x5b) return -1
  const last = Math.min(stop, start + LONGEST_KEY)
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON && (at + 1 === stop || isSpace(text.charCodeAt(at + 1)))) return at
    if (code === HASH && at > start && isSpace(text.charCodeAt(at - 1))) return -1
  }
  return -1
}

/** Anchors and tags before a value. */
export function skipProperties(text: string, start: number, stop: number): number {
  let at = start
  while (at < stop && (text[at] === '&' || text[at] === '!')) {
    while (at < stop && text.charCodeAt(at) > 32) at++
    at = trimStart(text, at, stop)
  }
  return at
}
