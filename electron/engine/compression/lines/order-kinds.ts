import { encodedRuns } from './encoded-runs.ts'
import type { PrintedLine, Spending } from './fill-budget.ts'
import type { LineKind } from './line-kind.ts'
import type { LinePrinter } from './print-line.ts'
import { oddLines } from './odd-lines.ts'
import { namesPlace } from './names-place.ts'
import { linesByKind, type ReadKinds } from './read-kinds.ts'
import { parentIn, type Sections } from './sections.ts'
import { FAILING } from './severity.ts'

const WEIGHTS = { severity: 0.6, any: 0.3, last: 0.3, continuation: -0.25 } as const
const COST_EXPONENT = 0.7
const SHORTEST = 20
const LONGEST = 200
const LONGEST_FAILING = 220
const LAST_LINES = 12
const HAS_WORDS = /\p{L}{2}/u
/** What a line loses for each line that it is below: heads say what the lines below them are about. */
const BELOW = 0.25
const DEEPEST = 3
/** Rules and carets say nothing. */
const SAYS = /[\p{L}\p{N}]/u
/** Where less than this share of a line's words is what its kind shares, the line is printed itself. */
const LEAST_SHARED = 0.5
const countWords = (text: string): number => text.match(WORD)?.length ?? 0
const WORD = /(?<![\p{L}\p{N}])\p{L}{2,}(?![\p{L}\p{N}])/gu
const IMPORTANT = 0.5
/** Share of the tokens for the sections' first lines, where there are sections. */
const OF_SECTIONS = 0.4
/** Share of the tokens for lines with a number where others of their kind have 0. */
const OF_ODD = 0.15
const FURTHER = 6
/** So few failing lines of one kind are printed each where they are short: what they share tells not which failed. */
const FEW_FAILING = 4
const SHORT_FAILING = 70
const GAP = '…'

/**
 * Without a goal: a line of each kind, failing ones first, what all lines of a frequent kind share in place of a line;
 * then what follows failing lines, their further lines, the last lines, whole lines in place of shared parts. A line that
 * isn't counted in the whole text brings what it is below.
 */
export function* orderKinds(
  read: ReadKinds,
  printer: LinePrinter,
  sections: Sections | undefined,
  spending: Spending,
): Generator<PrintedLine> {
  const printed = new Map<number, PrintedLine>()
  for (const each of orderAlone(read, printer, sections, spending)) {
    const parent = each.represents?.isSpread === true ? -1 : parentIn(read, sections, each.line)
    const { represents } = printed.get(parent) ?? {}
    if (parent >= 0 && (represents?.isShared === true || !printed.has(parent))) {
      const text = printer.brief(parent, LONGEST)
      const named = represents && { ...represents, isEqual: false, isShared: false }
      const above = { line: parent, text, ...(named && { represents: named }) }
      printed.set(parent, above)
      yield above
    }
    printed.set(each.line, each)
    yield each
  }
}

