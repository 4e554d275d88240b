import { type Block, PlainRow, type TableRow, TITLE_LEVEL } from './block.ts'
import { isMarkdownRow, isMarkdownRule, splitMarkdownRow } from '../tables/split-cells.ts'
import { readPlainTable } from '../tables/read-plain-table.ts'

const MAX_TITLE = 100
/** Least length of text after a short line that makes it a title. */
const MIN_BODY = 80
const MAX_HEADING = 200
/** What documentation has behind a heading: a link to itself. */
const PERMALINK = /\s*(?:<a [^>]*>[^<\p{L}\p{N}]*<\/a>|(?<!!)\[[^\]\p{L}\p{N}]*\]\([^)]*\))\s*$/u

/** From `first` to before `end`. */
export interface LineGroup {
  readonly type: 'break' | 'heading' | 'fence' | 'table' | 'paragraph'
  readonly first: number
  readonly end: number
  /** 1 is outermost. */
  readonly level: number
}

/** Plain text, Markdown and text tables (Markdown, delimited, aligned), by line. */
export function parseBlocks(text: string): Block[] {
  const lines = text.split(/\r\n|\n|\r/)
  const blocks: Block[] = []
  const hangs = isHanging(lines)
  for (const { type, first, end, level } of lineGroups(lines)) {
    const line = lines[first] ?? ''
    if (type === 'break') blocks.push({ type })
    else if (type === 'heading') blocks.push({ type, level, text: line.replace(PERMALINK, ' …') })
    else if (type === 'fence') readFence(lines, first, end, blocks)
    else if (type === 'table') readMarkdownTable(lines, first, end, blocks)
    else if (hangs)
      for (const [from, to] of hangingParts(lines, first, end)) readParagraph(lines, from, to, hangs, blocks)
    else readParagraph(lines, first, end, hangs, blocks)
  }
  return blocks
}

function readParagraph(
  lines: readonly string[],
  first: number,
  end: number,
  hangs: boolean,
  blocks: Block[],
): void {
  const group = lines.slice(first, end)
  const title = hangs ? hangingTitle(group, lines, end) : undefined
  if (title !== undefined) {
    blocks.push({ type: 'heading', level: title, text: group[0] ?? '' })
    group.shift()
    if (group.length === 0) return
  }
  const table = group.every((line) => ENTRY.test(line)) ? undefined : readPlainTable(group)
  if (table === undefined) addParagraph(group, lines, end, blocks)
  else blocks.push(...table)
}

/** Parts that begin with a title below deeper text: the next option, without a blank line before it. */
function* hangingParts(
  lines: readonly string[],
  first: number,
  end: number,
): Generator<readonly [first: number, end: number]> {
  let from = first
  for (let at = first + 1; at + 1 < end; at++) {
    const indent = indentOf(lines[at] ?? '')
    const isBelow = indentOf(lines[at - 1] ?? '') > indent
    if (!isBelow || indentOf(lines[at + 1] ?? '') < indent + 2 || !mayBeTitle(lines[at] ?? '')) continue
    yield [from, at]
    from = at
  }
  yield [from, end]
}

