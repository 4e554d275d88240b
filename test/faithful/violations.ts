import type {
  CompressTextInput,
  CompressTextOutput,
} from '../../electron/engine/compression/compress-text.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { headerViolations } from './header-violations.ts'
import { recordViolations } from './record-violations.ts'
import { parsed, Source, unescaped } from './source.ts'

export type Rule = 'budget' | 'json' | 'whole' | 'order' | 'record' | 'name' | 'header' | 'less'

export interface Violation {
  readonly rule: Rule
  readonly detail: string
}

/** What one output breaks of the promises of faithfulness; `less` needs two outputs, see `keepsLess`. */
export function violations(
  input: Pick<CompressTextInput, 'text' | 'budget'>,
  output: CompressTextOutput,
  source: Source = new Source(input.text),
): Violation[] {
  if (output.text === input.text) return []
  const found: Violation[] = []
  const tokens = countTokens(output.text)
  if (tokens > input.budget) found.push({ rule: 'budget', detail: `${tokens} of ${input.budget} tokens` })
  const body = withoutHeader(output.text)
  found.push(...headerViolations(output, source, body, tokens))
  // A whole document in another form; that it can be restored is tested with that form.
  if (output.lossless) return found
  if (source.json !== undefined) {
    const shown = parsed(body)
    if (shown === undefined) found.push({ rule: 'json', detail: body.slice(0, 80) })
    else found.push(...recordViolations(source.json, shown))
  }
  found.push(...wholeViolations(body.replace(OF_SERIES, ''), source, output.strategy))
  if (source.json === undefined && output.strategy !== 'html')
    found.push(...orderViolations(body, source, output.strategy))
  return found
}

/** Whether the output of a larger budget shows fewer different words of the source. */
export function keepsLess(source: Source, small: string, large: string): Violation[] {
  const [before, after] = [small, large].map((text) =>
    source.wordsKept(withoutHeader(text).replaceAll(COUNT, '')),
  )
  if (before === undefined || after === undefined || after >= before) return []
  return [{ rule: 'less', detail: `${after} different words where the smaller budget kept ${before}` }]
}

/** How many lines one stands for, which fewer are where more of them are printed. */
const COUNT = /^×[\d,]+ (?:in all )?(?:like )?/gm

export const withoutHeader = (text: string): string => text.replace(/^\[Compressed[^\n]*\n+/, '')

/** What a described series says that isn't copied: its count, indexes, its mean. */
const OF_SERIES = /"(?:numbers|points|dates|min at|max at|mean)":-?\d[\d.e+-]*,/g

/** A run that may be a path, an address, an id, a number or a dotted name. */
const CHUNK = /[\p{L}\p{N}_./:@~+%-]+/gu
/** The signs of a cut: what touches one may be a part. */
const MARK = /[…*×]/

/** Paths, addresses, ids, numbers and dotted names stand whole in the source. */
function wholeViolations(body: string, source: Source, strategy: string): Violation[] {
  const found: Violation[] = []
  for (const line of body.split('\n')) {
    const isCounted = isComputed(line)
    for (const match of line.matchAll(CHUNK)) {
      const chunk = trimmed(match[0])
      if (!isNamed(chunk) || source.chunks.has(chunk)) continue
      const isNumber = /^[\d.,:%+-]+$/.test(chunk)
      if (isNumber && (isCounted || (strategy === 'html' && /^\s*\d+\./.test(line)))) continue
      const [before, after] = [line[match.index - 1] ?? '', line[match.index + match[0].length] ?? '']
      // A folder is the beginning of its files' paths.
      const endCut = MARK.test(after) || match[0].endsWith('/')
      const isInTree = /^\s+\S+\/ \d+$/.test(line)
      if (source.hasWhole(chunk, { startCut: isInTree || MARK.test(before), endCut })) continue
      found.push({ rule: 'whole', detail: `${chunk} in: ${line.slice(0, 120)}` })
    }
  }
  return found
}

const trimmed = (chunk: string) => chunk.replace(/^[.:+%-]+|[./:+%-]+$/g, '')

const isNamed = (chunk: string) => /\d/.test(chunk) || /[\p{L}\p{N}_][./@][\p{L}\p{N}_]/u.test(chunk)

/** Counts are not the source's: they stand beside a mark, behind a folder or a file, or with what they count. */
const isComputed = (line: string) =>
  / \+\d+ -\d+$|\/ \d+$|[…×]|\d (?:more|others|distinct|below|rows|records|lines|values|kinds)\b/.test(line)

/** The names of a source's definitions, of all of it. */
const LIST = 'Definitions: '

/** Cells of a row, each behind its column's name, whose header is anywhere above. */
const isNamedRow = (segment: string, source: Source): boolean =>
  segment
    .replace(/^; |;\s*$/g, '')
    .split(/; (?=[\p{L}\p{N}_%+# -]+: )/u)
    .every((cell) => isCell(cell, source))

function isCell(segment: string, source: Source): boolean {
  const [, name, value] = /^([\p{L}\p{N}_%+# -]+): (\S.*)$/u.exec(segment) ?? []
  return (
    name !== undefined &&
    [name, value ?? ''].map(wordsOf).every((words) => words.length === 0 || source.hasInOrder(words))
  )
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? []

/** The words between marks stand in that order in the source, close together; the names of a list in all of it. */
function orderViolations(body: string, source: Source, strategy: string): Violation[] {
  const found: Violation[] = []
  for (const printed of body.split('\n')) {
    const line = printed.replace(/^×[\d,]+ (?:in all )?(?:like )?/, '')
    if (line.startsWith(LIST)) {
      const names = line.slice(LIST.length).match(/[\p{L}\p{N}_]+/gu) ?? []
      if (!source.hasInSequence(names)) found.push({ rule: 'order', detail: line.slice(0, 160) })
      continue
    }
    for (const segment of line.split(/[\p{L}\p{N}_]*[…×*][\p{L}\p{N}_]*/u)) {
      const words = wordsOf(segment)
      if (words.length < 3 || isComputed(segment) || source.hasInOrder(words)) continue
      // Behind a mark, the letter of an escape isn't at the first word.
      if (segment.includes('\\') && source.hasInOrder(wordsOf(unescaped(segment)))) continue
      if (strategy === 'records' && isNamedRow(segment, source)) continue
      found.push({ rule: 'order', detail: line.slice(0, 160) })
      break
    }
  }
  return found
}
