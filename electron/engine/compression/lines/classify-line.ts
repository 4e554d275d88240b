export type LineRole =
  | 'summary'
  | 'failure'
  | 'warning'
  | 'change'
  | 'location'
  | 'evidence'
  | 'frame'
  | 'pass'
  | 'noise'
  | 'plain'

const SUMMARY =
  /^\s*(?:Tests(?! run)|Test Files|Test Suites|Suites|Snapshots|Time|Duration)\s*:?\s.*\d|^\s*test result:|^\s*=+ .*\b(?:passed|failed|errors?)\b.*=+\s*$|^Ran \d+ tests?|^FAILED \(|^OK(?: \(|$)|^# (?:tests|pass|fail|cancelled|skipped|todo|suites|duration_ms) |^\s*\d+ (?:passing|failing|pending)\b|^(?:FAIL|ok|---)\s+\S+\s+(?:\(cached\)|[\d.]+s)$|^FAIL$|^\s*Found \d+ (?:errors?|warnings?)|^\s*✖ \d+ problems?|^\s*\d+ problems?\b|\bBUILD (?:FAILED|FAILURE|SUCCESS|SUCCESSFUL)\b|^Plan: \d|^(?:Apply|Destroy) complete|^(?:added|removed|changed|up to date).*\bpackages?\b|\d+ vulnerabilit|^Successfully (?:built|installed|tagged)|could not compile|aborting due to|^\s*Finished\b|\bexit(?:ed)?(?: with)? (?:code|status)|^make(?:\[\d+\])?: \*\*\*|^(?:\[(?:ERROR|WARNING)\] )?Tests run:(?!.* - in )|^\d+ tests? completed|^ *\S.* \.{3,} FAILURE|^#\d+ (?:naming to|writing image|exporting to|pushing) |^\d+ (?:tests?|examples?|specs?), \d+|^Total(?:s)?:? .*\d/
const FAILURE =
  /^\s*(?:[✗✘✕×❌✖]\s|●\s|FAIL(?:ED|URE)?\b|not ok \d|--- FAIL|thread '.*' panicked|panic:|Error:|ERROR\b|error(?:\[\w+\])?:|fatal:|Failures?:|npm (?:ERR!|error)|_{5,} .* _{5,}|-{3,} .* (?:stdout|FAILED) -{3,}|\d+\) \S|\[ERROR\]|ERROR: |E: |Traceback \()|\.\.\. FAILED$|\bFAILED\b(?:\s*\[\s*\d+%\])?$|^\S.*[:(]\d+(?:[,:]\d+)?\)?:? *(?:-\s*)?(?:fatal )?error\b|^\s*\d+:\d+\s+error\b|^\s*│?\s*Error: |^#\d+ ERROR|\(failed\)$|^\s*Caused by:|error during|failed to (?:solve|compute cache key|read dockerfile)|returned a non-zero code|^FAILURE: Build|^\* What went wrong|<<< (?:FAILURE|ERROR)!|^(?:\S*\/)?ld: |^collect2: |^ > \[.+:$/
const WARNING =
  /^\s*(?:npm warn|npm WARN|warning\b|WARN(?:ING)?\b|W:|\[WARN(?:ING)?\])|^\S.*[:(]\d+(?:[,:]\d+)?\)?:? *warning\b|^\s*\d+:\d+\s+warning\b|\bDeprecationWarning\b|^#\d+ WARN/i
const CHANGE = /^\s*# \S+.* (?:will|must) be |^\s*[~-]\/?\+? (?:resource|data|module) "|^\s*~ \S.* -> /
const PASS =
  /^#\d+ DONE [1-9]|\.{3,} SUCCESS \[|^Running \S+$|^Tests run: .* - in |^\s*(?:[✓✔√]|PASS\b|ok \d|ok\s|--- (?:PASS|SKIP)|=== (?:RUN|PAUSE|CONT|NAME)|test .* \.\.\. (?:ok|ignored)|\S+ \([\w.]+\) \.\.\. (?:ok|skipped)|[↓○]\s|SKIP(?:PED)?\b|# SKIP)|\bPASSED\b(?:\s*\[\s*\d+%\])?$/
/** Printed below every failure. */
const ADVICE =
  /^\[(?:ERROR|DEBUG|WARNING)\]\s*$|^\[DEBUG\]|^\[ERROR\] (?:To see the full|Re-run Maven|For more information|After correcting|Please refer to|(?:Failures|Errors): *$|Failed to execute goal .*There are test failures|\[Help|-> \[Help|  mvn )|^\* (?:Try|Get more help)|^Run with --(?:stacktrace|info|debug)|^npm (?:error|ERR!)(?:\s*$| (?:A complete log|Run "npm help|Usage:|Options:|aliases:|\[-| {2}-))/
/** Each failure of the class has its own line. */
const TALLY = /^\[(?:ERROR|WARNING)\] Tests run: .* in /
const NOISE =
  /^#\d+ |^(?:-+|T E S T S)$|^(?:> Task )?(?::[\w.-]+)+(?: (?:UP-TO-DATE|NO-SOURCE|SKIPPED|FROM-CACHE))?$|^(?:Selecting previously|\(Reading database|Removing intermediate|Sending build context|debconf:)|^\s*(?:Download(?:ing|ed)|Compiling|Checking|Fetching|Collecting|Using cached|Installing|Requirement already|Get:\d|Hit:\d|Unpacking|Setting up|Selecting|Preparing|Processing triggers|Reading package|Building dependency|\[\s*\d+%\]|\[\d+\/\d+\]|Step \d+\/|---> |remote: |Receiving objects|Resolving deltas|Pulling |Waiting|Verifying|[a-f0-9]{12}: |RUN\b|Locking|Progress|\.{3,}$)|: (?:Refreshing state|Reading|Still (?:creating|destroying|modifying)|Creation complete|Read complete)|^\S+\.\w+ [.sxF]+\s+\[\s*\d+%\]$/
const LOCATION =
  /(?:^|[\s(❯@])(?:[\w.@+~-]*[/\\])*[\w.@+~-]+\.[a-z]{1,5}(?::\d+(?::\d+)?|\(\d+,\d+\))|File ".+", line \d+|^\s*-->\s/i
const EVIDENCE =
  /^\s*(?:E\s{2,}|[-+]\s|>\s|expected\b|received\b|actual\b|got\b|want\b|assert|left:|right:|AssertionError|[\w.$]*Error(?::|$)|[\w.$]+Exception(?::|\b)|reason:|message:|diff:|code:|expected:|note:|help:|=\s|\^+|~+\^)|\b(?:toBe|toEqual|assert_eq|expect\()|\b(?:expected|but (?:got|was)|instead of|is not assignable|cannot find|not found|undefined|does not exist|mismatched)\b/i
const FOREIGN =
  /node_modules|node:internal|site-packages|dist-packages|\/rustc\/|\/usr\/lib|java\.base|jdk\.internal|org\.junit|sun\.reflect|testing\.go|runtime\/|<frozen |\(internal\//
const FRAME = /^\s*(?:at\s|❯ |in\s\S+\s\(|\d+: 0x|\d+:\s{2,}|#\d+ )/

/** Classifies a line by the marks of common test runners, compilers, installers and planners. */
export function classifyLine(line: string): LineRole {
  if (ADVICE.test(line)) return 'noise'
  if (TALLY.test(line)) return 'plain'
  if (FOREIGN.test(line)) return 'frame'
  if (PASS.test(line) && !SUMMARY.test(line)) return 'pass'
  if (SUMMARY.test(line)) return 'summary'
  if (WARNING.test(line)) return 'warning'
  if (FAILURE.test(line)) return 'failure'
  if (NOISE.test(line)) return 'noise'
  if (CHANGE.test(line)) return 'change'
  if (LOCATION.test(line)) return 'location'
  if (FRAME.test(line)) return 'frame'
  return EVIDENCE.test(line) ? 'evidence' : 'plain'
}

const DURATION = /[\s(]([\d.]+)\s?(ms|s|sec|seconds|m|min)[)\]]?$/

/** Milliseconds. */
export function durationOf(line: string): number | undefined {
  const found = DURATION.exec(line)
  if (!found) return undefined
  const value = Number(found[1])
  const unit = found[2] ?? ''
  if (!Number.isFinite(value)) return undefined
  return unit === 'ms' ? value : unit.startsWith('m') ? value * 60_000 : value * 1000
}
