import { foldWord } from '../../text/words/char-classes.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'
import { stemOf } from '../../text/words/stem.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { type Goal, parseGoal } from './goal.ts'
import { softenDenied, unquoted } from './soften-denied.ts'

const UN = /\bun-?(\p{L}{4,}|set|met)\b/giu
/** Letters of a stem that related words share at the least: "resolved", "resolution". */
const LEAST_SHARED = 5

/** A goal as it is to be understood of this text. */
export function goalFor(goal: string, { document, pathNames }: JsonLeaves): Goal {
  const names = (): string[] => [...new Set(pathNames.filter((name) => name !== undefined))]
  return softenDenied(parseGoal(spellOutLack(goal, document.text, names)), document.text)
}

/** "Unassigned", where the text has a field "assignee": "no assignee"; where it only has a state "assigned": "not assigned". */
export function spellOutLack(goal: string, text: string, names: () => Iterable<string>): string {
  let out = goal
  let words: Set<string> | undefined
  for (const [whole, rest = ''] of unquoted(goal).matchAll(UN)) {
    if (new RegExp(`(?<!\\p{L})${whole}(?!\\p{L})`, 'iu').test(text)) continue
    words ??= new Set(
      [...names()].flatMap((name) => wordsOf(name).flatMap((word) => [word, ...partsOf(word)])),
    )
    const name = nameLike(foldWord(rest), words)
    if (name !== undefined) out = out.replace(whole, `no ${name}`)
    else if (new RegExp(`(?<!\\p{L})${rest}(?!\\p{L})`, 'iu').test(text))
      out = out.replace(whole, `not ${rest}`)
  }
  return out
}

/** The same word before one that only begins like it. */
function nameLike(word: string, names: Iterable<string>): string | undefined {
  const stem = stemOf(word)
  const beginning = stem.length > LEAST_SHARED ? stem.slice(0, -1) : undefined
  let like: string | undefined
  for (const name of names) {
    const folded = foldWord(name)
    if (folded === word || stemOf(folded) === stem) return name
    if (beginning !== undefined && folded.startsWith(beginning)) like ??= name
  }
  return like
}
