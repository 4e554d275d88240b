/** Quotes as in RFC 4180. */
export function splitDelimited(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter)
  const cells: string[] = []
  let cell = ''
  let start = 0
  let quoted = false
  const parting = delimiter.charCodeAt(0)
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code === QUOTE) {
      if (quoted && line[i + 1] === '"') {
        cell += line.slice(start, ++i)
        start = i + 1
      } else if (quoted || (cell === '' && (i === start || line.slice(start, i).trim() === ''))) {
        cell = quoted ? cell + line.slice(start, i) : ''
        quoted = !quoted
        start = i + 1
      }
      // Inside quotes only a quote is special.
      if (quoted) i = (line.indexOf('"', i + 1) + 1 || line.length + 1) - 2
    } else if (code === parting && !quoted) {
      cells.push(cell + line.slice(start, i))
      cell = ''
      start = i + 1
    }
  }
  cells.push(cell + line.slice(start))
  return cells
}

const QUOTE = 34

/** Backslashes escape bars. */
export function splitMarkdownRow(line: string): string[] {
  const cells: string[] = []
  const row = line.trim()
  let start = row.startsWith('|') ? 1 : 0
  for (let i = row.indexOf('|', start); i >= 0; i = row.indexOf('|', i + 1)) {
    if (i > 0 && row[i - 1] === '\\') continue
    cells.push(row.slice(start, i).trim())
    start = i + 1
  }
  if (start < row.length) cells.push(row.slice(start).trim())
  return cells
}

/** Two blanks or a tab separate cells. */
export const splitAligned = (line: string): string[] => line.trim().split(/\t+| {2,}/)

export const isMarkdownRow = (line: string): boolean => {
  const row = line.trim()
  return row.length > 2 && row.startsWith('|') && row.endsWith('|')
}

export const isMarkdownRule = (line: string): boolean => line.includes('-') && /^[\s:|-]+$/.test(line)
