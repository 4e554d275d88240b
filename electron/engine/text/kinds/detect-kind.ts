import { isCode, isDenseCode } from './is-code.ts'
import { isFileList } from './is-file-list.ts'
import { isLog } from './is-log.ts'
import type { FormatHint } from '../readers/reading.ts'
import { findRecords, type Records } from './find-records.ts'
import type { FoundReading } from '../readers/registry.ts'
import { isSnapshot } from './is-snapshot.ts'
import { isTestReport } from './is-test-report.ts'
import { isShareAbove, sampleLines, share, some } from './sample-lines.ts'
import type { ContentKind } from './content-kinds.ts'

/** Characters examined at either end. */
const HEAD = 32_000
const TAIL = 4000

export interface DetectedKind {
  readonly kind: ContentKind
  /** For a text of records: what a reader found in its beginning. */
  readonly found?: FoundReading | undefined
}

/**
 * The kind for which most speaks: what readers explain of a sample, and what lines look like. `except` excludes a
 * kind that proved wrong.
 */
export function findKind(text: string, except?: ContentKind, hint?: FormatHint): DetectedKind {
  const head = text.slice(0, HEAD)
  if (isBinary(head)) return { kind: 'binary' }
  if (except !== 'json' && isJson(text)) {
    const first = sampleLines(text, HEAD, 0)
    // Lines of one indented value may be times, too.
    const areLines = except !== 'log' && isShareAbove(first, 0.5, isBracketed) && isLog(first)
    return { kind: areLines && !areElements(head) ? 'log' : 'json' }
  }
  const lines = sampleLines(text, HEAD, TAIL)
  if (except !== 'diff' && isDiff(lines)) return { kind: 'diff' }
  const records = findRecords(text.slice(0, SAMPLE), text.length <= SAMPLE, hint)
  if (records !== undefined && records.kind !== except) {
    const other = tests.find(
      ([kind, test]) => kind !== except && outweighs(kind, records, lines) && test(lines),
    )
    return other === undefined ? { kind: records.kind, found: records.found } : { kind: other[0] }
  }
  if (except !== 'html' && isHtml(head, lines)) return { kind: 'html' }
  for (const [kind, test] of tests) if (kind !== except && test(lines)) return { kind }
  return { kind: except !== 'code' && isDenseCode(head) ? 'code' : 'prose' }
}

export const detectKind = (text: string, except?: ContentKind, hint?: FormatHint): ContentKind =>
  findKind(text, except, hint).kind

/** What a reader explains tells more than what lines look like, unless lines of that kind have words of their own. */
function outweighs(kind: ContentKind, records: Records, lines: readonly string[]): boolean {
  const { evidence, isNamed } = records
  if (evidence === 'weak' || kind === 'snapshot') return true
  if (kind === 'log') return !isNamed && (evidence === 'rows' || records.kind === 'data' || hasLevels(lines))
  if (evidence === 'syntax') return false
  if (kind === 'code')
    return share(lines, STATEMENT) > CODE_SHARE || share(lines, DECLARATION) > DECLARED_SHARE
  return records.kind === 'table' ? !isNamed : kind === 'test-report'
}

/** A comma in each time makes rows of two cells; a table without names has no levels in most rows. */
const hasLevels = (lines: readonly string[]): boolean =>
  share(lines, /\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE)\b/) > 0.5

const CODE_SHARE = 0.12
const STATEMENT =
  /^\s*(?:(?:export|public|private|static|async|pub) )*(?:def|function|fn|func|class|interface|struct|enum|impl|import|from|return|const|let|var|elif|while|package|namespace|using|#include)\b(?!:)[^=]*\S/

/** Of a style sheet. */
const DECLARATION = /^\s+[\w$@-]+\s?:\s?[^;{}]+;$/
const DECLARED_SHARE = 0.3

/** Characters that readers try. */
const SAMPLE = 12_000

/** Kinds of lines, in order: reports contain paths, code perhaps lists. */
const tests: readonly (readonly [ContentKind, (lines: readonly string[]) => boolean])[] = [
  ['snapshot', isSnapshot],
  ['file-list', isFileList],
  ['test-report', isTestReport],
  ['log', isLog],
  ['code', isCode],
  ['markdown', isMarkdown],
]

const BINARY_SHARE = 0.05
const ENCODED_FROM = 2000

function isBinary(sample: string): boolean {
  const start = sample.slice(0, 4096)
  // Text has none, and a count of each character takes longer.
  if (ODD.test(start)) {
    const odd = start.match(ALL_ODD)?.length ?? 0
    if (odd / start.length > BINARY_SHARE) return true
  }
  return sample.length > ENCODED_FROM && isBase64(sample.slice(0, ENCODED_FROM))
}

/** Control characters except tab, line break, form feed and escape; and the replacement character. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const ODD = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\ufffd]/
const ALL_ODD = new RegExp(ODD, 'g')

/** One long word mixing cases and digits, with few other characters. */
const isBase64 = (text: string) =>
  /^[A-Za-z0-9+/=_-]+$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)

