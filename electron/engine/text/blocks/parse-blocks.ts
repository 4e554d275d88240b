import { type Block, PlainRow, type TableRow, TITLE_LEVEL } from './block.ts'
import { isMarkdownRow, isMarkdownRule, splitMarkdownRow } from '../tables/split-cells.ts'
import { readPlainTable } from '../tables/read-plain-table.ts'

const MAX_TITLE = 100
/** A short line is a title only when a text of at least this length follows. */
const MIN_BODY = 80
const MAX_HEADING = 200

/** Takes plain text, Markdown and tables in text (Markdown, delimited, aligned) apart, line by line. */
export function parseBlocks(text: string): Block[] {
  const lines = text.split(/\r\n|\n|\r/)
  const blocks: Block[] = []
  let i = 0
  while (i < lines.length) {
    const line = lines[i] ?? ''
    const next = lines[i + 1] ?? ''
    const heading = headingOf(line, next)
    if (line.trim() === '') i++
    else if (isBreak(line)) {
      blocks.push({ type: 'break' })
      i++
    } else if (heading !== undefined) {
      blocks.push({ type: 'heading', ...heading.block })
      i += heading.lines
    } else if (isFence(line)) i = readFence(lines, i, blocks)
    else if (isMarkdownRow(line) && (isMarkdownRule(next) || isMarkdownRow(next)))
      i = readMarkdownTable(lines, i, blocks)
    else {
      let end = i
      while (end < lines.length && !endsParagraph(lines, end, i)) end++
      const group = lines.slice(i, end)
      const table = readPlainTable(group)
      if (table === undefined) addParagraph(group, lines, end, blocks)
      else blocks.push(...table)
      i = end
    }
  }
  return blocks
}

function endsParagraph(lines: readonly string[], at: number, start: number): boolean {
  const line = lines[at] ?? ''
  if (line.trim() === '') return true
  if (at === start) return false
  return headingOf(line, lines[at + 1] ?? '') !== undefined || isFence(line) || isMarkdownRow(line)
}

function headingOf(
  line: string,
  next: string,
): { block: { level: number; text: string }; lines: number } | undefined {
  if (line.startsWith('#')) {
    const hashes = /^#{1,6}(?=\s+\S)/.exec(line)?.[0]
    if (hashes !== undefined) return { block: { level: hashes.length, text: line }, lines: 1 }
  }
  if (COMMIT.test(line)) return { block: { level: 1, text: line }, lines: 1 }
  const underlined = /^(?:={3,}|-{3,})\s*$/.test(next) && line.trim() !== '' && line.length < MAX_HEADING
  if (underlined && !isMarkdownRow(line) && !isBreak(line))
    return { block: { level: next.startsWith('=') ? 1 : 2, text: line }, lines: 2 }
  return undefined
}

/** What `git log` prints about a commit is known by its hash. */
const COMMIT = /^commit [0-9a-f]{7,64}(?: \(.*\))?$/

const isBreak = (line: string) => /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(line)
const isFence = (line: string) => /^\s*(?:```|~~~)/.test(line)

function readFence(lines: readonly string[], start: number, blocks: Block[]): number {
  let end = start + 1
  while (end < lines.length && !isFence(lines[end] ?? '')) end++
  const body = lines.slice(start + 1, end).join('\n')
  if (body.trim() !== '') blocks.push({ type: 'paragraph', text: body, byLine: true, isCode: true })
  return end + 1
}

function readMarkdownTable(lines: readonly string[], start: number, blocks: Block[]): number {
  const rows: TableRow[] = []
  let i = start
  for (; i < lines.length && isMarkdownRow(lines[i] ?? ''); i++) {
    const line = lines[i] ?? ''
    if (!isMarkdownRule(line)) rows.push(new PlainRow(line.trim(), splitMarkdownRow))
  }
  const [header, ...rest] = rows
  if (header !== undefined) blocks.push({ type: 'table', header, rows: rest })
  return i
}

function addParagraph(
  group: readonly string[],
  lines: readonly string[],
  end: number,
  blocks: Block[],
): void {
  const [first = '', ...rest] = group
  const isTitle =
    first.length < MAX_TITLE &&
    !/[.:;,]\s*$/.test(first) &&
    !/^\s/.test(first) &&
    !/^(?:[-*+•]|\d+[.)])\s/.test(first)
  const body = rest.length > 0 ? rest.join('\n') : nextParagraph(lines, end)
  if (isTitle && body.length >= MIN_BODY && (rest.length === 0 || (rest[0] ?? '').length >= MIN_BODY)) {
    blocks.push({ type: 'heading', level: TITLE_LEVEL, text: first })
    if (rest.length > 0) blocks.push({ type: 'paragraph', text: rest.join('\n') })
    return
  }
  blocks.push({ type: 'paragraph', text: group.join('\n'), byLine: isByLine(group) })
}

function nextParagraph(lines: readonly string[], from: number): string {
  for (let i = from; i < Math.min(lines.length, from + 3); i++) {
    const line = lines[i] ?? ''
    if (line.trim() !== '') return line
  }
  return ''
}

/** Indented or short lines and branches of a tree are entries, not wrapped prose. */
function isByLine(group: readonly string[]): boolean {
  if (group.length < 3) return false
  const entries = group.filter(
    (line) =>
      /^(?:[\s│├└]|[|+\\`](?:-+)? )/.test(line) ||
      /^[^\s:]{1,40}:(?:\s|$)/.test(line) ||
      /^\s*(?:[-*+•]|\d+[.)])\s/.test(line),
  )
  return entries.length > group.length * 0.5
}
