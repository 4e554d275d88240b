import type { FindingKind } from '../detector.ts'

/**
 * A rule about wording. It is tried only where one of its cue words stands, and every pattern looks at a bounded piece
 * of text once, so that the time for a text grows with its length whatever the text is.
 */
export interface PhraseRule {
  readonly kind: FindingKind
  /** Completes "This text …". */
  readonly reason: string
  /** How sure a match alone makes us that a result is an attack. */
  readonly score: number
  /** The same for a definition, where instructions to the model are normal; `score` if left out. */
  readonly definitionScore?: number
  /** Words of lower-case ASCII letters. */
  readonly cues: readonly string[]
  /** Must match in the text right before the cue; write it so that it ends with $. */
  readonly before?: RegExp
  /** Each must match after the one before it, beginning at most `within` characters further on. */
  readonly followedBy?: readonly { readonly within: number; readonly pattern: RegExp }[]
  /** Looked for in the matched text and the next 12 characters; if found, there is no match. */
  readonly unless?: RegExp
  /** The patterns may stand in the next sentence. */
  readonly acrossSentences?: boolean
}

export interface PhraseMatch {
  readonly rule: PhraseRule
  readonly start: number
  readonly end: number
}

/** Longest stretch that one pattern may match. */
const LONGEST_MATCH = 80
const LOOK_BACK = 24
/** An exception may show in the next word or two. */
const LOOK_AHEAD = 12
/** More of the same rule tells nothing new. */
const MATCHES_PER_RULE = 8
const SENTENCE_END = /[.!?](?=["')\]]{0,2}(?:\s|$))|\n\s{0,20}\n/

const PRIME = 0x01000193

export interface PhraseMatcher {
  match(text: string): PhraseMatch[]
}

export function createPhraseMatcher(rules: readonly PhraseRule[]): PhraseMatcher {
  const byHash = new Map<number, PhraseRule[]>()
  for (const rule of rules) {
    for (const cue of rule.cues) {
      const hash = hashWord(cue)
      byHash.set(hash, [...(byHash.get(hash) ?? []), rule])
    }
  }

  return {
    match: (text) => {
      const matches: PhraseMatch[] = []
      const counts = new Map<PhraseRule, number>()
      const doneUntil = new Map<PhraseRule, number>()

      const tryRules = (candidates: readonly PhraseRule[], start: number, end: number): void => {
        const word = text.slice(start, end).toLowerCase()
        for (const rule of candidates) {
          const count = counts.get(rule) ?? 0
          if (count >= MATCHES_PER_RULE || start < (doneUntil.get(rule) ?? 0)) continue
          if (!rule.cues.includes(word)) continue
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
        const letter = i < text.length ? lowerLetter(text.charCodeAt(i)) : 0
        if (letter !== 0) {
          if (start === -1) start = i
          hash = Math.imul(hash ^ letter, PRIME)
        } else if (start !== -1) {
          const candidates = byHash.get(hash)
          if (candidates) tryRules(candidates, start, i)
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
  const limit = rule.acrossSentences ? after.length : endOfSentence(after)
  let at = 0
  for (const { within, pattern } of parts) {
    const found = pattern.exec(after.slice(at, Math.min(at + within + LONGEST_MATCH, limit)))
    if (!found || found.index > within) return undefined
    at += found.index + found[0].length
  }
  const end = cueEnd + at
  if (rule.unless?.test(text.slice(start, end + LOOK_AHEAD))) return undefined
  return { rule, start, end }
}

function endOfSentence(after: string): number {
  const found = SENTENCE_END.exec(after)
  return found ? found.index + 1 : after.length
}

function hashWord(word: string): number {
  let hash = 0
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), PRIME)
  return hash
}

/** The lower-case code of an ASCII letter, 0 for everything else. */
function lowerLetter(code: number): number {
  if (code >= 97 && code <= 122) return code
  return code >= 65 && code <= 90 ? code + 32 : 0
}
