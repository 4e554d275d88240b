import { isShareAbove } from './sample-lines.ts'

const TIME =
  /^.{0,40}(?:\d{4}-\d\d-\d\d[T ._-]?\d\d|\d\d:\d\d:\d\d|\d{8}-\d\d:\d\d|\d{2}\/\w{3}\/\d{4}:|[A-Z][a-z]{2} +\d{1,2} \d\d:)|^\{"(?:level|time|ts|timestamp|msg|@timestamp)"|^- \d{9,10} \d{4}|^\[ *\d+\.\d+\] /
/** A level of a JSON logger, wherever its time stands. */
const JSON_LEVEL =
  /"(?:log\.)?(?:level|severity|lvl|levelname|loglevel)"\s*:\s*(?:[1-6]0\b|"(?:trace|debug|info\w*|notice|warn\w*|err\w*|fatal|crit\w*|panic)")/i
const LEVEL = /\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|NOTICE)\b|\blevel=\w/

/** Stack traces of Java, JavaScript, Python and .NET. */
const TRACE = /^\s*(?:at [\w$.<>/ [\]]+ ?\(|File "[^"]+", line \d+|\.{3} \d+ more|Caused by: )/

/** Most lines have a time, or some do and many a level, or it is one long stack trace. */
export function isLog(lines: readonly string[]): boolean {
  if (lines.length < 3) return false
  if (isShareAbove(lines, 0.5, isTimed) || isShareAbove(lines, 0.5, (line) => TRACE.test(line))) return true
  const hasLevel = (line: string) => LEVEL.test(line)
  return (
    (isShareAbove(lines, 0.25, isTimed) && isShareAbove(lines, 0.2, hasLevel)) ||
    (lines.length > 20 && isShareAbove(lines, 0.6, hasLevel))
  )
}

/** Nearly all times have a mark after a digit in the searched range. */
function isTimed(line: string): boolean {
  if (hasTime(line)) return true
  // Job logs have the job and its step before each line.
  return line.includes('\t') && hasTime(line.slice(line.lastIndexOf('\t') + 1))
}

function hasTime(line: string): boolean {
  const first = line.charCodeAt(0)
  if (first === OPEN_BRACE && JSON_LEVEL.test(line)) return true
  const mayBe = first === OPEN_BRACE || first === OPEN_BRACKET || first === DASH
  return (mayBe || MARKED_DIGIT.test(line.slice(0, TIMES_WITHIN))) && TIME.test(line)
}

const OPEN_BRACE = 123
const OPEN_BRACKET = 91
const DASH = 45
const MARKED_DIGIT = /\d[-:/]/
const TIMES_WITHIN = 100
