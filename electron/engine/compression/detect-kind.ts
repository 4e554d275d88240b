import type { ContentKind } from './strategy.ts'

/** How much of a long text is looked at. */
const LOOK_AT = 64_000
const MAX_LINES = 200
/** Longer lines are cut before any pattern sees them, so that patterns stay cheap. */
const MAX_LINE = 300
// oxlint-disable-next-line no-control-regex -- terminal colours begin with the escape character
const TERMINAL_CODES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** What kind of content a text is, from the text alone. `except` rules a kind out that turned out wrong. */
export function detectKind(text: string, except?: ContentKind): ContentKind {
  const sample = text.slice(0, LOOK_AT)
  if (isBinary(sample)) return 'binary'
  if (except !== 'json' && looksLikeJson(text)) return 'json'
  if (except !== 'html' && looksLikeHtml(sample)) return 'html'
  const lines = sampleLines(sample)
  for (const [kind, test] of lineTests) if (kind !== except && test(lines)) return kind
  return 'prose'
}

const lineTests: readonly (readonly [ContentKind, (lines: readonly string[]) => boolean])[] = [
  ['diff', isDiff],
  ['test-report', isTestReport],
  ['log', isLog],
  ['file-list', isFileList],
  ['code', isCode],
  ['table', isTable],
  ['markdown', isMarkdown],
]

function sampleLines(sample: string): string[] {
  const lines: string[] = []
  const plain = sample.includes('\u001b[') ? sample.replace(TERMINAL_CODES, '') : sample
  for (const line of plain.split(/\r?\n/, MAX_LINES * 2)) {
    if (line.trim() !== '') lines.push(line.slice(0, MAX_LINE))
    if (lines.length >= MAX_LINES) break
  }
  return lines
}

const share = (lines: readonly string[], pattern: RegExp) =>
  lines.length === 0 ? 0 : lines.filter((line) => pattern.test(line)).length / lines.length
const some = (lines: readonly string[], pattern: RegExp) => lines.some((line) => pattern.test(line))

function isBinary(sample: string): boolean {
  const length = Math.min(sample.length, 4096)
  let odd = 0
  for (let i = 0; i < length; i++) {
    const code = sample.charCodeAt(i)
    if (
      code === 0xfffd ||
      (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27)
    )
      odd++
  }
  if (length > 0 && odd / length > 0.05) return true
  return sample.length > 2000 && /^[A-Za-z0-9+/=_-]{2000}/.test(sample) && !/\s/.test(sample.slice(0, 2000))
}

