import { share, some } from './sample-lines.ts'

/** Summary lines of test runners or compilers; one is enough among other report lines. */
const SUMMARY =
  /^\s*(?:Tests?:\s+\d|Test Suites?:|Tests\s+\d+ (?:passed|failed)|Ran \d+ tests? in|# (?:pass|fail|tests) \d+|\d+ (?:passing|failing)|FAIL(?:ED)?\b.*\d|(?:ok|FAIL)\s+\S+\s+[\d.]+s|Found \d+ errors?|\d+ (?:errors?|warnings?)$|✖ \d+ problems?|Plan: \d+ to add|(?:Apply|Destroy) complete!|BUILD (?:FAILED|SUCCESS)|\[?(?:ERROR|INFO)\]? BUILD)/
/** Unique to reports. */
const UNMISTAKABLE =
  /^=+ (?:test session starts|.*\d+ (?:passed|failed).* in [\d.]+s.*) =+$|^test result: (?:ok|FAILED)\.|^(?:---|===) (?:FAIL|PASS|RUN)\b|^TAP version \d|^error: (?:aborting|could not compile)|^npm ERR! Test failed|^\[INFO\] (?:Scanning for projects\.\.\.|Reactor Build Order:|BUILD (?:SUCCESS|FAILURE)$)|^FAILURE: Build (?:failed|completed) with|^BUILD (?:SUCCESSFUL|FAILED) in \d|^(?:> Task )?(?::[\w.-]+)+ (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|FAILED)$|^#\d+ (?:\[internal\] |DONE \d)|^Step \d+\/\d+ : [A-Z]+ /
const REPORT_LINE =
  /^\s*(?:✓|✔|✗|✘|✕|×|❯|●|PASS\b|FAIL\b|FAILED\b|(?:not )?ok \d|E {2,}\S|\S+ \([\w.]+\) \.\.\. (?:ok|FAIL|ERROR|skipped)|test .* \.\.\. (?:ok|FAILED|ignored)|\S+::\S+ (?:PASSED|FAILED|SKIPPED)|npm (?:ERR!|error|warn) |#\d+ (?:\[|DONE|CACHED|sha256|ERROR|[\d.]+ )|# \S+ (?:will|must) be |\d+:\d+\s+(?:error|warning)\s)|^error(?:\[E\d+\]| TS\d+)?:|^warning(?:\[.+\])?:/

/** The same anywhere in a line. */
const REPORT_INSIDE = /: (?:Refreshing state\.\.\.|error(?: TS\d+)?:|(?:fatal )?error[: ]|warning[: ])/

const COMPLAINT =
  /^\S+:\d+:\d+: (?:fatal )?(?:error|warning): |^(?:error|warning)(?:\[\w+\])?: |^ *--> \S+:\d+/
/** Below a compiler's complaint. */
const QUOTED_SOURCE = /^\s*\d* \| |^\s*\|(?: |$)|^\S+:\d+:\d+: note: |^\S+: In function |^\s*= (?:note|help):/

/** Terminal colours precede the words. */
const ESCAPE = String.fromCharCode(27)
const COLOUR = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g')

const isReported = (line: string): boolean =>
  REPORT_LINE.test(line) || (line.includes(': ') && REPORT_INSIDE.test(line))

/** Test runners, compilers, linters, installers, deployment planners. */
export function isTestReport(lines: readonly string[]): boolean {
  const plain = lines.map((line) => (line.includes(ESCAPE) ? line.replace(COLOUR, '') : line))
  if (some(plain, UNMISTAKABLE)) return true
  const reported = plain.filter(isReported).length / plain.length
  if (reported > 0.3 || (reported > 0.03 && some(plain, SUMMARY))) return true
  const complaints = share(plain, COMPLAINT)
  return complaints > 0.05 && complaints + share(plain, QUOTED_SOURCE) > 0.6
}
