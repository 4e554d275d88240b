import { bm25, type Scorable } from '../../text/words/bm25.ts'
import { isEncodedText } from '../../text/words/encoded-text.ts'
import { addCounts, countTerms, type TermCounts } from '../../text/words/count-terms.ts'
import type { Goal } from './goal.ts'
import type { AskedType } from './intent.ts'
import type { DocumentUnit, DocumentUnits } from '../../text/blocks/make-units.ts'
import { quotedRepeats } from '../../text/blocks/quotes.ts'
import { scoreTables } from './score-tables.ts'
import { WEIGHTS } from './weights.ts'

/** What a value of the asked type looks like; a number also as a Chinese numeral with its unit. */
const SHAPES: readonly (readonly [AskedType, RegExp])[] = [
  ['number', /\d|[一二三四五六七八九十百千万億亿両两数半]+ ?[個个人名年月日天時时分秒次回種种台号番度倍枚]/],
  ['date', /\b\d{4}\b|\d{1,2}[:/.]\d{2}/],
  ['version', /\d\.\d/],
  ['path', /[\w~.]\/\w|\w\.[a-z]{2,4}\b/],
  ['address', /:\/\/|\b\d{1,3}(?:\.\d{1,3}){3}\b|\w\/\w|:\d{2,5}\b/],
  ['default', /\bdefault|[=:] ?\S/i],
]

const showsAskedType = (text: string, { askedTypes }: Goal): boolean =>
  SHAPES.some(([type, shape]) => askedTypes.has(type) && shape.test(text))

/** Earlier units win ties. */
const ORDER = 1e-3

/** Value of each unit for a goal: its own words, its paragraph or table, its neighbours, and data questions. */
export function scoreUnits(document: DocumentUnits, goal: Goal): Float64Array {
  const { units, tables } = document
  const quoted = new Set(quotedRepeats(units.map(({ text }) => text)))
  for (const [i, { text }] of units.entries()) if (isEncodedText(text)) quoted.add(i)
  const counted = units.map((unit, i) => (quoted.has(i) ? NOTHING : countTerms(unit.text, goal)))
  const scorable = withContext(units, counted)
  const own = bm25(scorable, goal, { b: WEIGHTS.lengthPenalty, contextWeight: WEIGHTS.context }).scores
  const values = Float64Array.from(own)

  addParagraphScores(units, scorable, goal, values)
  const sequel = scoreTables(tables, scorable, own, goal)
  units.forEach((unit, i) => {
    const isPart = unit.role === 'sentence' || unit.role === 'row' || unit.role === 'header'
    if (isPart && unit.isBranch !== true) values[i] = at(values, i) + at(sequel, i)
    if (unit.role === 'heading' || unit.role === 'caption') values[i] = at(values, i) * WEIGHTS.heading
    if (unit.role === 'header') values[i] = at(values, i) * WEIGHTS.header
    if (isPart && goal.askedTypes.size > 0 && showsAskedType(unit.text, goal))
      values[i] = at(values, i) * WEIGHTS.asked
    if (unit.isAside) values[i] = at(values, i) * WEIGHTS.aside
    values[i] = at(values, i) + (unit.isAside ? 0 : ORDER) * (1 - i / units.length)
  })
  addAround(units, own, values)
  addSequels(units, own, values)
  addExamples(units, own, values)
  fadeRepeats(units, values, goal.order === undefined ? ALIKE : 1)
  units.forEach(({ isMeta }, i) => {
    if (isMeta === true) values[i] = WEIGHTS.meta * at(own, i)
  })
  for (const i of quoted) values[i] = at(values, i) * QUOTED
  return values
}

/** What a quotation repeats is found where it was written; bytes of files have words of the goal by chance. */
const NOTHING: TermCounts = { counts: undefined, length: 1, pairs: 0 }
const QUOTED = 1e-4

/** Of a line that says what a heading does, as a table of contents has it, and of a sentence that is shown already. */
const REPEATED = 0.2
/** Of each further sentence that differs in numbers only, which an order is found among. */
const ALIKE = 0.75
const LONGEST_TITLE = 120
const LEAST_REPEATED = 30

function fadeRepeats(units: readonly DocumentUnit[], values: Float64Array, alikeShare: number): void {
  const titles = new Set(units.flatMap(({ role, text }) => (role === 'heading' ? [titleOf(text)] : [])))
  const alike = new Map<string, number[]>()
  for (let i = 0; i < units.length; i++) {
    const { role, text, isState } = units[i]!
    if (role !== 'sentence' || isState === true || at(values, i) <= 0) continue
    if (titles.size > 0 && listsTitles(text, titles)) values[i] = at(values, i) * REPEATED
    else if (text.length >= LEAST_REPEATED) {
      const form = text.replace(/\d+/g, '0')
      const known = alike.get(form)
      if (known === undefined) alike.set(form, [i])
      else known.push(i)
    }
  }
  for (const group of alike.values()) {
    if (group.length === 1) continue
    const seen = new Set<string>()
    let fade = 1
    for (const i of group.sort((a, b) => at(values, b) - at(values, a))) {
      const { text } = units[i]!
      values[i] = at(values, i) * (seen.has(text) ? REPEATED : fade)
      seen.add(text)
      fade *= alikeShare
    }
  }
}

