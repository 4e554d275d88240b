import type { CustomPattern, PersonalDataType } from '../../../shared/masking-policy.ts'
import { asWords } from './as-words.ts'
import { compilePatterns } from './custom-patterns.ts'
import { findByPattern, findByType } from './find-personal-data.ts'
import { isSoughtAgain, KnownValues, type KnownValue } from './known-values.ts'
import { isNumberUnder, isPhoneUnder, isSecretNumber, numberKey } from './finders/number-keys.ts'
import { isSecretValue, secretNamedBy, type NamedSecret } from './finders/named-secret.ts'
import { markedUpLabels } from './marked-up-labels.ts'
import { htmlColumns } from './html-columns.ts'
import { mergeFound } from './merge-found.ts'
import { nameValuePairs } from './name-value-pairs.ts'
import { objectPairs } from './object-pairs.ts'
import type { Span } from './personal-data.ts'
import { BUILT_IN_NAMES, findLookalikes } from './placeholders.ts'
import { labelledColumns, type LabelledColumn } from './table-cells.ts'
import { leavesOf, type LabelledText, type Leaf } from './text-leaves.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    'find-personal-data': (input: FindInTextsInput) => Promise<Span[][]>
  }
}

/** Plain data for worker threads. */
export interface FindInTextsInput {
  readonly texts: readonly LabelledText[]
  readonly types: readonly PersonalDataType[]
  readonly customPatterns: Readonly<Record<string, CustomPattern>>
  /** In use besides the built-in ones. */
  readonly names: readonly string[]
  /** Recognised only by context. */
  readonly known: readonly KnownValue[]
}

/** Between leaves in the searched text; no pattern spans it. */
const SEPARATOR = '\n\0\n'
/** Keys that are context for values without digits. Values with digits are searched with their key in any language. */
const TELLING =
  /phone|tel|mobile|cell|fax|call|contact|birth|dob|born|passport|licen[cs]e|driver|dl|ssn|itin|social|card|pan|key|secret|token|pass|pwd|auth|cred|signature|cookie|page|cursor|version|name|address|street/i

const HAS_DIGIT = /\d/
const ENCODED_BRACKET = /%5b/i

/** In offsets of each text. In JSON only strings are searched, with keys as context; `value` is unescaped. */
export function findInTexts(input: FindInTextsInput): Span[][] {
  const leaves = input.texts.map((text) => leavesOf(text))
  const found = findInLeaves(leaves.flat(), input)
  let next = 0
  return leaves.map((own) => {
    const spans: Span[] = []
    for (const leaf of own)
      for (const span of found[next++] ?? NONE)
        spans.push({
          ...span,
          start: leaf.toSource(span.start),
          end: leaf.toSource(span.end),
          ...(leaf.quotes !== undefined && { quotes: leaf.quotes }),
        })
    return spans
  })
}

/** Most leaves have none. */
type Spans = readonly Span[]
const NONE: Spans = []

function findInLeaves(leaves: readonly Leaf[], input: FindInTextsInput): Spans[] {
  const patterns = compilePatterns(input.customPatterns)
  const names = input.names.length > 0 ? new Set([...BUILT_IN_NAMES, ...input.names]) : BUILT_IN_NAMES
  const byType = findTogether(leaves, input.types)
  const found =
    patterns.length === 0
      ? byType
      : byType.map((spans, index) => mergeFound(findByPattern(leaves[index]?.text ?? '', patterns), spans))
  const known = knownIn(found, input.known)
  return found.map((spans, index) => {
    const { text = '', quotes } = leaves[index] ?? {}
    // A number is replaced as a whole, and by its key alone.
    if (quotes !== undefined) return spans.filter(({ start, end }) => start === 0 && end === text.length)
    const more = known?.find(text) ?? NONE
    const again = more.length > 0 ? mergeFound(spans, more) : spans
    return text.includes('[') || ENCODED_BRACKET.test(text)
      ? mergeFound(again, findLookalikes(text, names))
      : again
  })
}

function knownIn(
  found: readonly (readonly Span[])[],
  before: readonly KnownValue[],
): KnownValues | undefined {
  let known: KnownValues | undefined
  const add = (value: KnownValue): void => (known ??= new KnownValues()).add(value)
  for (const value of before) add(value)
  for (const spans of found) {
    for (const span of spans) {
      if (isSoughtAgain(span)) add(span)
    }
  }
  return known
}

/** A text to search, with the words that label it. */
interface Part {
  readonly label: string | undefined
  readonly text: string
  /** Of a number of JSON. */
  readonly quotes?: string
}

function findTogether(leaves: readonly Leaf[], types: readonly PersonalDataType[]): Spans[] {
  const found = findInParts(leaves, types)
  const withColumns: { index: number; columns: readonly LabelledColumn[] }[] = []
  for (const [index, { text, quotes }] of leaves.entries()) {
    if (quotes !== undefined || text.length < SHORTEST_LABELLED || !MAY_LABEL.test(text)) continue
    const columns = [
      ...labelledColumns(text),
      ...nameValuePairs(text),
      ...markedUpLabels(text),
      ...htmlColumns(text),
      ...objectPairs(text),
    ]
    if (columns.length > 0) withColumns.push({ index, columns })
  }
  if (withColumns.length === 0) return found
  const inCells = findInCells(
    withColumns.map(({ index, columns }) => ({
      text: leaves[index]?.text ?? '',
      columns: columns.filter(({ isOther }) => !isOther),
    })),
    types,
  )
  for (const [next, { index, columns }] of withColumns.entries())
    found[index] = withCells(withoutOthers(found[index] ?? [], columns), inCells[next] ?? [])
  return found
}

