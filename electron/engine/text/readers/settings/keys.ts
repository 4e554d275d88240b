import { isSpace, trimStart } from '../source-lines.ts'
import { quotedStop } from '../yaml/quoted.ts'

const HASH = 0x23
const SEMICOLON = 0x3b
const COMMA = 0x2c
const OPEN_BLOCK = 0x7b
const OPEN_CALL = 0x28
const LESS = 0x3c
const QUOTE = 0x22
const APOSTROPHE = 0x27
const LONGEST_KEY = 200

/** The separator behind a key; -1 where the line has none. Keys of `key = value` may have blanks. */
export function edgeOfKey(text: string, start: number, stop: number, separator: string): number {
  const code = text.charCodeAt(start)
  let at = start
  if (code === QUOTE || code === APOSTROPHE) {
    at = quotedStop(text, start)
    if (at < 0 || at >= stop) return -1
  }
  const last = Math.min(stop, start + LONGEST_KEY)
  const wanted = separator.charCodeAt(0)
  for (; at < last; at++) {
    const unit = text.charCodeAt(at)
    if (unit === wanted || (wanted === 0x20 && unit === 9)) return at > start ? at : -1
    if (unit === QUOTE || unit === OPEN_BLOCK || unit === OPEN_CALL || unit === LESS) return -1
    if (wanted === 0x20 && !KEY_UNIT.test(text.charAt(at))) return -1
  }
  return -1
}

const KEY_UNIT = /[\w.@*+-]/

/** Where a block's label begins: behind its first word. */
export function labelStart(text: string, start: number, stop: number): number {
  let at = start
  while (at < stop && !isSpace(text.charCodeAt(at))) at++
  return trimStart(text, at, stop)
}

/** Only a comment or a separator follows. */
export function isRest(text: string, end: number): boolean {
  let at = end
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++
  const code = text.charCodeAt(at)
  return (
    Number.isNaN(code) || code === 10 || code === 13 || code === HASH || code === SEMICOLON || code === COMMA
  )
}

/** `a."b.c".d` is three parts. */
export const partsOf = (name: string): string[] =>
  Array.from(name.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|[^.\s][^.]*/g), ([part, double, single]) =>
    (double ?? single ?? part).trim(),
  )