const mayBeTitle = (line: string): boolean =>
  line.length < MAX_TITLE && !/[.:;,{]\s*$/.test(line) && !ENTRY.test(line)

/** In order, without blank lines. */
export function* lineGroups(lines: readonly string[]): Iterable<LineGroup> {
  const marks: string[] = []
  const read = hashesAreComments(lines) ? otherHeadingOf : anyHeadingOf
  const headingOf = (line: string, next: string): Heading | undefined => read(line, next, marks)
  for (let first = 0, end = 0; first < lines.length; first = end) {
    const line = lines[first] ?? ''
    const next = lines[first + 1] ?? ''
    end = first + 1
    if (line.trim() === '') continue
    if (isBreak(line)) {
      yield { type: 'break', first, end, level: 0 }
      continue
    }
    const heading = headingOf(line, next)
    if (heading !== undefined) {
      end = first + heading.lines
      yield { type: 'heading', first, end, level: heading.level }
    } else if (isFence(line)) {
      while (end < lines.length && !isFence(lines[end] ?? '')) end++
      end++
      yield { type: 'fence', first, end: Math.min(end, lines.length), level: 0 }
    } else if (isMarkdownRow(line) && (isMarkdownRule(next) || isMarkdownRow(next))) {
      while (end < lines.length && isMarkdownRow(lines[end] ?? '')) end++
      yield { type: 'table', first, end, level: 0 }
    } else {
      while (end < lines.length && !endsParagraph(lines, end, headingOf)) end++
      yield { type: 'paragraph', first, end, level: 0 }
    }
  }
}

interface Heading {
  readonly level: number
  readonly lines: number
}
/** `marks`: what underlines titles besides `=` and `-`, the outermost first, as they come. */
type HeadingOf = (line: string, next: string, marks: string[]) => Heading | undefined

/** In settings and scripts: many, of one level, with text directly below. */
function hashesAreComments(lines: readonly string[]): boolean {
  let top = 0
  let deeper = 0
  let attached = 0
  let isFenced = false
  lines.forEach((line, i) => {
    if (isFence(line)) isFenced = !isFenced
    if (isFenced || !line.startsWith('#')) return
    if (/^##+\s+\S/.test(line)) deeper++
    else if (/^#\s+\S/.test(line)) {
      top++
      if ((lines[i + 1] ?? '').trim() !== '') attached++
    }
  })
  return top >= 3 && top > 3 * deeper && attached > 0.6 * top
}

function endsParagraph(
  lines: readonly string[],
  at: number,
  headingOf: (line: string, next: string) => Heading | undefined,
): boolean {
  const line = lines[at] ?? ''
  if (line.trim() === '') return true
  return headingOf(line, lines[at + 1] ?? '') !== undefined || isFence(line) || isMarkdownRow(line)
}

/** Markdown's, AsciiDoc's, MediaWiki's, reStructuredText's. */
const anyHeadingOf: HeadingOf = (line, next, marks) => {
  const hashes = line.startsWith('#') ? /^#{1,6}(?=\s+\S)/.exec(line)?.[0] : undefined
  return hashes === undefined ? otherHeadingOf(line, next, marks) : { level: hashes.length, lines: 1 }
}

const otherHeadingOf: HeadingOf = (line, next, marks) => {
  if (COMMIT.test(line)) return { level: 1, lines: 1 }
  const equals = line.startsWith('=') ? /^={1,6}(?=\s+\S.{0,200}$)/.exec(line)?.[0] : undefined
  if (equals !== undefined) return { level: equals.length, lines: 1 }
  if (isUnderline(next, line)) {
    const mark = next.charAt(0)
    if (!marks.includes(mark)) marks.push(mark)
    return { level: Math.min(6, 3 + marks.indexOf(mark)), lines: 2 }
  }
  const underlined = /^(?:={3,}|-{3,})\s*$/.test(next) && line.trim() !== '' && line.length < MAX_HEADING
  if (underlined && !isMarkdownRow(line) && !isBreak(line))
    return { level: next.startsWith('=') ? 1 : 2, lines: 2 }
  const parts = NUMBERED.exec(line)?.[1]?.split('.').length
  // A list of contents has only such lines.
  return parts === undefined || NUMBERED.test(next) ? undefined : { level: Math.min(6, parts), lines: 1 }
}

/** Of reStructuredText: as long as the title at least. What ends in a colon introduces a fence of tildes. */
const isUnderline = (next: string, title: string): boolean =>
  title.length > 2 && title.length <= next.length && /^\S.*[^:]$/.test(title) && UNDERLINE.test(next)
const UNDERLINE = /^([~^"'+*#.:_])\1{3,}\s*$/

/** "B.4.6. Time zone", of at least two parts: "2. Milk" may be an entry of a list. */
const NUMBERED = /^((?:\d{1,3}|[A-Z])(?:\.\d{1,3}){1,5})\.?\s+(?=\S)[^.!?,;:=|]{2,90}$/

/** Hashes identify commits of `git log`. */
const COMMIT = /^commit [0-9a-f]{7,64}(?: \(.*\))?$/

const isBreak = (line: string) => /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(line)
const isFence = (line: string) => /^\s*(?:```|~~~)/.test(line)

function readFence(lines: readonly string[], first: number, end: number, blocks: Block[]): void {
  const isClosed = end - first > 1 && isFence(lines[end - 1] ?? '')
  const body = lines.slice(first + 1, isClosed ? end - 1 : end).join('\n')
  if (body.trim() !== '') blocks.push({ type: 'paragraph', text: body, byLine: true, isCode: true })
}

function readMarkdownTable(lines: readonly string[], first: number, end: number, blocks: Block[]): void {
  const [header, ...rows] = lines
    .slice(first, end)
    .filter((line) => !isMarkdownRule(line))
    .map((line): TableRow => new PlainRow(line.trim(), splitMarkdownRow))
  if (header !== undefined) blocks.push({ type: 'table', header, rows })
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** Manuals: most text is indented below what it is about. */
function isHanging(lines: readonly string[]): boolean {
  let all = 0
  let indented = 0
  for (const line of lines) {
    if (line.trim() === '') continue
    all++
    if (/^(?: {2,}|\t)/.test(line)) indented++
  }
  return indented > 0.5 * all && indented > 20
}

/** The level of a line that deeper indented text follows; undefined for others. */
function hangingTitle(group: readonly string[], lines: readonly string[], end: number): number | undefined {
  const [first = '', second = nextParagraph(lines, end)] = group
  const indent = indentOf(first)
  const isAbove = second !== '' && indentOf(second) >= indent + 2
  if (!isAbove || !mayBeTitle(first)) return undefined
  if (group.slice(1).some((line) => indentOf(line) <= indent)) return undefined
  return Math.min(6, 2 + Math.ceil(indent / 4))
}

const ENTRY = /^\s*(?:[-*+•] |\d+[.)]\s|[│├└|])/

function addParagraph(
  group: readonly string[],
  lines: readonly string[],
  end: number,
  blocks: Block[],
): void {
  const [first = '', ...rest] = group
  if (isMailHead(group)) {
    blocks.push({ type: 'heading', level: 1, text: first })
    blocks.push({ type: 'paragraph', text: rest.join('\n'), byLine: true, isMeta: true })
    return
  }
  const signature = group.findIndex((line) => /^-- ?$/.test(line))
  if (signature >= 0) {
    if (signature > 0) addParagraph(group.slice(0, signature), [], 0, blocks)
    blocks.push({ type: 'paragraph', text: group.slice(signature).join('\n'), isMeta: true })
    return
  }
  const isTitle =
    first.length < MAX_TITLE &&
    !/[.:;,]\s*$/.test(first) &&
    !/^\s/.test(first) &&
    !/^(?:[-*+•]|\d+[.)])\s/.test(first) &&
    !PICTURE.test(first)
  const body = rest.length > 0 ? rest.join('\n') : nextParagraph(lines, end)
  if (isTitle && body.length >= MIN_BODY && (rest.length === 0 || (rest[0] ?? '').length >= MIN_BODY)) {
    blocks.push({ type: 'heading', level: TITLE_LEVEL, text: first })
    if (rest.length > 0) blocks.push({ type: 'paragraph', text: rest.join('\n') })
    return
  }
  blocks.push({ type: 'paragraph', text: group.join('\n'), byLine: isByLine(group) })
}

/** Who sends it, and further fields: a mail begins, and what was above doesn't apply. */
const isMailHead = (group: readonly string[]): boolean =>
  group.length >= 3 &&
  /^From:? .*@/.test(group[0] ?? '') &&
  group.slice(1).every((line) => /^(?:[A-Z][\w-]{1,30}: |\s+\S)/.test(line)) &&
  group.some((line) => /^(?:Date|Sent|Subject): /.test(line))

/** A picture, perhaps as a link, and tags. */
const PICTURE = /^(?:\[?!\[|<)/

function nextParagraph(lines: readonly string[], from: number): string {
  for (let i = from; i < Math.min(lines.length, from + 3); i++) {
    const line = lines[i] ?? ''
    if (line.trim() !== '') return line
  }
  return ''
}

/** Indented or short lines, tree branches and lines below comments are entries, not wrapped prose. */
function isByLine(group: readonly string[]): boolean {
  if (group.length > 1 && group.some(isCommentLine)) return true
  if (group.length < 3) return false
  const entries = group.filter(
    (line) =>
      /^(?:[\s│├└]|[|+\\`](?:-+)? )/.test(line) ||
      /^[^\s:]{1,40}:(?:\s|$)/.test(line) ||
      /^\s*(?:[-*+•]|\d+[.)])\s/.test(line),
  )
  return entries.length > group.length * 0.5
}

/** "# words" or a bare sign: "#key value" is a setting that is off. */
export const isCommentLine = (line: string): boolean => /^\s*(?:#+|\/\/+|;+|--)(?:\s|$)/.test(line)
