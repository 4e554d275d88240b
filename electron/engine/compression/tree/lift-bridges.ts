import { isTitle } from './field-names.ts'
import { labelOf, leavesOf, lengthOf, pathOf } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, parentOf, valueOf } from '../../text/tree/json-document.ts'
import type { Scoring } from './scoring.ts'

const SEEDS = 3
const SEED_SHARE = 0.4
const WEIGHT = 0.7
const PARTIAL = 0.7
const LONGEST_TITLE = 80
const LONGEST_TEXT = 6000
const LETTER = /[\p{L}\p{N}]/u

/**
 * Two-hop questions: raises a record whose title occurs in one of the best records, because the answer is often there
 * ("the hotel's river": one record names the hotel, the hotel's own record the river).
 */
export function liftBridges({ leaves, recordScores, values }: Scoring): void {
  if (leaves.records.length < 3) return
  const ranked = [...recordScores].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  const best = ranked[0]?.[1] ?? 0
  const seeds = ranked.slice(0, SEEDS).filter(([, score]) => score > SEED_SHARE * best)
  if (seeds.length === 0) return

  const titles = new Map<number, string>()
  const uses = new Map<string, number>()
  for (const record of leaves.records) {
    const title = titleOf(leaves, record)
    if (title.length < 4) continue
    titles.set(record, title)
    uses.set(title, (uses.get(title) ?? 0) + 1)
  }
  const lifts = new Map<number, number>()
  const read = seeds.map(([seed, score]) => ({ seed, score, text: textOf(leaves, seed) }))
  for (const [record, title] of titles) {
    if ((uses.get(title) ?? 0) > 1) continue
    const first = firstWord(title)
    for (const { seed, score, text } of read) {
      if (record === seed || !hasWord(text, first)) continue
      const lift = WEIGHT * score * mentions(text, title)
      if (lift > (lifts.get(record) ?? 0)) lifts.set(record, lift)
    }
  }
  for (const [record, lift] of lifts) {
    const [first, end] = leavesOf(leaves, record)
    for (let leaf = first; leaf < end; leaf++) values[leaf]! += lift
  }
}

function hasWord(text: string, word: string): boolean {
  if (word === '') return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetterAt(text, at - 1) && !isLetterAt(text, at + word.length)) return true
  return false
}

function isLetterAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false
  const code = text.charCodeAt(at)
  if (code < 128)
    return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
  const isLow = code >= 0xdc00 && code <= 0xdfff
  return LETTER.test(String.fromCodePoint(text.codePointAt(isLow ? at - 1 : at) ?? code))
}

const firstWord = (title: string): string =>
  PLAIN_FIRST.exec(title)?.[1] ?? /[\p{L}\p{N}]+/u.exec(title)?.[0] ?? ''

/** Most titles; V8 matches Unicode classes slowly. */
const PLAIN_FIRST = /^([a-z0-9]+)(?:$|[ ,.:;-])/

/** Lower-case, without a trailing "(film)". */
function clean(title: string): string {
  const lower = title.toLowerCase()
  return (lower.endsWith(')') ? lower.replace(/\s*\([^)]*\)$/, '') : lower).trim()
}

function titleOf(leaves: JsonLeaves, record: number): string {
  const [first, end] = leavesOf(leaves, record)
  for (let leaf = first; leaf < end; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    if (parentOf(leaves.document, node) !== record || kindOf(leaves.document, node) !== NODE.string) continue
    if (isTitle(labelOf(leaves, pathOf(leaves, leaf))) && lengthOf(leaves, leaf) < LONGEST_TITLE)
      return clean(valueOf(leaves.document, node))
  }
  return ''
}

function textOf(leaves: JsonLeaves, record: number): string {
  const [first, end] = leavesOf(leaves, record)
  let text = ''
  for (let leaf = first; leaf < end && text.length < LONGEST_TEXT; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    if (kindOf(leaves.document, node) === NODE.string) text += ` ${valueOf(leaves.document, node)}`
  }
  return text.toLowerCase()
}

/** 1 for the whole title, less for its first and last word close together ("Carter … Williams"), otherwise 0. */
function mentions(text: string, title: string): number {
  if (text.includes(title)) return 1
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const first = words[0]
  const last = words.at(-1)
  if (words.length < 2 || first === undefined || last === undefined) return 0
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const window = text.slice(at + first.length, at + first.length + 26 + last.length)
    const next = window.indexOf(last)
    if (next > 0 && !window.slice(0, next).includes('.')) return PARTIAL
  }
  return 0
}