function* orderAlone(
  read: ReadKinds,
  printer: LinePrinter,
  sections: Sections | undefined,
  spending: Spending,
): Generator<PrintedLine> {
  const { kinds, lines } = read
  const linesOf = linesByKind(read)
  const counting = (line: number, text: string, kind: AlikeKind, isShared = false): PrintedLine => {
    if (kind.count === 1) return { line, text }
    // A prefix that is printed may be this line's alone.
    const isEqual = kind.isVaried
      ? isShared &&
        kind.members.every((each) => linesOf.get(each)?.every((one) => printer.fits(one, text)) === true)
      : isShared || text.trim() === printer.shared(kind).trim()
    const own = kind.members.flatMap((each) => linesOf.get(each) ?? [])
    // Lines of other kinds may be such a text, too: it has gaps.
    const others = isEqual && text.includes(GAP) ? linesMatching(text, kind.members) : []
    const all = new Set([...own, ...others])
    const below = parentIn(read, sections, line)
    const isSpread = [...all].some((one) => parentIn(read, sections, one) !== below)
    const represents = { lines: all.size, has: (each: number) => all.has(each), isEqual, isSpread }
    return { line, text, represents: { ...represents, isShared: isShared && text.includes(GAP) } }
  }
  const linesMatching = (text: string, without: readonly number[]): number[] => {
    const matches = printer.matching(text)
    return kinds.flatMap(({ samples }, index) =>
      samples.some(matches) && !without.includes(index) ? (linesOf.get(index)?.filter(matches) ?? []) : [],
    )
  }
  // Kinds that differ in a masked part only are one to a reader.
  const byText = new Map<string, AlikeKind>()
  for (const [index, kind] of kinds.entries()) {
    const text = printer.shared(kind)
    const known = byText.get(text)
    if (known === undefined) byText.set(text, { ...kind, members: [index] })
    else {
      known.members.push(index)
      byText.set(text, { ...known, count: known.count + kind.count, last: kind.last, isVaried: true })
    }
  }
  const richestOf = (all: readonly number[]): string =>
    all
      .map((line) => printer.brief(line, LONGEST))
      .reduce((best, text) => (countWords(text) > countWords(best) ? text : best))
  const encoded = encodedRuns(read)
  const areLines = [...byText.keys()].some((text) => SAYS.test(text))
  const ranked = fadeAlike(
    [...byText].flatMap(([text, kind]) => {
      if (!areLines || encoded.has(kind.first)) return []
      const own = richestOf(kind.isVaried ? kind.samples : [kind.first])
      return SAYS.test(text) || HAS_WORDS.test(own) ? [rankedOf(read, kind, text, own)] : []
    }),
  )
  // Each line of a failing kind may be at another place.
  const errors = new Map([...linesOf].filter(([kind]) => (kinds[kind]?.severity ?? 0) >= FAILING))
  const taken = new Set<number>()
  // Half of the tokens by importance, half for as many kinds as fit.
  const shortest = ranked.toSorted((a, b) => a.length - b.length || a.kind.first - b.kind.first)
  let forImportant = 0
  let forSections = 0
  const openers = new Set(sectionLines(read, sections))
  const places = openers.values()
  const odds = oddOf(read, linesOf, ranked)
  let forOdd = 0
  const whole = (line: number): PrintedLine => {
    taken.add(line)
    return { line, text: printer.hit(line) }
  }
  const further = function* (line: number): Generator<PrintedLine> {
    if (line < 0 || line >= lines.count || taken.has(line)) return
    taken.add(line)
    const text = printer.brief(line, LONGEST_FAILING)
    if (SAYS.test(text)) yield { line, text }
  }
  // What a text is of and how it ended, said once.
  for (const line of ranked.length > 0 ? [endOf(read, 1), endOf(read, -1)] : [])
    if ((kinds[read.kindOf(line)]?.count ?? 0) === 1) yield* further(line)
  for (let a = 0, b = 0; a < ranked.length && b < ranked.length;) {
    const section = forSections <= spending.tokens * OF_SECTIONS ? places.next() : undefined
    if (section?.done === false) {
      const before = spending.tokens
      yield whole(section.value)
      forSections += spending.tokens - before
      continue
    }
    const odd = forOdd < spending.tokens * OF_ODD ? odds.next() : undefined
    if (odd?.done === false) {
      const before = spending.tokens
      yield* further(odd.value)
      forOdd += spending.tokens - before
      continue
    }
    const isImportant = forImportant <= spending.tokens * IMPORTANT
    const next = isImportant ? ranked[a++] : shortest[b++]
    if (next === undefined) continue
    const line = worstLine(read, next.kind)
    if (taken.has(line)) continue
    const before = spending.tokens
    const { kind, text } = next
    const each = isFewFailing(next) ? errors.get(read.kindOf(line)) : undefined
    for (const failing of each ?? []) yield* further(failing)
    const isShared = kind.count > 1 && text !== ''
    const shown = isShared ? printer.indentOf(line) + text : printer.brief(line, LONGEST)
    if (!taken.has(line)) yield counting(line, shown, kind, isShared)
    taken.add(line)
    if (isImportant) forImportant += spending.tokens - before
  }
  const failing = ranked.filter(({ kind }) => kind.severity >= 1)
  for (const { kind } of failing) {
    const line = worstLine(read, kind)
    yield counting(line, kind.count > 1 ? printer.hit(line) : printer.dated(line), kind)
  }
  for (const places of [...errors.values()].filter(({ length }) => length <= FURTHER))
    for (const line of places) {
      yield* further(line)
      // rustc and others write the place on a line of its own.
      const next = line + 1 < lines.count ? printer.hit(line + 1) : ''
      if (namesPlace(next) && !namesPlace(printer.hit(line))) yield* further(line + 1)
    }
  for (const line of places) if (!taken.has(line)) yield whole(line)
  for (const { kind } of ranked)
    if (kind.severity < 1 && !openers.has(kind.first))
      yield counting(kind.first, printer.brief(kind.first, LONGEST), kind)
  yield* spread(read, linesOf, ranked, further)
}

/** Kind by kind, the best first. */
function* oddOf(
  read: ReadKinds,
  linesOf: ReadonlyMap<number, readonly number[]>,
  ranked: readonly RankedKind[],
): Generator<number> {
  for (const { kind } of ranked)
    if (kind.isVaried) yield* oddLines(read, linesOf.get(read.kindOf(kind.first)) ?? [])
}