/** "a,pw", and a row of three signs and more below it. */
const SHORTEST_LABELLED = 8
/** Of lines, tags and pairs: short texts have none of them. */
const MAY_LABEL = /[\n<>=:]/

/** Separate searches cost more. */
function findInParts(parts: readonly Part[], types: readonly PersonalDataType[]): Spans[] {
  const found: Spans[] = Array.from(parts, () => NONE)
  const starts: number[] = []
  // Joining an array of hundreds of thousands of strings takes six times as long.
  let all = ''
  const labels = new Map<string, { words: string; isTelling: boolean }>()
  const leadOf = (label: string, text: string): string => {
    let known = labels.get(label)
    if (!known) labels.set(label, (known = { words: `${asWords(label)}: `, isTelling: TELLING.test(label) }))
    return known.isTelling || HAS_DIGIT.test(text) ? known.words : ''
  }
  for (const { text: written, label, quotes } of parts) {
    const text = quotes === undefined ? written : written.replace(/\.0+$/, '')
    const words = label === undefined ? '' : leadOf(label, text)
    starts.push(all.length + words.length)
    all += words + text + SEPARATOR
  }
  let index = 0
  let own: Span[] = []
  for (const span of findByType(all, types)) {
    while (index + 1 < starts.length && (starts[index + 1] ?? 0) <= span.start) index++
    const part = parts[index]
    const start = span.start - (starts[index] ?? 0)
    if (!part || start < 0 || start >= part.text.length) continue
    if (found[index] === NONE) found[index] = own = []
    own.push(clipped(span, start, part.text))
  }
  if (types.includes('api_key')) addNamedSecrets(parts, found)
  for (const [i, part] of parts.entries())
    if (part.quotes !== undefined) found[i] = ofNumber(part, found[i] ?? [], types)
  return found
}

/** What a number of JSON is by its key: all of it, or nothing. */
function ofNumber(
  { text, label = '' }: Part,
  found: readonly Span[],
  types: readonly PersonalDataType[],
): Span[] {
  const digits = text.replace(/\.0+$/, '')
  const key = numberKey(asWords(label))
  if (!key) return []
  const whole = (type: string): Span[] => [{ type, start: 0, end: text.length, value: text }]
  const hit = found.find(
    ({ type, start, end }) => start === 0 && end >= digits.length && isNumberUnder(key, type, digits),
  )
  if (hit) return whole(hit.type)
  if (types.includes('phone') && isPhoneUnder(key, digits)) return whole('phone')
  return types.includes('api_key') && isSecretNumber(key, digits) ? whole('api_key') : []
}

/** Whole values of keys and columns that name a secret, however short. */
function addNamedSecrets(parts: readonly Part[], found: Spans[]): void {
  const kinds = new Map<string, NamedSecret | 'none'>()
  for (let index = 0; index < parts.length; index++) {
    const { label, text = '' } = parts[index] ?? {}
    if (label === undefined) continue
    let kind = kinds.get(label)
    if (kind === undefined) kinds.set(label, (kind = secretNamedBy(asWords(label)) ?? 'none'))
    if (kind !== 'none' && isSecretValue(kind, text))
      found[index] = [{ type: 'api_key', start: 0, end: text.length, value: text }]
  }
}

/** Of a column's cells: "mobile" heads counts, too. */
const FEWEST_PHONES = 0.5

/** Each cell with its column's header as its label. */
function findInCells(
  tables: readonly { text: string; columns: readonly LabelledColumn[] }[],
  types: readonly PersonalDataType[],
): Span[][] {
  const parts = tables.flatMap(({ text, columns }) =>
    columns.flatMap(({ header, cells }) =>
      cells.map(({ start, end }) => ({ label: header, text: text.slice(start, end) })),
    ),
  )
  const found = findInParts(parts, types)
  let next = 0
  return tables.map(({ columns }) =>
    columns
      .flatMap(({ cells, filled }) => {
        const spans = cells.flatMap(({ start }) =>
          (found[next++] ?? []).map((span) => ({
            ...span,
            start: start + span.start,
            end: start + span.end,
          })),
        )
        const phones = spans.filter(({ type }) => type === 'phone').length
        return phones < filled * FEWEST_PHONES ? spans.filter(({ type }) => type !== 'phone') : spans
      })
      .sort((one, other) => one.start - other.start),
  )
}

/** Told by how they are written, which other numbers are, too. */
const LOOK_ALIKE: ReadonlySet<string> = new Set<PersonalDataType>([
  'credit_card',
  'ip_address',
  'phone',
  'ssn',
])

/** Without what is a whole cell of a column of other numbers. */
function withoutOthers(found: readonly Span[], columns: readonly LabelledColumn[]): readonly Span[] {
  const others = new Map<number, number>()
  for (const { isOther, cells } of columns) {
    if (isOther) for (const { start, end } of cells) others.set(start, end)
  }
  return others.size === 0
    ? found
    : found.filter(({ type, start, end }) => !LOOK_ALIKE.has(type) || others.get(start) !== end)
}

/** Spans of labelled cells replace those found without a label, but only where they cover them fully. */
function withCells(found: readonly Span[], cells: readonly Span[]): Span[] {
  let next = 0
  const telling = cells.filter(({ start, end }) => {
    while ((found[next]?.end ?? Infinity) <= start) next++
    const other = found[next]
    return other === undefined || other.start > start || other.end < end
  })
  return mergeFound(telling, found)
}

function clipped({ type, start, end }: Span, at: number, text: string): Span {
  // A secret with its own key may contain any character except white space.
  const isWhole = type === 'api_key' && at === 0 && !/\s/.test(text)
  const to = isWhole ? text.length : Math.min(at + end - start, text.length)
  return { type, start: at, end: to, value: text.slice(at, to) }
}
