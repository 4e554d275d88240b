import { SEVERITY_WORDS } from './severity-words.ts'
import { levelOf } from './levels.ts'

interface Phrase {
  readonly severity: number
  /** After the first word. */
  readonly rest: readonly string[]
}

const byFirst = new Map<string, Phrase[]>()
for (const [severity, words] of SEVERITY_WORDS)
  for (const phrase of words.split('|')) {
    const [first = '', ...rest] = phrase.split(' ')
    byFirst.set(first, [...(byFirst.get(first) ?? []), { severity, rest }])
  }

const TOKEN = /[a-z0-9']+|[✗✘✖✕❌]/g
const LONGEST = 500
/** As oxlint and others mark an error where a terminal isn't known: "  x eslint(use-isnan): …". */
const CROSSED = /^\s*[x×] \S+: \S/
const CROSS = 2
const NONE = new Set(['0', 'no', 'zero', 'without', 'any', 'not'])
const STATUS = /(?:"|status|code|HTTP\/[\d.]+)["']?[=:\s]{1,2}"?([45])\d\d\b/i
/** Lines from here on fail. */
export const FAILING = 1.5
/** A calm level takes this share of what the words say. */
const CALM = 0.75
const ABOVE_LEVEL = 0.5

/** 0 to 3 from the level before a message and its words. */
export function severityOf(message: string, level?: number): number {
  const text = message.length > LONGEST ? message.slice(0, LONGEST) : message
  let severity = CROSSED.test(text) ? CROSS : severityOfWords(text)
  const status = STATUS.exec(text)?.[1]
  if (status !== undefined) severity = Math.max(severity, status === '5' ? FAILING : 0.5)
  if (level === undefined) return severity
  if (level > 0) return Math.max(level, Math.min(severity, level + ABOVE_LEVEL))
  return severity * CALM
}

function severityOfWords(text: string): number {
  const lower = text.toLowerCase()
  const tokens: string[] = []
  const starts: number[] = []
  for (const { 0: token, index } of lower.matchAll(TOKEN)) {
    tokens.push(token)
    starts.push(index)
  }
  let severity = 0
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? ''
    const found = severityAt(tokens, i, token)
    if (found > severity && !isNegated(lower, tokens, starts, i)) severity = found
  }
  return severity
}

function severityAt(tokens: readonly string[], at: number, token: string): number {
  let severity =
    token.length > 9 && token.endsWith('exception') ? 2 : token.length > 6 && token.endsWith('error') ? 2 : 0
  for (const phrase of byFirst.get(token) ?? [])
    if (phrase.severity > severity && phrase.rest.every((word, k) => fits(word, tokens[at + 1 + k])))
      severity = phrase.severity
  return severity
}

const fits = (word: string, token: string | undefined): boolean =>
  word === '#' ? token !== undefined && /^[1-9]/.test(token) : word === token

/**
 * A count belongs to the word before it after a colon or an equals sign ("errors: 0"), else to the word or two behind
 * it ("0 input errors, 7 CRC"), else to the word before it ("errors 0").
 */
function isNegated(text: string, tokens: readonly string[], starts: readonly number[], at: number): boolean {
  const token = tokens[at]!
  const before = tokens[at - 1] ?? ''
  const behind = text.slice(starts[at]! + token.length, starts[at + 1])
  const next = tokens[at + 1] ?? ''
  if (NUMBER.test(next) && STATED.test(behind)) return next === '0'
  if (NONE.has(before) && !(before === 'not' && token === 'ok')) return true
  const head = text.slice(0, starts[at])
  const counted = COUNTED.exec(head)?.[1]
  if (counted !== undefined) return counted === '0'
  return next === '0' && !LISTED.test(behind)
}
const NUMBER = /^\d+$/
const STATED = /^["']?\s*[:=]\s*["']?$/
const LISTED = /[,;]/
/** A number at the beginning of a part of a sentence, and a word behind it. */
const COUNTED = /(?:^|[,;(])\s*(\d+) (?:[a-z]+ )?$/

/** A level at the beginning of a message: "ERROR: …", "[warn] …", "error[E0308]". */
const LEADING = /^[\s\-|:>]*([[(<]?\p{L}{3,11}[\])>]?)([:\])[]|\s|$)/u

/**
 * A letter that stands for a level: before a place (Kotlin), a sentence or what it is about (apt, lintian), a tag
 * (logcat), in brackets, before the day and time (glog).
 */
const LETTERED =
  /^\s*(?:([ew]): (?=[a-z]+:\/\/|\/|[A-Z]:\\|[\w.-]+\/\S)|([EWF]): (?=\S+ \S+ \S|\S+: \S)|([EWF])\/[\w.$-]+ *(?:\( *\d+\))?: |\[([EWF])\] \S|([EWF])\d{4} \d\d:\d\d:\d\d)/

export function leadingLevel(message: string): number | undefined {
  const start = message.slice(0, 40)
  const letter = LETTERED.exec(start)
    ?.slice(1)
    .find((one) => one !== undefined)
  if (letter !== undefined) return levelOf(letter.toUpperCase())
  const found = LEADING.exec(start)
  if (found === null) return undefined
  const [, word = '', mark = ''] = found
  const isStated = /^[[(<]|[\])>]$/.test(word) || mark === ':' || mark === '[' || /^[A-Z]+$/.test(word)
  return isStated ? levelOf(word) : undefined
}
