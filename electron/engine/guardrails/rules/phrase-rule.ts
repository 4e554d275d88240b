import type { FindingKind } from '../detector.ts'

/** Tried only at its cue words, with bounded patterns, so that time is linear. */
export interface PhraseRule {
  readonly kind: FindingKind
  readonly reason: string
  readonly score: number
  /** In a definition, where instructions are normal; default: `score`. */
  readonly definitionScore?: number
  /** Lower-case ASCII words. */
  readonly cues: readonly string[]
  /** Must match right before the cue; end it with $. */
  readonly before?: RegExp
  /** Each must match after the previous, starting within `within` characters. */
  readonly followedBy?: readonly { readonly within: number; readonly pattern: RegExp }[]
  /** Prevents a match if found in it or the next 12 characters. */
  readonly unless?: RegExp
  /** Patterns may be in the next sentence. */
  readonly acrossSentences?: boolean
}

interface PhraseMatch {
  readonly rule: PhraseRule
  readonly start: number
  readonly end: number
}

/** Of one pattern. */
const LONGEST_MATCH = 80
const LOOK_BACK = 24
const LOOK_AHEAD = 12
const MATCHES_PER_RULE = 8
const WIDEST_EMPTY_LINE = 20

const PRIME = 0x01000193
/** A power of two. */
const HASHES = 2 ** 14

export interface PhraseMatcher {
  match(text: string): PhraseMatch[]
}

export function createPhraseMatcher(rules: readonly PhraseRule[]): PhraseMatcher {
  const byCue = new Map<string, PhraseRule[]>()
  for (const rule of rules) for (const cue of rule.cues) byCue.set(cue, [...(byCue.get(cue) ?? []), rule])
  // Most words aren't cues; these bits avoid creating a string.
  const mayBeCue = new Uint8Array(HASHES)
  for (const cue of byCue.keys()) mayBeCue[hashWord(cue) & (HASHES - 1)] = 1

  return {
    match: (text) => {
      const matches: PhraseMatch[] = []
      const counts = new Map<PhraseRule, number>()
      const doneUntil = new Map<PhraseRule, number>()

      const tryRules = (start: number, end: number): void => {
        for (const rule of byCue.get(text.slice(start, end).toLowerCase()) ?? []) {
          const count = counts.get(rule) ?? 0
          if (count >= MATCHES_PER_RULE || start < (doneUntil.get(rule) ?? 0)) continue
          const match = matchAt(rule, text, start, end)
          if (!match) continue
          matches.push(match)
          counts.set(rule, count + 1)
          doneUntil.set(rule, match.end)
        }
      }

      let hash = 0
      let start = -1
      for (let i = 0; i <= text.length; i++) {
        const letter = i < text.length ? (LOWER[text.charCodeAt(i)] ?? 0) : 0
        if (letter !== 0) {
          if (start === -1) start = i
          hash = Math.imul(hash ^ letter, PRIME)
        } else if (start !== -1) {
          if (mayBeCue[hash & (HASHES - 1)] === 1) tryRules(start, i)
          start = -1
          hash = 0
        }
      }
      return matches
    },
  }
}

function matchAt(rule: PhraseRule, text: string, start: number, cueEnd: number): PhraseMatch | undefined {
  if (rule.before && !rule.before.test(text.slice(Math.max(0, start - LOOK_BACK), start))) return undefined
  const parts = rule.followedBy ?? []
  const reach = parts.reduce((sum, { within }) => sum + within + LONGEST_MATCH, 0)
  const after = text.slice(cueEnd, cueEnd + reach)
  let limit = after.length
  let read = rule.acrossSentences ? limit : 0
  let at = 0
  for (const { within, pattern } of parts) {
    const to = Math.min(at + within + LONGEST_MATCH, limit)
    for (; read < to; read++) {
      if (!isEndOfSentence(after, read)) continue
      limit = read + 1
      read = after.length
    }
    const found = pattern.exec(after.slice(at, Math.min(to, limit)))
    if (!found || found.index > within) return undefined
    at += found.index + found[0].length
  }
  const end = cueEnd + at
  if (rule.unless?.test(text.slice(start, end + LOOK_AHEAD))) return undefined
  return { rule, start, end }
}

/** A sentence stop (up to two closing marks, then white space or end), or the start of an empty line. */
function isEndOfSentence(text: string, index: number): boolean {
  const kind = KINDS[text.charCodeAt(index)]
  if (kind === STOP) {
    let next = index + 1
    while (next <= index + 2 && KINDS[text.charCodeAt(next)] === CLOSING) next++
    return next >= text.length || isSpace(text.charCodeAt(next))
  }
  if (kind !== NEWLINE) return false
  const last = index + 1 + WIDEST_EMPTY_LINE
  for (let next = index + 1; next <= last; next++) {
    const code = text.charCodeAt(next)
    if (code === 10) return true
    if (!isSpace(code)) return false
  }
  return false
}

function hashWord(word: string): number {
  let hash = 0
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), PRIME)
  return hash
}

const LOWER = new Uint8Array(0x10000)
for (let code = 97; code <= 122; code++) LOWER[code] = LOWER[code - 32] = code

const STOP = 1
const CLOSING = 2
const NEWLINE = 3
const KINDS = new Uint8Array(0x10000)
for (const stop of '.!?') KINDS[stop.charCodeAt(0)] = STOP
for (const mark of `"')]`) KINDS[mark.charCodeAt(0)] = CLOSING
KINDS[10] = NEWLINE

const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)))
