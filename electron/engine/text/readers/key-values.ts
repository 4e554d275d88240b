import { COMMENT } from './comments.ts'
import { NODE } from '../tree/json-document.ts'
import { hasBanners, isNumbered, markOf, periodicKey } from './key-values/record-starts.ts'
import { printLines } from './print-lines.ts'
import type { Reader, Reading } from './reading.ts'
import { readPairs } from './key-values/pairs.ts'
import { isBlank, isSpace, lineOf, sourceLines, trimEnd, trimStart } from './source-lines.ts'
import type { SourceLines } from './source-lines.ts'
import { TreeBuilder } from './tree-builder.ts'

/** Least share of characters in keys and values, and of lines with a key. */
const MOSTLY = 0.8
const KEYED = 0.5
const SAMPLE = 150
/** That begin alike, where the first does not. */
const LEAST_PARAGRAPHS = 4
const KEY = /^[ \t]*[\p{L}_/<>*%][^\n:=|]{0,60}?[ \t]*([:=|])(?:[ \t]|$)/u
/** Below a mark also `[Group] Key`. */
const KEY_OF_RECORD = /^[ \t]*[\p{L}_/<>*%[][^\n:=|]{0,60}?[ \t]*([:=|])(?:[ \t]|$)/u
const TIGHT = /^[ \t]*[A-Za-z_][\w.-]{0,60}([:=])(?!\/\/|\d+:)/

/** Lines of `Key: value`, nested by indentation, in one record or several: descriptions, stanzas, headers. */
export const keyValuesReader: Reader = {
  format: 'key-values',
  read(text): Reading | undefined {
    const lines = sourceLines(text)
    const hasMarks =
      isNumbered(text) || hasBanners({ count: lines.count, line: (line) => lineOf(lines, line) })
    const separator = separatorOf(lines, hasMarks)
    return separator === undefined ? undefined : new KeyValuesReader(lines, separator, hasMarks).read()
  },
}

function separatorOf(lines: SourceLines, hasMarks: boolean): string | undefined {
  const counts = new Map<string, number>()
  let all = 0
  for (let line = 0; line < lines.count && all < SAMPLE; line++) {
    if (isBlank(lines, line)) continue
    const source = lineOf(lines, line).slice(0, 200)
    if (hasMarks && markOf(source.trim()) !== undefined) continue
    all++
    if (HEADING.test(source)) continue
    const separator =
      (hasMarks ? KEY_OF_RECORD : KEY).exec(source)?.[1] ?? TIGHT.exec(source)?.[1]?.replace(':', TIGHT_COLON)
    if (separator !== undefined && (separator !== '|' || hasMarks))
      counts.set(separator, (counts.get(separator) ?? 0) + 1)
  }
  let best: string | undefined
  for (const [separator, count] of counts)
    if (count >= 2 && count >= all * KEYED && count > (best === undefined ? 0 : (counts.get(best) ?? 0)))
      best = separator
  return best
}

/** As a separator: a colon without a blank behind it. */
const TIGHT_COLON = ';'
const HEADING = /^# \S/

type Place = 'column' | 'start' | 'value' | 'stop'

interface Open {
  readonly column: number
  /** Container, or the leaf that deeper lines go on with. */
  readonly node: number
  /** Of a line without a key, above deeper ones. */
  readonly isTitle?: boolean
}

class KeyValuesReader {
  readonly #lines: SourceLines
  readonly #text: string
  readonly #tree: TreeBuilder
  readonly #separator: number
  /** No blank has to follow the separator. */
  readonly #isTight: boolean
  /** What begins a record: a mark, or the first key where it is repeated. */
  readonly #first: string | undefined
  /** The same without blank lines between records, whose lines may also have equal keys. */
  readonly #periodic: string | undefined
  readonly #hasMarks: boolean
  /** Leaves of lines with several pairs; undefined where few lines have them. */
  readonly #pairs: Set<number> | undefined
  /** Lines that begin a record: its paragraph's first, or a title right above its first key. */
  readonly #starts = new Set<number>()
  /** Keys end at one column, so their indentation means nothing. */
  readonly #isFlat: boolean
  #open: Open[] = []
  #line = 0
  #explained = 0
  #keyed = 0

  constructor(lines: SourceLines, separator: string, hasMarks: boolean) {
    this.#lines = lines
    this.#text = lines.text
    this.#tree = new TreeBuilder(lines.text)
    this.#separator = separator === TIGHT_COLON ? 0x3a : separator.charCodeAt(0)
    this.#isTight = separator === TIGHT_COLON || separator === '='
    this.#hasMarks = hasMarks
    this.#pairs = separator === '=' && hasPairLines(lines) ? new Set() : undefined
    this.#isFlat = this.#hasMarks || this.#isRightAligned()
    this.#first = hasMarks ? undefined : this.#repeatedKey()
    this.#periodic =
      hasMarks || this.#first !== undefined
        ? undefined
        : periodicKey(lines.count, (line) => (this.#isIndented(line) ? undefined : this.#keyOf(line)))
    if (this.#first !== undefined || this.#periodic !== undefined) this.#findStarts()
  }

  read(): Reading | undefined {
    const { count, size } = this.#lines
    const isPeriodic = this.#periodic !== undefined
    const isList = this.#hasMarks || this.#first !== undefined || isPeriodic
    if (!isList) this.#tree.begin(NODE.object, -1, 0)
    let content = 0
    for (this.#line = 0; this.#line < count; this.#line++) {
      if (isBlank(this.#lines, this.#line)) continue
      content++
      this.#readLine(isList)
    }
    this.#closeTo(-2)
    if (this.#keyed < Math.max(2, content * KEYED) || this.#explained < size * MOSTLY) return undefined
    const document = this.#tree.finish()
    const { heads, flows } = this.#tree
    const explained = this.#explained / Math.max(1, size)
    return {
      format: isPeriodic || this.#hasMarks ? 'stanzas' : 'key-values',
      document,
      explained,
      print: (chosen, textOf) =>
        printLines({ document, heads, flows, pairs: this.#pairs, between: '' }, chosen, textOf),
    }
  }

  /** With its paragraph's first line, a record has the title above its first key. */
  #findStarts(): void {
    const opening = (this.#first ?? this.#periodic)?.trim()
    let paragraph = this.#text.includes('\n\n') ? 0 : -1
    for (let line = 0; line < this.#lines.count; line++) {
      if (isBlank(this.#lines, line)) paragraph = line + 1
      if (this.#keyOf(line)?.trim() !== opening || (!this.#isFlat && this.#isIndented(line))) continue
      const isTitled = line > 0 && this.#isTitle(line - 1)
      this.#starts.add(paragraph >= 0 ? paragraph : isTitled ? line - 1 : line)
      // Further ones of a paragraph begin records where they are.
      paragraph = -1
    }
  }

  #isTitle(line: number): boolean {
    const text = lineOf(this.#lines, line).trimEnd()
    return this.#keyOf(line) === undefined && !this.#isIndented(line) && text !== '' && !WORD.test(text)
  }

  /** The key that paragraphs begin with, comments aside: the first line's if another has it, otherwise that of most below a preface. */
  #repeatedKey(): string | undefined {
    const { count } = this.#lines
    const counts = new Map<string, number>()
    let first: string | undefined
    let paragraphs = 0
    let isOpen = true
    for (let line = 0; line < count; line++) {
      const isEmpty = isBlank(this.#lines, line)
      const isComment = !this.#isTight && this.#text.charCodeAt(this.#lines.starts[line] ?? 0) === HASH
      const isFirst: boolean = isOpen && !isEmpty && !isComment
      isOpen = isEmpty || (isOpen && !isFirst)
      if (!isFirst) continue
      const key = this.#keyOf(line)
      if (paragraphs++ === 0) first = key
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const isOfRecords = (key: string | undefined, least: number): key is string =>
      key !== undefined && (this.#isFlat || !key.startsWith(' ')) && (counts.get(key) ?? 0) >= least
    if (isOfRecords(first, 2)) return first
    const [most] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])
    return isOfRecords(most, Math.max(LEAST_PARAGRAPHS, paragraphs * MOSTLY)) ? most : undefined
  }

  #isRightAligned(): boolean {
    let column = -1
    let indented = 0
    for (let line = 0; line < Math.min(SAMPLE, this.#lines.count); line++) {
      const begin = this.#lines.starts[line] ?? 0
      const edge = this.#edgeOf(begin, this.#lines.stops[line] ?? 0)
      if (edge < 0) continue
      if (column >= 0 && edge - begin !== column) return false
      column = edge - begin
      if (isSpace(this.#text.charCodeAt(begin))) indented++
    }
    return indented > 0
  }

  #keyOf(line: number): string | undefined {
    const begin = this.#lines.starts[line] ?? 0
    const edge = this.#edgeOf(begin, this.#lines.stops[line] ?? 0)
    return edge < 0 ? undefined : this.#text.slice(begin, trimEnd(this.#text, begin, edge))
  }

  /** The separator behind a line's key; -1 without one. */
  #edgeOf(start: number, stop: number): number {
    const text = this.#text
    for (let at = start; at < Math.min(stop, start + LONGEST_KEY); at++) {
      const code = text.charCodeAt(at)
      if (code === this.#separator && (this.#isTight || at + 1 >= stop || isSpace(text.charCodeAt(at + 1))))
        return at > start ? at : -1
    }
    return -1
  }

  #readLine(isList: boolean): void {
    const text = this.#text
    const begin = this.#lines.starts[this.#line] ?? 0
    const stop = this.#lines.stops[this.#line] ?? 0
    const start = trimStart(text, begin, stop)
    const column = this.#isFlat ? 0 : start - begin
    const mark = this.#hasMarks && stop - start < LONGEST_MARK ? markOf(text.slice(start, stop)) : undefined
    if (mark !== undefined) return this.#beginMarked(mark.name, start, stop)
    const edge = this.#edgeOf(start, stop)
    if (isList && !this.#hasMarks && (this.#starts.has(this.#line) || this.#tree.container === 0))
      this.#beginRecord(start, start)
    if (text.charCodeAt(start) === HASH && (this.#isTight || isList))
      return this.#isTight ? this.#beginSection(start, stop) : this.#addComment(start, stop)
    if (edge < 0) return this.#goOn(column, start, stop)
    const name = text.slice(start, trimEnd(text, start, edge))
    this.#closeTo(column)
    this.#explained += stop - start
    this.#keyed++
    const key = this.#tree.keyId(name.replace(/\s{2,}/g, ' '))
    const value = trimStart(text, edge + 1, stop)
    const further = this.#pairs === undefined ? [] : furtherPairs(text, value, stop)
    if (further.length > 0) this.#addPairs(column, start, [...further, stop])
    else if (value < stop && this.#hasKeysBelow(column)) this.#beginValue(key, { column, start, value, stop })
    else if (value < stop && !this.#isDeeper(column) && readPairs(this.#tree, key, { start, value, stop }))
      return
    else if (value < stop)
      this.#open.push({ column, node: this.#tree.leaf(NODE.text, key, value, stop, start) })
    else if (this.#isDeeper(column)) {
      const node = this.#tree.begin(NODE.object, key, stop, start)
      this.#open.push({ column, node })
    } else this.#tree.leaf(NODE.null, key, stop, stop, start)
  }

  /**
   * A value with keys below it: of the value, `State: Stopped` above `Reason:`, which is printed with them; further values
   * of its key where they are below its beginning.
   */
  #beginValue(key: number, { column, start, value, stop }: Record<Place, number>): void {
    const isList = this.#columnOf(this.#line + 1) === value - (this.#lines.starts[this.#line] ?? 0)
    const node = this.#tree.begin(NODE.object, key, isList ? value : stop, start)
    this.#open.push({ column, node })
    if (!isList) return void this.#tree.leaf(NODE.text, key, value, stop, stop)
    const edge = this.#edgeOf(value, stop)
    if (edge < 0) return void this.#tree.leaf(NODE.text, key, value, stop, value)
    const own = this.#tree.keyId(this.#text.slice(value, trimEnd(this.#text, value, edge)))
    const begin = trimStart(this.#text, edge + 1, stop)
    this.#tree.leaf(begin < stop ? NODE.text : NODE.null, own, begin, stop, value)
  }

  /** From the line's first pair to the ends of all. */
  #addPairs(column: number, first: number, ends: readonly number[]): void {
    let start = first
    let node = 0
    for (const end of ends) {
      const edge = this.#text.indexOf('=', start)
      const key = this.#tree.keyId(this.#text.slice(start, edge))
      const stop = trimEnd(this.#text, edge + 1, end)
      node = this.#tree.leaf(stop > edge + 1 ? NODE.text : NODE.null, key, edge + 1, stop, start)
      this.#pairs?.add(node)
      start = trimStart(this.#text, end, this.#text.length)
    }
    this.#open.push({ column, node })
  }

  #addComment(start: number, stop: number): void {
    this.#closeTo(-1)
    this.#explained += stop - start
    this.#tree.leaf(NODE.text, this.#tree.keyId(COMMENT), start, stop)
  }

  /** `# Name` above keys. */
  #beginSection(start: number, stop: number): void {
    this.#closeTo(-1)
    this.#explained += stop - start
    const name = this.#text.slice(start + 1, stop).trim()
    this.#open.push({ column: -1, node: this.#tree.begin(NODE.object, this.#tree.keyId(name), stop, start) })
  }

  /** The name in a mark is a value of its record. */
  #beginMarked(name: string | undefined, start: number, stop: number): void {
    this.#explained += stop - start
    this.#beginRecord(start, stop)
    if (name === undefined) return
    const at = this.#text.indexOf(name, start)
    this.#tree.leaf(NODE.text, this.#tree.keyId('name'), at, at + name.length, at + name.length)
  }

  readonly #isIndented = (line: number): boolean =>
    !this.#isFlat && isSpace(this.#text.charCodeAt(this.#lines.starts[line] ?? 0))

  #beginRecord(head: number, start: number): void {
    this.#closeTo(-1)
    if (this.#tree.container !== 0) this.#tree.end(this.#lines.stops[Math.max(0, this.#line - 1)] ?? head)
    this.#tree.begin(NODE.object, -1, start, head)
  }

  /** Whether the next line is indented deeper. */
  #isDeeper(column: number): boolean {
    let line = this.#line + 1
    while (line < this.#lines.count && isBlank(this.#lines, line)) line++
    return line < this.#lines.count && !this.#isFlat && this.#columnOf(line) > column
  }

  /** Whether a line right below, indented deeper, has a key. */
  #hasKeysBelow(column: number): boolean {
    if (this.#isFlat) return false
    const last = Math.min(this.#lines.count, this.#line + 1 + MOST_BELOW)
    for (let line = this.#line + 1; line < last; line++) {
      if (isBlank(this.#lines, line) || this.#columnOf(line) <= column) return false
      if (this.#keyOf(line) !== undefined) return true
    }
    return false
  }

  #columnOf(line: number): number {
    const begin = this.#lines.starts[line] ?? 0
    return trimStart(this.#text, begin, this.#lines.stops[line] ?? 0) - begin
  }

  /** A line without a key goes on with the value above, or is a value of its own. */
  #goOn(column: number, start: number, stop: number): void {
    // The last line below marks may say how many records there are.
    const isLast = this.#line + 1 >= this.#lines.count || isBlank(this.#lines, this.#line + 1)
    const least = this.#hasMarks && !isLast ? Infinity : column
    while ((this.#open.at(-1)?.column ?? -1) >= least) this.#closeTo(column)
    const above = this.#open.at(-1)
    const tree = this.#tree
    if (above !== undefined && tree.kindOf(above.node) === NODE.text && above.node === tree.count - 1) {
      const source = this.#text.slice(tree.startOf(above.node), stop)
      tree.setStop(above.node, stop)
      if (source.length < LONGEST_VALUE) tree.setValue(above.node, source.replace(/\r?\n[ \t]*/g, '\n'))
      this.#explained += stop - start
      return
    }
    if (this.#isDeeper(column) && LETTER.test(this.#text.slice(start, stop))) {
      if (above !== undefined && above.isTitle !== true) this.#explained += stop - start
      this.#open.push({ column, node: tree.begin(NODE.object, tree.keyId(''), stop, start), isTitle: true })
      return void tree.leaf(NODE.text, tree.keyId('name'), start, stop, stop)
    }
    const endsRecord = this.#periodic !== undefined && WORD.test(this.#text.slice(start, stop))
    if ((above !== undefined && above.isTitle !== true) || endsRecord) this.#explained += stop - start
    tree.leaf(NODE.text, tree.keyId(this.#starts.has(this.#line) ? 'name' : ''), start, stop)
  }

  #closeTo(column: number): void {
    while (this.#open.length > 0 && (this.#open.at(-1)?.column ?? 0) >= column) {
      const { node } = this.#open.pop() ?? { node: 0 }
      if (this.#tree.kindOf(node) === NODE.object) this.#tree.end(this.#lines.stops[this.#line - 1] ?? 0)
    }
  }
}

const HASH = 0x23
/** Such as `end_of_record`. */
const WORD = /^[A-Za-z_]\w{1,40}$/
const LETTER = /[\p{L}\p{N}]/u
const LONGEST_KEY = 80
const LONGEST_MARK = 500
/** Lines looked at for keys below a value. */
const MOST_BELOW = 20
/** A value of many lines is decoded again with each of them. */
const LONGEST_VALUE = 4000

/** Share of lines that have several pairs, in a text where they are read one by one. */
const PAIRED = 0.3

function hasPairLines(lines: SourceLines): boolean {
  let all = 0
  let paired = 0
  for (let line = 0; line < lines.count && all < SAMPLE; line++) {
    if (isBlank(lines, line)) continue
    all++
    const start = trimStart(lines.text, lines.starts[line] ?? 0, lines.stops[line] ?? 0)
    const isPaired = PAIR.test(lines.text.slice(start, start + LONGEST_KEY))
    if (isPaired && furtherPairs(lines.text, start, lines.stops[line] ?? 0).length > 0) paired++
  }
  return paired >= PAIRED * all
}

const PAIR = /^[A-Za-z_][\w.:/-]*=/

/** Where further keys of a line begin, outside of quotes. */
function furtherPairs(text: string, start: number, stop: number): number[] {
  const found: number[] = []
  let quotes = 0
  let last = start
  for (const { index } of text.slice(start, stop).matchAll(/(?<=\s)[A-Za-z_][\w.:/-]*=/g)) {
    for (let at = last; at < start + index; at++) if (text.charCodeAt(at) === 0x22) quotes++
    last = start + index
    if (quotes % 2 === 0) found.push(start + index)
  }
  return found
}
