/** The sign (' ', '+', '-' or '\\') is each line's first character. */
export interface DiffHunk {
  readonly oldStart: number
  readonly newStart: number
  /** Its first line: line numbers, and usually the function around it. */
  readonly head: string
  readonly lines: readonly string[]
}

export interface DiffFile {
  readonly path: string
  /** Lines before the first hunk: names, modes, "Binary files differ". */
  readonly header: readonly string[]
  readonly hunks: readonly DiffHunk[]
  readonly added: number
  readonly removed: number
}

/** A commit, or all of a diff without any: the text before its files, and these. */
export interface DiffPart {
  readonly message: readonly string[]
  readonly files: readonly DiffFile[]
}

const HUNK = /^@@+ -(\d+)(?:,(\d+))? (?:-\d+(?:,\d+)? )*\+(\d+)(?:,(\d+))? @@/
const FILE_START = /^(?:diff --git |diff --cc |diff -|Index: )/
const EXTENDED_HEADER =
  /^(?:index |old mode|new mode|new file|deleted file|copy |rename |similarity|dissimilarity|Binary files|GIT binary patch|={20,}|--- |\+\+\+ |mode )/

/** Any tool's unified diff; text between files begins another part. */
export function parseDiff(text: string): DiffPart[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const parts: { message: string[]; files: DiffFile[] }[] = [{ message: [], files: [] }]
  let header: string[] = []
  let hunks: DiffHunk[] = []
  let hasFile = false

  const finish = (): void => {
    if (!hasFile) return
    parts.at(-1)?.files.push(makeFile(header, hunks))
    header = []
    hunks = []
  }
  const say = (line: string): void => {
    if (line.trim() === '') return
    if ((parts.at(-1)?.files.length ?? 0) > 0) parts.push({ message: [], files: [] })
    parts.at(-1)?.message.push(line)
  }
  let i = 0
  while (i < lines.length) {
    const line = lines[i] ?? ''
    const hunk = HUNK.exec(line)
    if (hunk && hasFile) {
      const body = readHunk(lines, i + 1, Number(hunk[2] ?? 1), Number(hunk[4] ?? 1))
      hunks.push({ oldStart: Number(hunk[1]), newStart: Number(hunk[3]), head: line, lines: body })
      i += 1 + body.length
      continue
    }
    const startsBare = line.startsWith('--- ') && (lines[i + 1] ?? '').startsWith('+++ ')
    if (FILE_START.test(line) || (startsBare && (!hasFile || hunks.length > 0))) {
      finish()
      hasFile = true
      header.push(line)
    } else if (hasFile && (hunks.length === 0 || EXTENDED_HEADER.test(line))) header.push(line)
    else if (hasFile) {
      finish()
      hasFile = false
      say(line)
    } else say(line)
    i++
  }
  finish()
  return parts
}

function readHunk(lines: readonly string[], from: number, oldCount: number, newCount: number): string[] {
  const body: string[] = []
  let oldLeft = oldCount
  let newLeft = newCount
  for (let i = from; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const sign = line[0] ?? ' '
    if (sign === '\\') {
      body.push(line)
      continue
    }
    if (oldLeft <= 0 && newLeft <= 0) break
    if (sign === '+') newLeft--
    else if (sign === '-') oldLeft--
    else if (sign === ' ') {
      oldLeft--
      newLeft--
    } else break
    body.push(line)
  }
  return body
}

function makeFile(header: readonly string[], hunks: readonly DiffHunk[]): DiffFile {
  let added = 0
  let removed = 0
  for (const { lines } of hunks)
    for (const line of lines) {
      if (line.startsWith('+')) added++
      else if (line.startsWith('-')) removed++
    }
  return { path: pathOf(header), header, hunks, added, removed }
}

function pathOf(header: readonly string[]): string {
  const named = (prefix: string) =>
    header
      .find((line) => line.startsWith(prefix))
      ?.slice(prefix.length)
      .replace(/\t.*$/, '')
  const after = named('+++ ')
  const before = named('--- ')
  const path = after !== undefined && after !== '/dev/null' ? after : before
  if (path !== undefined && path !== '/dev/null') return path.replace(/^[ab]\//, '')
  const renamed = named('rename to ') ?? named('copy to ')
  if (renamed !== undefined) return renamed
  const git = /^diff --(?:git|cc) (?:a\/)?(.+?)(?: b\/.+)?$/.exec(header[0] ?? '')
  return git?.[1] ?? (header[0] ?? '').replace(/^Index: /, '')
}
