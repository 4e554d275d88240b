import type { Finding, FindingKind } from '../detector.ts'
import { LONG_RUN, SELECTORS_OF_DATA } from '../hidden-places.ts'
import {
  INVISIBLE,
  hasRtlLetter,
  invisibleWidth,
  isLawful,
  isScopeCharacter,
  unlawfulScopes,
} from '../invisible-characters.ts'
import { latinLookAlike } from '../look-alikes.ts'
import { INVISIBLE_PAIR, INVISIBLE_UNIT, LOOK_ALIKE, traitsOf } from '../text-traits.ts'

interface HiddenText {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface HiddenCharacters {
  readonly findings: readonly Omit<Finding, 'detector'>[]
  /** Decoded from invisible characters. */
  readonly messages: readonly HiddenText[]
}

interface Tally {
  count: number
  first: number
  last: number
}

/** More single places add nothing. */
const MOST_PLACES = 20_000

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `strict`: for definitions. */
export function findHiddenCharacters(
  text: string,
  strict: boolean,
  traits = traitsOf(text),
): HiddenCharacters {
  const findings: Omit<Finding, 'detector'>[] = []
  const messages: HiddenText[] = []
  // The count differs between views of the same text; the rule doesn't.
  const reportAll = (
    kind: FindingKind,
    rule: string,
    score: number,
    { first, last }: Tally,
    reason: string,
  ): void => {
    findings.push({ kind, rule, score, start: first, end: last, reason })
  }
  const report = (kind: FindingKind, score: number, start: number, end: number, reason: string): void => {
    findings.push({ kind, score, start, end, reason })
  }

  if (mayHoldInvisible(text, traits)) {
    const found = collectInvisible(text)
    for (const message of found.tagTexts) {
      messages.push(message)
      const letters = message.text.replace(/[^a-z]/gi, '').length
      report(
        'hidden-tag-text',
        letters >= 4 ? 0.95 : 0.5,
        message.start,
        message.end,
        `hides a text in Unicode tag characters: "${message.text.slice(0, 120)}"`,
      )
    }
    for (const message of found.selectorTexts) {
      messages.push(message)
      report(
        'invisible-characters',
        0.85,
        message.start,
        message.end,
        `hides bytes in variation selectors: "${message.text.slice(0, 120)}"`,
      )
    }
    const { scopes, longRuns, inWords, others } = found
    if (scopes.count > 0)
      reportAll(
        'bidirectional-override',
        'turned',
        strict ? 0.8 : 0.35,
        scopes,
        `changes the direction of the text in ${counted(scopes.count, 'place')}, so that it reads differently than it is`,
      )
    if (longRuns.count > 0)
      reportAll(
        'invisible-characters',
        'long runs',
        strict ? 0.9 : 0.6,
        longRuns,
        'holds a long run of invisible characters, which can carry a message',
      )
    if (inWords.count > 0)
      reportAll(
        'invisible-characters',
        'within words',
        strict ? 0.6 : Math.min(0.3, 0.05 * inWords.count),
        inWords,
        `holds ${counted(inWords.count, 'invisible character')} within ${inWords.count === 1 ? 'a word' : 'words'}`,
      )
    else if (strict && others.count > 0)
      reportAll(
        'invisible-characters',
        'anywhere',
        0.3,
        others,
        `holds ${counted(others.count, 'invisible character')}`,
      )
  }

  const mixed = (traits & LOOK_ALIKE) === 0 ? tally() : mixedWords(text)
  if (mixed.count > 0)
    reportAll(
      'homoglyphs',
      'mixed words',
      strict ? 0.6 : Math.min(0.3, 0.1 * mixed.count),
      mixed,
      `mixes letters of other scripts into ${counted(mixed.count, 'Latin word')}`,
    )
  return { findings, messages }
}

const mayHoldInvisible = (text: string, traits: number): boolean =>
  (traits & INVISIBLE_UNIT) !== 0 || ((traits & INVISIBLE_PAIR) !== 0 && INVISIBLE.test(text))

function collectInvisible(text: string) {
  const scopes = tally()
  const longRuns = tally()
  const inWords = tally()
  const others = tally()
  const tagTexts: HiddenText[] = []
  const selectorTexts: HiddenText[] = []
  const next = new RegExp(INVISIBLE.source, 'g')
  let line: Line = { start: 0, end: -1, rtl: false, scopes: new Uint8Array() }
  let places = 0
  for (let found = next.exec(text); found && places < MOST_PLACES; found = next.exec(text), places++) {
    const start = found.index
    if (start > line.end) line = readLine(text, start)
    let end = start
    let unlawful = 0
    let tags = ''
    const bytes: number[] = []
    for (let width = invisibleWidth(text, end); width > 0; width = invisibleWidth(text, end)) {
      const code = text.codePointAt(end) ?? 0
      if (isScopeCharacter(code)) {
        if (line.scopes[end - line.start] === 1) add(scopes, end, end + 1)
      } else if (!isLawful(text, end, () => line.rtl)) {
        unlawful++
        if (code >= 0xe0020 && code < 0xe007f) tags += String.fromCharCode(code - 0xe0000)
        const byte = selectorByte(code)
        if (byte !== undefined) bytes.push(byte)
      }
      end += width
    }
    next.lastIndex = end
    if (tags !== '') tagTexts.push({ text: tags, start, end })
    else if (bytes.length >= SELECTORS_OF_DATA) selectorTexts.push({ text: readable(bytes), start, end })
    else if (unlawful >= LONG_RUN) add(longRuns, start, end)
    else if (unlawful > 0) add(isWithinWord(text, start, end) ? inWords : others, start, end)
  }
  return { scopes, longRuns, inWords, others, tagTexts, selectorTexts }
}

interface Line {
  readonly start: number
  readonly end: number
  readonly rtl: boolean
  readonly scopes: Uint8Array
}

function readLine(text: string, index: number): Line {
  const start = text.lastIndexOf('\n', Math.max(0, index - 1)) + 1
  const next = text.indexOf('\n', index)
  const end = next === -1 ? text.length : next
  const line = text.slice(start, end)
  return { start, end, rtl: hasRtlLetter(line), scopes: unlawfulScopes(line) }
}

/** Variation selectors 1-256 can smuggle bytes behind an emoji. */
function selectorByte(code: number): number | undefined {
  if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00
  return code >= 0xe0100 && code <= 0xe01ef ? code - 0xe0100 + 16 : undefined
}

const readable = (bytes: readonly number[]): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/[^\x20-\x7e]/g, '·')