/** Lines of one array have commas behind them. */
const areElements = (head: string): boolean =>
  (head.match(/,\r?\n/g)?.length ?? 0) > (head.match(/\n/g)?.length ?? 0) / 2

const isBracketed = (line: string): boolean => line.startsWith('{') || line.startsWith('[')

function isJson(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  const end = text.slice(-200).trimEnd().at(-1)
  if (start.startsWith('{')) return end === '}' && /^\{\s*(?:"|\}|$)/.test(start)
  return start.startsWith('[') && end === ']' && /^\[\s*(?:["{[\]\d-]|true|false|null|$)/.test(start)
}

const DOCUMENT_START = /^(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype html|html|head|body)\b/i
const FRAGMENT_START = /^<(?:div|p|table|section|article|main|ul|ol|h[1-6])\b/i
const TAG =
  /<\/?(?:html|head|body|div|p|a|span|table|tr|td|th|ul|ol|li|h[1-6]|img|br|script|section|article|b|i|em|strong|code|pre)(?=[\s/>])/gi
/** Average distance of HTML tags in characters. */
const CHARACTERS_PER_TAG = 400

function isHtml(head: string, lines: readonly string[]): boolean {
  const start = afterComments(head.trimStart())
  if (DOCUMENT_START.test(start.slice(0, 300))) return true
  const tags = head.match(TAG)?.length ?? 0
  const isDense = tags > head.length / CHARACTERS_PER_TAG
  // Markdown may contain HTML, and code may write it.
  if (!isDense || some(lines, /^#{1,6} \S/)) return false
  return FRAGMENT_START.test(start) ? tags > 1 : tags > 10 && !isCode(lines)
}

function afterComments(html: string): string {
  let rest = html
  for (let i = 0; i < 5 && rest.startsWith('<!--'); i++) {
    const end = rest.indexOf('-->')
    if (end < 0) break
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

function isDiff(lines: readonly string[]): boolean {
  if (!some(lines, /^@@+(?: -\d+(?:,\d+)?)+ \+\d+/) || !some(lines, /^diff --(?:git|cc) |^\+\+\+ /))
    return false
  return (
    share(lines, /^(?:[ +\-@\\]|diff |index |new file|deleted file|old mode|new mode|similarity|rename)/) >
    0.5
  )
}

/** More lines that begin so are comments, not headings. */
const COMMENTED = 0.35

const HEADING = /^#{1,6} \S/
const LEAST_LEVELS = 2
const MOST_IN_RUNS = 0.5
const NEARLY_ALL_IN_RUNS = 0.8

/** Most headings of one level that follow each other without a line between. */
function areComments(lines: readonly string[]): boolean {
  const levels = lines.map((line) => (HEADING.test(line) ? line.indexOf(' ') : 0))
  const headings = levels.filter((level) => level > 0)
  const inRuns = levels.filter(
    (level, i) => level > 0 && (levels[i + 1] === level || levels[i - 1] === level),
  )
  const isOneLevel = new Set(headings).size < LEAST_LEVELS
  return inRuns.length > headings.length * (isOneLevel ? MOST_IN_RUNS : NEARLY_ALL_IN_RUNS)
}

function isMarkdown(lines: readonly string[]): boolean {
  if (share(lines, /^\s*# \S/) > COMMENTED || isTrace(lines)) return false
  if (share(lines, HEADING) > 0.01 && !areComments(lines)) return true
  if (some(lines, /^\s*\|?(?:\s*:?-{3,}:?\s*\|)+/)) return true
  return isShareAbove(lines, 0.15, (line) => MARKED.test(line) || (line.includes('](') && LINK.test(line)))
}

/** What goes in and out, each line with a sign of its own, as `curl -v` says it: no list and no quotes. */
const isTrace = (lines: readonly string[]): boolean =>
  some(lines, /^< \S/) && some(lines, /^> \S/) && share(lines, /^[*<>{}=!]{1,2} /) > SIGNED
const SIGNED = 0.7

// Not `+`, which shells put before each command that they run.
const MARKED = /^\s*(?:[-*]|\d+\.) \S|^```/
const LINK = /\[[^\]]{1,200}\]\([^)]{1,200}\)/
