import { JsonLines, type JsonPart } from './json-parts.ts'

export interface LabelledText {
  readonly text: string
  readonly label?: string | undefined
  /** The text is a number of JSON: all of it or nothing is replaced. */
  readonly isNumber?: true
}

export interface Leaf {
  readonly text: string
  readonly label: string | undefined
  /** JSON quoting levels: insertions need as many escapes. */
  readonly quoted: number
  /** Of a number of JSON: what is written around a string in its place. */
  readonly quotes?: string
  /** Offset in the whole text (UTF-16). */
  toSource(offset: number): number
  /** With the quotation marks, in the whole text; undefined for a text that isn't within JSON. */
  readonly token?: { readonly start: number; readonly end: number }
}

/** Deeper ones count as plain text. */
const DEEPEST_QUOTING = 3
/** A server may quote what it got once or twice more. */
export const DEEPEST_RESTORED = 6

interface LeafOptions {
  /** Numbers under any key. */
  readonly all?: boolean
  readonly deepest?: number
}

/** Strings of JSON, and numbers under keys that may name those of persons. No keys and no syntax. */
export function leavesOf(
  { text, label, isNumber }: LabelledText,
  { all = false, deepest = DEEPEST_QUOTING }: LeafOptions = {},
): Leaf[] {
  const whole: Leaf = { text, label, quoted: 0, toSource: (offset) => offset }
  return isNumber ? [{ ...whole, quotes: '' }] : split(whole, all, deepest)
}

function split(leaf: Leaf, all: boolean, deepest: number): Leaf[] {
  if (leaf.quoted >= deepest || leaf.quotes !== undefined) return [leaf]
  const { text } = leaf
  const first = text.trimStart().charAt(0)
  // A text alone is JSON, too: "{\"phone\":1}".
  const isText = first === '"' && /^\s*"(?:\\+")*\s*[{[]/.test(text)
  if (first !== '{' && first !== '[' && !isText) return [leaf]
  const lines = isJson(text) ? [{ start: 0, end: text.length }] : jsonLines(text)
  if (!lines) return [leaf]
  return new JsonLines(text, leaf.label, all)
    .parts(lines)
    .flatMap((part) => split(leafOf(leaf, part), all, deepest))
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

function leafOf(parent: Leaf, { start, end, label, isNumber }: JsonPart): Leaf {
  const { text } = parent
  const token = { start: parent.toSource(start), end: parent.toSource(end) }
  if (isNumber) {
    return {
      text: text.slice(start, end),
      label,
      quoted: parent.quoted,
      quotes: QUOTES[parent.quoted] ?? '',
      toSource: (offset) => parent.toSource(start + offset),
      token,
    }
  }
  const content = text.slice(start + 1, end - 1)
  return content.includes('\\')
    ? escapedLeaf(parent, label, start, end, token)
    : {
        text: content,
        label,
        quoted: parent.quoted + 1,
        toSource: (offset) => parent.toSource(start + 1 + offset),
        token,
      }
}

/** A quotation mark by the quoting levels around it. */
const QUOTES: readonly string[] = ['"', String.raw`\"`, String.raw`\\\"`]

function escapedLeaf(
  parent: Leaf,
  label: string | undefined,
  start: number,
  end: number,
  token: Leaf['token'],
): Leaf {
  let offsets: number[] | undefined
  return {
    text: String(JSON.parse(parent.text.slice(start, end))),
    label,
    quoted: parent.quoted + 1,
    toSource: (offset) => {
      offsets ??= offsetsOfUnits(parent.text, start + 1, end - 1)
      return parent.toSource(offsets[offset] ?? end - 1)
    },
    ...(token && { token }),
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