/** What room is left for: more lines of every kind in turn, each kind's spread over the text. */
function* spread(
  read: ReadKinds,
  linesOf: ReadonlyMap<number, readonly number[]>,
  ranked: readonly RankedKind[],
  further: (line: number) => Generator<PrintedLine>,
): Generator<PrintedLine> {
  const turns = ranked.map(({ kind }) => linesOf.get(read.kindOf(kind.first)) ?? [])
  for (let parts = 2; turns.some(({ length }) => length > parts / 2); parts *= 2)
    for (const own of turns)
      for (let part = 1; part < parts; part += 2) {
        const line = own[Math.floor((part * own.length) / parts)]
        if (line !== undefined) yield* further(line)
      }
}

/** The first or last line that is not blank. */
function endOf({ lines }: ReadKinds, step: 1 | -1): number {
  const isBlank = (line: number): boolean =>
    lines.text.slice(lines.start(line), lines.end(line)).trim() === ''
  let line = step > 0 ? 0 : lines.count - 1
  while (line >= 0 && line < lines.count && isBlank(line)) line += step
  return line
}

/** Where sections begin, and what the first line behind their headings says: a commit and its subject. */
function* sectionLines(read: ReadKinds, sections: Sections | undefined): Generator<number> {
  if (sections === undefined) return
  let last = -1
  for (let line = 0; line < read.lines.count; line++) {
    const opener = sections.openerOf(line)
    if (opener < 0 || opener === last) continue
    last = opener
    yield opener
    const subject = opener + sections.headingOf(opener).length
    if (sections.openerOf(subject) === opener && read.lines.opensParagraph(subject)) yield subject
  }
}

function worstLine(read: ReadKinds, kind: LineKind): number {
  if (kind.severity === 0) return kind.first
  let worst = kind.first
  for (const line of kind.samples) if (read.severity(line) > read.severity(worst)) worst = line
  return worst
}

/** Kinds that a reader takes for one. */
interface AlikeKind extends LineKind {
  readonly members: number[]
}

interface RankedKind {
  readonly kind: AlikeKind
  /** What its lines share, empty where that is little. */
  readonly text: string
  readonly begin: string
  readonly value: number
  /** What it costs to name it. */
  readonly length: number
}

function rankedOf(read: ReadKinds, kind: AlikeKind, shared: string, own: string): RankedKind {
  const below = kind.severity < FAILING ? BELOW * depthOf(read, kind.first) : 0
  const isLittle =
    kind.isVaried && (!SAYS.test(shared) || countWords(shared) < LEAST_SHARED * countWords(own))
  const text = isLittle ? own : shared
  const value = valueOf(read, kind, text) / (1 + below)
  return { kind, text: isLittle ? '' : shared, begin: beginOf(text), value, length: text.length }
}

function depthOf(read: ReadKinds, line: number): number {
  let depth = 0
  for (let above = read.parentOf(line); above >= 0 && depth < DEEPEST; above = read.parentOf(above)) depth++
  return depth
}

const isFewFailing = ({ kind, text }: RankedKind): boolean =>
  kind.severity >= FAILING &&
  kind.count > 1 &&
  kind.count <= FEW_FAILING &&
  text.length < SHORT_FAILING &&
  text.includes('…')

/** The best first; kinds that begin alike say less each : passed tests, bytes, packages. */
function fadeAlike(kinds: readonly RankedKind[]): RankedKind[] {
  const byValue = (a: RankedKind, b: RankedKind) => b.value - a.value || a.kind.first - b.kind.first
  const alike = new Map<string, number>()
  return kinds
    .toSorted(byValue)
    .map((each) => {
      if (each.kind.severity >= FAILING) return each
      const times = (alike.get(each.begin) ?? 0) + 1
      alike.set(each.begin, times)
      return { ...each, value: each.value / times, length: each.length * times }
    })
    .sort(byValue)
}

/** The first word; paths are one, and so are numbers and bytes. */
function beginOf(text: string): string {
  const [first = ''] = /\S+/.exec(text) ?? []
  return !HAS_WORDS.test(text) || BYTES.test(first) ? '0' : first.includes('/') ? '/' : first
}
const BYTES = /^[\da-f:….]+$/

function valueOf(read: ReadKinds, kind: LineKind, text: string): number {
  const rarity = 1 / Math.sqrt(kind.count)
  const value =
    WEIGHTS.severity * kind.severity * (0.4 + 0.6 * rarity) +
    WEIGHTS.any +
    (read.lines.count - kind.last <= LAST_LINES ? WEIGHTS.last : 0) +
    (kind.isContinuation ? WEIGHTS.continuation : 0)
  return Math.max(0.02, value) / Math.min(LONGEST, Math.max(SHORTEST, text.length)) ** COST_EXPONENT
}
