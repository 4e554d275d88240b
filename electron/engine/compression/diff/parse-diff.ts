export interface DiffHunk {
  /** Characters of each line's sign: one for each parent, several in a merge's combined diff. */
  readonly signs: number
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

const HUNK = /^(@@+)((?: -\d+(?:,\d+)?)+) \+(\d+)(?:,(\d+))? \1/
const FILE_START = /^(?:diff --git |diff --cc |diff --combined |diff -|Index: )/
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
      const signs = (hunk[1] ?? '').length - 1
      const parents = [...(hunk[2] ?? '').matchAll(/-(\d+)(?:,(\d+))?/g)]
      const body = readHunk(lines, i + 1, [
        ...parents.map(([, , count]) => Number(count ?? 1)),
        Number(hunk[4] ?? 1),
      ])
      const oldStart = Number(parents[0]?.[1] ?? 0)
      hunks.push({ signs, oldStart, newStart: Number(hunk[3]), head: line, lines: body })
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

/** `counts`: lines of each parent, and then of the result. */
function readHunk(lines: readonly string[], from: number, counts: readonly number[]): string[] {
  const body: string[] = []
  const left = [...counts]
  const signs = counts.length - 1
  for (let i = from; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (line.startsWith('\\')) {
      body.push(line)
      continue
    }
    const own = line.slice(0, signs)
    if (left.every((count) => count <= 0) || !/^[ +-]*$/.test(own)) break
    const isGone = own.includes('-')
    for (let parent = 0; parent < signs; parent++) {
      const sign = own[parent] ?? ' '
      if (sign === '-' || (sign === ' ' && !isGone)) left[parent]!--
    }
    if (!isGone) left[signs]!--
    body.push(line)
  }
  return body
}

/** What a line is in the result: added to one of its parents, gone, or unchanged; a remark otherwise. */
export function signOf(line: string, { signs }: Pick<DiffHunk, 'signs'>): '+' | '-' | ' ' | '\\' {
  if (line.startsWith('\\')) return '\\'
  const own = line.slice(0, signs)
  return own.includes('-') ? '-' : own.includes('+') ? '+' : ' '
}

function makeFile(header: readonly string[], hunks: readonly DiffHunk[]): DiffFile {
  let added = 0
  let removed = 0
  for (const hunk of hunks)
    for (const line of hunk.lines) {
      const sign = signOf(line, hunk)
      if (sign === '+') added++
      else if (sign === '-') removed++
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
  const git = /^diff --(?:git|cc|combined) (?:a\/)?(.+?)(?: b\/.+)?$/.exec(header[0] ?? '')
  return git?.[1] ?? (header[0] ?? '').replace(/^Index: /, '')
}