function looksLikeJson(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  const end = text.slice(-200).trimEnd().at(-1)
  if (start.startsWith('{')) return end === '}' && /^\{\s*(?:"|\}|$)/.test(start)
  return start.startsWith('[') && end === ']' && /^\[\s*(?:["{[\]\d-]|true|false|null|$)/.test(start)
}

const HTML_START =
  /^(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype html|html|head|body|div|p|table|section|article|main)\b/i
const HTML_TAG = /<\/?(?:html|head|body|div|p|a|span|table|tr|td|ul|li|h[1-6]|img|br|script)\b/gi

function looksLikeHtml(sample: string): boolean {
  const start = sample.trimStart()
  const afterComment = start.startsWith('<!--') ? start.slice(start.indexOf('-->') + 3).trimStart() : start
  if (HTML_START.test(afterComment.slice(0, 300))) return true
  const tags = sample.match(HTML_TAG)?.length ?? 0
  return tags > 10 && tags > sample.length / 400
}

function isDiff(lines: readonly string[]): boolean {
  if (!some(lines, /^@@+ -\d+(?:,\d+)? \+\d+/)) return false
  return (
    some(lines, /^diff --git |^\+\+\+ /) &&
    share(lines, /^(?:[ +\-@\\]|diff |index |new file|deleted file|similarity|rename)/) > 0.7
  )
}

const REPORT_SUMMARY =
  /^\s*(?:Tests?:\s+\d|Test Suites?:|Tests\s+\d+ (?:passed|failed)|test result: |=+ .*\d+ (?:passed|failed).*=+|Ran \d+ tests? in|# (?:pass|fail|tests) \d+|\d+ (?:passing|failing)|FAIL(?:ED)?\b.*\d|ok\s+\S+\s+[\d.]+s|Found \d+ errors?|BUILD (?:FAILED|SUCCESS)|TAP version \d)/
const REPORT_LINE =
  /^\s*(?:✓|✔|✗|✘|✕|×|❯|PASS\b|FAIL\b|(?:not )?ok \d|--- (?:PASS|FAIL|SKIP)|=== RUN|test .* \.\.\. (?:ok|FAILED|ignored)|\S+ \([\w.]+\) \.\.\. (?:ok|FAIL|ERROR|skipped)|\S+::\S+ (?:PASSED|FAILED|SKIPPED)|npm (?:ERR!|error|warn) |#\d+ (?:\[|DONE|CACHED|sha256|ERROR|[\d.]+ )|# \S+ (?:will|must) be |\d+:\d+\s+(?:error|warning)\s)|: error(?: TS\d+)?:|: (?:fatal )?error[: ]|: warning[: ]|^error(?:\[E\d+\])?:|^warning:|: Refreshing state\.\.\./
const COMPILER_COMPLAINT =
  /^\S+:\d+:\d+: (?:fatal )?(?:error|warning): |^(?:error|warning)(?:\[\w+\])?: |^ *--> \S+:\d+/
/** The source that a compiler quotes below its complaint. */
const QUOTED_SOURCE =
  /^\s*\d* \| |^\s*\| |^\s*\|$|^\S+:\d+:\d+: note: |^\S+: In function |^\s*= (?:note|help):/

function isTestReport(lines: readonly string[]): boolean {
  const reported = share(lines, REPORT_LINE)
  if (reported > 0.3 || (reported > 0.05 && some(lines, REPORT_SUMMARY))) return true
  const complaints = share(lines, COMPILER_COMPLAINT)
  return complaints > 0.05 && complaints + share(lines, QUOTED_SOURCE) > 0.6
}

const TIME =
  /^.{0,40}?(?:\d{4}-\d\d-\d\d[T ._-]?\d\d|\d\d:\d\d:\d\d|\d{8}-\d\d:\d\d|\d{2}\/\w{3}\/\d{4}:|[A-Z][a-z]{2} +\d{1,2} \d\d:)|^\{"(?:level|time|ts|timestamp|msg)"|^- \d{9,10} \d{4}|^\[ *\d+\.\d+\] /
/** Stack traces as Java, JavaScript, Python and .NET print them. */
const TRACE = /^\s*(?:at [\w$.<>/ [\]]+ ?\(|File "[^"]+", line \d+|\.{3} \d+ more|Caused by: )/
const LEVEL = /\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|NOTICE)\b/

function isLog(lines: readonly string[]): boolean {
  const timed = share(lines, TIME)
  return (
    timed > 0.5 ||
    (timed > 0.25 && share(lines, LEVEL) > 0.2) ||
    (lines.length > 20 && share(lines, LEVEL) > 0.6) ||
    share(lines, TRACE) > 0.5
  )
}

function isFileList(lines: readonly string[]): boolean {
  if (lines.length < 5) return false
  if (share(lines, /^\s*(?:[│|]\s*)*(?:[├└|`+\\]──|[|`+\\]--) ?\S/) > 0.6) return true
  if (share(lines, /^(?:total \d+|[-dlbcps][rwxsStT-]{9}[+.@]? )/) > 0.7) return true
  if (share(lines, /^\[(?:FILE|DIR)\] \S/) > 0.7) return true
  return share(lines, /^(?:\.{0,2}\/|[A-Za-z]:\\)?(?:[\w.@+~ -]+[/\\])+[\w.@+~ -]*$/) > 0.8
}

const CODE_LINE =
  /[;{}]\s*$|^\s*(?:def|class|func|fn|public|private|return|import|from|const|let|var|if|for|while|#include|package|use)\b.*[:({;]?/

function isCode(lines: readonly string[]): boolean {
  return share(lines, CODE_LINE) > 0.4 && share(lines, /^[A-Z][a-z]+ .*\.$/) < 0.2
}

const MARKDOWN_ROW = /^\s*\|.*\|\s*$/

function isTable(lines: readonly string[]): boolean {
  if (lines.length < 3 || some(lines, /^#{1,6} \S/)) return false
  if (share(lines, MARKDOWN_ROW) > 0.5 || delimitedShare(lines) > 0.5) return true
  return lines.length > 5 && share(lines, /\S(?: {2,}|\t)\S+.*(?: {2,}|\t)\S/) > 0.5
}

/** Share of lines that have as many cells as the line before them, and more than two. */
function delimitedShare(lines: readonly string[]): number {
  const shares = [',', ';', '\t'].map((delimiter) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length)
    return counts.filter((count, i) => count > 2 && count === counts[i - 1]).length / lines.length
  })
  return Math.max(...shares)
}

function isMarkdown(lines: readonly string[]): boolean {
  return (
    share(lines, /^#{1,6} \S/) > 0.01 ||
    share(lines, MARKDOWN_ROW) > 0.05 ||
    share(lines, /^\s*(?:[-*+]|\d+\.) \S|^```|\[[^\]]+\]\([^)]+\)/) > 0.15
  )
}
