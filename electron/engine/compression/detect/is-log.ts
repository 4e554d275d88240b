import { share } from './sample-lines.ts'

const TIME =
  /^.{0,40}(?:\d{4}-\d\d-\d\d[T ._-]?\d\d|\d\d:\d\d:\d\d|\d{8}-\d\d:\d\d|\d{2}\/\w{3}\/\d{4}:|[A-Z][a-z]{2} +\d{1,2} \d\d:)|^\{"(?:level|time|ts|timestamp|msg|@timestamp)"|^- \d{9,10} \d{4}|^\[ *\d+\.\d+\] /
const LEVEL = /\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|NOTICE)\b|\blevel=\w/

/** Lines of stack traces as Java, JavaScript, Python and .NET print them. */
const TRACE = /^\s*(?:at [\w$.<>/ [\]]+ ?\(|File "[^"]+", line \d+|\.{3} \d+ more|Caused by: )/

/** Most lines carry a time, or some do and many a level, or it is one long stack trace. */
export function isLog(lines: readonly string[]): boolean {
  if (lines.length < 3) return false
  const timed = share(lines, TIME)
  if (timed > 0.5) return true
  if (share(lines, TRACE) > 0.5) return true
  return (timed > 0.25 && share(lines, LEVEL) > 0.2) || (lines.length > 20 && share(lines, LEVEL) > 0.6)
}
