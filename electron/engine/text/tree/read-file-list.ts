export interface ListedPath {
  /** `/` between parts and after folders. */
  readonly path: string
  /** The original line. */
  readonly line: string
}

const LONG_LINE =
  /^[-dlbcps][rwxsStT-]{9}[+.@]?\s+\d+\s+\S+\s+\S+\s+[\d.,]+[KMGTB]?\s+(?:\w{3}\s+\d{1,2}\s+[\d:]{4,5}|\d{4}-\d\d-\d\d \d\d:\d\d(?::[\d.]+ [+-]\d{4})?)\s+(.+)$/
const FIND_LS = /^\s*\d+\s+\d+\s+([-dlbcps][rwxsStT-]{9}.*)$/
const DU_LINE = /^[\d.]+[KMGTP]?\t(.+)$/
const TAGGED = /^\[(FILE|DIR)\]\s+(.+)$/
const DIRECTORY_HEADER = /^(.+):$/
const LONGEST_LINE = 4000

/**
 * One path per line (find, git ls-files, du), `ls -l`, `ls -R` with headers, or `[FILE] name`. Skips totals,
 * blanks and errors.
 */
export function readFileList(text: string): ListedPath[] {
  const lines = text.split(/\r?\n/)
  const listed: ListedPath[] = []
  let folder = ''
  lines.forEach((line, i) => {
    if (line.length > LONGEST_LINE) return
    const bare = line.trim()
    if (bare === '' || /^total \d/.test(bare)) return
    const header = bare.endsWith(':') ? DIRECTORY_HEADER.exec(bare) : null
    if (header && (i === 0 || lines[i - 1]?.trim() === '')) {
      folder = normal(header[1] ?? '')
      if (folder !== '' && !folder.endsWith('/')) folder += '/'
      return
    }
    const entry = readEntry(bare)
    if (entry !== undefined) listed.push({ path: normal(folder + entry), line: bare })
  })
  return listed
}

/** Undefined for `.`, `..` and other text. */
function readEntry(line: string): string | undefined {
  if (!line.includes(' ') && !line.includes('\t')) return line === '.' || line === '..' ? undefined : line
  const tagged = TAGGED.exec(line)
  if (tagged) return tagged[1] === 'DIR' ? `${tagged[2]}/` : tagged[2]
  const long = LONG_LINE.exec(FIND_LS.exec(line)?.[1] ?? line)
  if (long) {
    const name = (long[1] ?? '').replace(/ -> .*$/, '')
    if (name === '.' || name === '..') return undefined
    return line.trimStart().startsWith('d') && !name.endsWith('/') ? `${name}/` : name
  }
  return DU_LINE.exec(line)?.[1] ?? line
}

function normal(path: string): string {
  const forward = path.includes('\\') ? path.replaceAll('\\', '/') : path
  const relative = forward.startsWith('./') ? forward.slice(2) : forward
  return relative.includes('//') ? relative.replace(/\/{2,}/g, '/') : relative
}
