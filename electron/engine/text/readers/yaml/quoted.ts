import { isSpace } from '../source-lines.ts'
import type { TreeBuilder } from '../tree-builder.ts'

const DOUBLE = 0x22
const BACKSLASH = 0x5c

/** Behind the closing quote of the quote at a position; -1 without one. */
export function quotedStop(text: string, start: number): number {
  const quote = text[start] ?? '"'
  const isDouble = quote === '"'
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (isDouble) {
      let escapes = 0
      while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
      if (escapes % 2 === 0) return at + 1
    } else if (text[at + 1] === quote) at++
    else return at + 1
  }
  return -1
}

/** Gives a node between quotes its value, where that isn't its source. */
export function setQuoted(tree: TreeBuilder, node: number): void {
  const { text } = tree
  const start = tree.startOf(node)
  const source = text.slice(start, tree.stopOf(node))
  const value = decodeQuoted(source, text.charCodeAt(start - 1) === DOUBLE)
  if (value !== source) tree.setValue(node, value)
}

function decodeQuoted(source: string, isDouble: boolean): string {
  const folded = source.includes('\n') ? fold(source) : source
  if (!isDouble) return folded.replaceAll("''", "'")
  return folded.includes('\\') ? folded.replace(ESCAPE, decodeEscape) : folded
}

const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|\n\s*|(.))/g
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  a: '\u0007',
  e: '\u001b',
}

function decodeEscape(_: string, x?: string, u?: string, long?: string, one?: string): string {
  const code = x ?? u ?? long
  if (code !== undefined) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16)))
  return one === undefined ? '' : (ESCAPED[one] ?? one)
}

/** A line break is a blank, each blank line a line break. */
export function fold(source: string): string {
  const lines = source.split('\n')
  let value = ''
  let breaks = 0
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1
    const part = index === 0 ? (isLast ? line : line.trimEnd()) : isLast ? line.trimStart() : line.trim()
    if (index > 0 && part === '' && !isLast) breaks++
    else {
      if (index > 0) value += breaks > 0 ? '\n'.repeat(breaks) : ' '
      value += part
      breaks = 0
    }
  }
  return value
}

/** Lines of a block scalar without their indentation; `style` is its indicator: `|`, `>-`, `|2+`. */
export function blockValue(source: string, indent: number, style: string): string {
  const lines = source.split('\n').map((line) => {
    const end = line.endsWith('\r') ? line.length - 1 : line.length
    let at = 0
    while (at < indent && at < end && isSpace(line.charCodeAt(at))) at++
    return line.slice(at, end)
  })
  if (!style.startsWith('>')) return lines.join('\n')
  let value = lines[0] ?? ''
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const before = lines[i - 1] ?? ''
    const isVerbatim = line.startsWith(' ') || before.startsWith(' ')
    value += line === '' || isVerbatim ? `\n${line}` : before === '' ? line : ` ${line}`
  }
  return value
}