/** A line, or a piece of a table of contents. */
function listsTitles(text: string, titles: ReadonlySet<string>): boolean {
  const lines = text.split('\n', MOST_TITLES)
  const listed = lines.filter((line) => line.length < LONGEST_TITLE && titles.has(titleOf(line))).length
  return listed > 0 && listed >= lines.length - 2 && (lines.length === 1 || listed > 1)
}

const MOST_TITLES = 60

/** Words of a heading, without its signs, or of a link to it. */
const titleOf = (text: string): string =>
  text
    .replace(/^[\s#*+-]+|[\s#¶]+$|\{[^}]*\}/g, '')
    .replace(/^\[([^\]]*)\]\([^)]*\)$/, '$1')
    .toLowerCase()

/** The next text under the best match's heading is likely the answer. */
function addSequels(units: readonly DocumentUnit[], own: Float64Array, values: Float64Array): void {
  let best = 0
  for (let i = 0; i < units.length; i++) if (isText(units[i])) best = Math.max(best, at(own, i))
  if (best === 0) return
  const seeds = units.flatMap((unit, i) => (isText(unit) && at(own, i) >= best * SEED_SHARE ? [i] : []))
  if (seeds.length > MOST_SEEDS) return
  for (const seed of seeds) {
    let sequel = WEIGHTS.sequel * at(own, seed)
    for (let i = seed + 1; i <= seed + SEQUELS && isText(units[i]); i++) {
      if (at(own, i) < best / 2) values[i] = at(values, i) + sequel
      sequel *= WEIGHTS.sequelDecay
    }
  }
}

/** Several matches close together are the place that is asked about. */
function addAround(units: readonly DocumentUnit[], own: Float64Array, values: Float64Array): void {
  for (let i = 0; i < units.length; i++) {
    if (!isText(units[i])) continue
    for (const step of [-1, 1])
      for (let far = 1; far <= AROUND && isText(units[i + step * far]); far++)
        values[i] = at(values, i) + WEIGHTS.around * at(own, i + step * far) * (1 - far / (AROUND + 1))
  }
}
const AROUND = 4

/** Text directly before an example or a list describes its start. */
function addExamples(units: readonly DocumentUnit[], own: Float64Array, values: Float64Array): void {
  for (let i = 1; i < units.length; i++) {
    const before = units[i - 1]
    if (!isText(before) || !isText(units[i]) || before?.isCode === true) continue
    const isExample = units[i]?.isCode === true
    if (!isExample && !INTRODUCES.test(before?.text ?? '')) continue
    const isSamePassage = units[i - 2]?.group === units[i - 1]?.group
    const introduced = Math.max(at(own, i - 1), isSamePassage ? at(own, i - 2) : 0)
    for (
      let k = 0;
      k < WEIGHTS.example.length && units[i + k]?.isCode === isExample && isText(units[i + k]);
      k++
    )
      values[i + k] = at(values, i + k) + (WEIGHTS.example[k] ?? 0) * introduced
  }
}

const INTRODUCES = /[:\uff1a]\s*$/

/** Most places with nearly equal fit; more identify none. */
const MOST_SEEDS = 3
const SEED_SHARE = 0.8
const SEQUELS = 8

const isText = (unit: DocumentUnit | undefined): boolean => unit?.role === 'sentence' && !unit.isAside

const at = (list: Float64Array, i: number): number => list[i] ?? 0

/** Adds companions' counts, computed once per shared list. */
function withContext(units: readonly DocumentUnit[], counted: readonly TermCounts[]): Scorable[] {
  let needs: readonly number[] | undefined
  let context: number[] | undefined
  return counted.map(({ counts, length, pairs }, i) => {
    if (units[i]?.isBranch === true) return { counts, length, pairs }
    if (units[i]?.needs !== needs) {
      needs = units[i]?.needs
      context = undefined
      for (const need of needs ?? []) context = addCounts(context, counted[need]?.counts)
    }
    return { counts, length, pairs, context }
  })
}

function addParagraphScores(
  units: readonly DocumentUnit[],
  scorable: readonly Scorable[],
  goal: Goal,
  values: Float64Array,
): void {
  const paragraphs: { first: number; end: number; scorable: Scorable }[] = []
  for (let first = 0; first < units.length;) {
    const group = units[first]?.group
    let end = first
    let counts: number[] | undefined
    let length = 0
    let pairs = 0
    for (; units[end]?.group === group; end++) {
      counts = addCounts(counts, scorable[end]?.counts)
      length += scorable[end]?.length ?? 0
      pairs += scorable[end]?.pairs ?? 0
    }
    const context = scorable[first]?.context
    if (units[first]?.role === 'sentence')
      paragraphs.push({ first, end, scorable: { counts, length, pairs, context } })
    first = end
  }
  const { scores } = bm25(
    paragraphs.map((paragraph) => paragraph.scorable),
    goal,
    { b: WEIGHTS.lengthPenalty, contextWeight: WEIGHTS.paragraphContext },
  )
  for (const [p, { first, end }] of paragraphs.entries()) {
    const share = units[first]?.isCode === true ? WEIGHTS.code : WEIGHTS.paragraph
    for (let i = first; i < end; i++) values[i] = at(values, i) + share * at(scores, p)
  }
}
