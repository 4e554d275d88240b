import { ArrayColumns, mayHaveRows } from './array-columns.ts'

export interface LabelledText {
  readonly text: string
  readonly label?: string | undefined
}

export interface Leaf {
  readonly text: string
  readonly label: string | undefined
  /** JSON quoting levels: insertions need as many escapes. */
  readonly quoted: number
  /** Offset in the whole text (UTF-16). */
  toSource(offset: number): number
}

/** Deeper ones count as plain text. */
const DEEPEST_QUOTING = 3
const LONGEST_LABEL = 60

/** Without JSON keys, numbers and syntax. */
export const leavesOf = ({ text, label }: LabelledText): Leaf[] =>
  split({ text, label, quoted: 0, toSource: (offset) => offset })

function split(leaf: Leaf): Leaf[] {
  if (leaf.quoted >= DEEPEST_QUOTING) return [leaf]
  const { text } = leaf
  const first = text.trimStart().charAt(0)
  if (first !== '{' && first !== '[') return [leaf]
  const lines = isJson(text) ? [{ start: 0, end: text.length }] : jsonLines(text)
  return lines ? stringsInLines(leaf, lines).flatMap(split) : [leaf]
}

/** Each line a JSON object or array. A number alone is plain text. */
function jsonLines(text: string): { start: number; end: number }[] | undefined {
  const lines: { start: number; end: number }[] = []
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    if (line.trim() !== '') {
      if (!/^\s*[{[]/.test(line) || !isJson(line)) return undefined
      lines.push({ start, end })
    }
    start = end + 1
  }
  return lines
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function stringsInLines(parent: Leaf, lines: readonly { start: number; end: number }[]): Leaf[] {
  const leaves: Leaf[] = []
  const columns = mayHaveRows(parent.text)
    ? new ArrayColumns((index, header) => {
        const leaf = leaves[index]
        if (leaf && header.length <= LONGEST_LABEL) leaves[index] = { ...leaf, label: header }
      })
    : undefined
  for (const { start, end } of lines) addStrings(leaves, parent, start, end, columns)
  return leaves
}

function addStrings(
  leaves: Leaf[],
  parent: Leaf,
  start: number,
  end: number,
  columns: ArrayColumns | undefined,
): void {
  const { text } = parent
  let label = parent.label
  let read = start
  for (let open = text.indexOf('"', start); open >= 0 && open < end;) {
    const close = closingQuote(text, open)
    const content = text.slice(open + 1, close)
    columns?.read(text, read, open)
    read = close + 1
    if (isKey(text, close + 1)) {
      label = content.length <= LONGEST_LABEL ? content : undefined
    } else {
      columns?.string(content, content === '' ? undefined : leaves.length)
      if (content !== '')
        leaves.push(
          content.includes('\\') ? escapedLeaf(parent, label, open) : plainLeaf(parent, label, open, content),
        )
    }
    open = text.indexOf('"', close + 1)
  }
  columns?.read(text, read, end)
}

function closingQuote(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); ; close = text.indexOf('"', close + 1)) {
    let slashes = 0
    while (text.charCodeAt(close - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return close
  }
}

function isKey(text: string, after: number): boolean {
  let index = after
  for (let code = text.charCodeAt(index); code === 32 || (code >= 9 && code <= 13);) {
    code = text.charCodeAt(++index)
  }
  return text.charAt(index) === ':'
}

const plainLeaf = (parent: Leaf, label: string | undefined, open: number, text: string): Leaf => ({
  text,
  label,
  quoted: parent.quoted + 1,
  toSource: (offset) => parent.toSource(open + 1 + offset),
})

function escapedLeaf(parent: Leaf, label: string | undefined, open: number): Leaf {
  const close = closingQuote(parent.text, open)
  let offsets: number[] | undefined
  return {
    text: String(JSON.parse(parent.text.slice(open, close + 1))),
    label,
    quoted: parent.quoted + 1,
    toSource: (offset) => {
      offsets ??= offsetsOfUnits(parent.text, open + 1, close)
      return parent.toSource(offsets[offset] ?? close)
    },
  }
}

function offsetsOfUnits(source: string, start: number, end: number): number[] {
  const offsets: number[] = []
  for (let index = start; index < end;) {
    offsets.push(index)
    if (source.charAt(index) !== '\\') index += 1
    else index += source.charAt(index + 1) === 'u' ? 6 : 2
  }
  return offsets
}
