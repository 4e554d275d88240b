/** Without the running tool's prefix. */
export interface UnwrappedLine {
  /** The step that printed it when steps run in parallel; otherwise ''. */
  readonly source: string
  readonly text: string
  /** Marked as information by its tool. */
  readonly information?: boolean
}

/** BuildKit: `#12 3.407 npm error …`, or its own `#12 ERROR: …`. */
const BUILD_STEP = /^(#\d+) (?:\d+\.\d+(?: |$))?/
/** CI services prefix lines with the time. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z /
/** Failure marks stay, because they classify the line. */
const INFORMATION = /^\[INFO\](?: |$)/

/** The step that printed a line, and the line as its tool printed it. */
export function unwrapLine(line: string): UnwrappedLine {
  const plain = line.replace(TIMESTAMP, '')
  const step = BUILD_STEP.exec(plain)
  if (!step) {
    const mark = INFORMATION.exec(plain)?.[0] ?? ''
    return { source: '', text: plain.slice(mark.length), information: mark !== '' }
  }
  const inner = plain.slice(step[0].length)
  // BuildKit's own messages start with the number.
  return { source: step[1] ?? '', text: step[0].endsWith(`${step[1]} `) ? plain : inner }
}

const STEP_TITLE = /^#\d+ \[(?!internal\])|^Step \d+\/\d+ : |^(?:> Task )?(?::[\w.-]+)+$/

/** A build step, a task. */
export const isStepTitle = (text: string): boolean => STEP_TITLE.test(text)

const STEP_FAILED =
  /^#\d+ ERROR|returned a non-zero code|^(?:> Task )?(?::[\w.-]+)+ FAILED$|^ FAILED$|^\[ERROR\] Failed to execute goal|^##\[error\]Process completed|^make(?:\[\d+\])?: \*\*\*/

/** The reason precedes it, in any tool's words. */
export const isStepFailure = (text: string): boolean => STEP_FAILED.test(text)