const isWithinWord = (text: string, start: number, end: number): boolean =>
  /[a-z]/i.test(text.charAt(start - 1)) && /[a-z]/i.test(text.charAt(end)) && text.charCodeAt(start) !== 0xad

const MIXED =
  /[a-z][\u0370-\u03ff\u0400-\u052f\u0531-\u0587]|[\u0370-\u03ff\u0400-\u052f\u0531-\u0587][a-z]/gi

/** Words mixing look-alikes with Latin letters; formulas such as "σx" or "µm" have no such pair. */
function mixedWords(text: string): Tally {
  const mixed = tally()
  for (const found of text.matchAll(MIXED)) {
    if (mixed.count >= 100) break
    const word = wordAround(text, found.index)
    const foreign = Array.from(word.text).filter(
      (character) => latinLookAlike(character) !== undefined,
    ).length
    const latin = word.text.replace(/[^a-z]/gi, '').length
    if (foreign > 0 && latin >= 2 && foreign + latin >= 4 && foreign + latin === word.text.length)
      add(mixed, word.start, word.end)
  }
  return mixed
}

const LETTER = /\p{L}/u
const LONGEST_WORD = 40

function wordAround(text: string, index: number): HiddenText {
  let start = index
  let end = index
  while (start > 0 && index - start < LONGEST_WORD && LETTER.test(text.charAt(start - 1))) start--
  while (end < text.length && end - index < LONGEST_WORD && LETTER.test(text.charAt(end))) end++
  return { text: text.slice(start, end), start, end }
}

const tally = (): Tally => ({ count: 0, first: 0, last: 0 })

function add(to: Tally, start: number, end: number): void {
  if (to.count === 0) to.first = start
  to.count++
  to.last = end
}
