/** A line of a report without what the tool that ran it put before it. */
export interface UnwrappedLine {
  /** Which of several steps printed it, where steps run side by side; '' where they do not. */
  readonly source: string
  readonly text: string
  /** Marked by its tool as said for information only. */
  readonly information?: boolean
}

/** BuildKit: `#12 3.407 npm error …`, or `#12 ERROR: …` of its own. */
const BUILD_STEP = /^(#\d+) (?:\d+\.\d+(?: |$))?/
/** What runs builds puts the time before every line. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z /
/** Maven marks what it says itself; what is wrong keeps its mark, since that is what the line is. */
const INFORMATION = /^\[INFO\](?: |$)/

/** The step that printed a line, and the line as its own tool printed it. */
export function unwrapLine(line: string): UnwrappedLine {
  const plain = line.replace(TIMESTAMP, '')
  const step = BUILD_STEP.exec(plain)
  if (!step) {
    const mark = INFORMATION.exec(plain)?.[0] ?? ''
    return { source: '', text: plain.slice(mark.length), information: mark !== '' }
  }
  const inner = plain.slice(step[0].length)
  // What BuildKit says of the step itself keeps the number: the marks of its lines begin with it.
  return { source: step[1] ?? '', text: step[0].endsWith(`${step[1]} `) ? plain : inner }
}

const STEP_TITLE = /^#\d+ \[(?!internal\])|^Step \d+\/\d+ : |^(?:> Task )?(?::[\w.-]+)+$/

/** A line that names what the lines after it belong to: a step of a build, a task. */
export const isStepTitle = (text: string): boolean => STEP_TITLE.test(text)

const STEP_FAILED =
  /^#\d+ ERROR|returned a non-zero code|^(?:> Task )?(?::[\w.-]+)+ FAILED$|^ FAILED$|^\[ERROR\] Failed to execute goal|^##\[error\]Process completed|^make(?:\[\d+\])?: \*\*\*/

/** A line that says that a step ended in failure: the reason stands before it, whatever words its tool uses. */
export const isStepFailure = (text: string): boolean => STEP_FAILED.test(text)
