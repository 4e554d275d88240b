import { NODE } from '../tree/json-document.ts'
import { COMMENT, Comments } from './comments.ts'
import { printLines } from './print-lines.ts'
import type { Reader, Reading } from './reading.ts'
import { isBlank, markAfterBlank, sourceLines, trimEnd, trimStart } from './source-lines.ts'
import type { SourceLines } from './source-lines.ts'
import { kindOfPlain, TreeBuilder } from './tree-builder.ts'
import { FlowReader } from './yaml/flow.ts'
import { keyEnd, mayBeYaml, skipProperties } from './yaml/keys.ts'
import { blockValue, fold, quotedStop, setQuoted } from './yaml/quoted.ts'

/** Least share of explained characters, and of lines with a key. */
const MOSTLY = 0.8
const KEYED = 0.25

/** Block YAML of any number of documents, with flow collections. Templates and lines of no place stay text. */
export const yamlReader: Reader = {
  format: 'yaml',
  read(text): Reading | undefined {
    const lines = sourceLines(text)
    return mayBeYaml(lines) ? new YamlReader(lines).read() : undefined
  },
}

const HASH = 0x23
const DASH = 0x2d
const STYLE = /^[|>][+-]?\d?[+-]?(?=\s|$)/

class YamlReader {
  readonly #lines: SourceLines
  readonly #text: string
  readonly #tree: TreeBuilder
  /** Columns of open collections, and whether each is a sequence. */
  readonly #columns: number[] = []
  readonly #isList: boolean[] = []
  /** A key or dash whose value may follow below. */
  #pending: { key: number; head: number; column: number; isItem: boolean; stop: number } | undefined
  readonly #comments: Comments
  readonly #flows: FlowReader
  #line = 0
  #explained = 0
  #neutral = 0
  #keyed = 0
  #content = 0

  constructor(lines: SourceLines) {
    this.#lines = lines
    this.#text = lines.text
    this.#tree = new TreeBuilder(lines.text)
    this.#comments = new Comments(lines, this.#tree)
    this.#flows = new FlowReader(this.#tree)
  }

  read(): Reading | undefined {
    const { count, size } = this.#lines
    for (this.#line = 0; this.#line < count; this.#line++)
      if (!isBlank(this.#lines, this.#line)) this.#readLine()
    this.#closeDocument()
    const explained = this.#explained / Math.max(1, size - this.#neutral)
    if (explained < MOSTLY || this.#keyed < Math.max(2, this.#content * KEYED)) return undefined
    const document = this.#tree.finish()
    const { heads, flows } = this.#tree
    return {
      format: 'yaml',
      document,
      explained: Math.min(1, explained),
      comments: this.#comments.byNode,
      print: (chosen, textOf) => printLines({ document, heads, flows, between: '---' }, chosen, textOf),
    }
  }

  #readLine(): void {
    const text = this.#text
    const begin = this.#lines.starts[this.#line] ?? 0
    const stop = this.#lines.stops[this.#line] ?? 0
    const start = trimStart(text, begin, stop)
    const code = text.charCodeAt(start)
    if (code === HASH) {
      this.#neutral += stop - start
      return this.#comments.add(this.#line)
    }
    if (start === begin && this.#isMarker(start, stop)) return
    if (code === 0x7b && text.charCodeAt(start + 1) === 0x7b) return this.#addTemplate(start, stop)
    this.#content++
    this.#readContent(begin, start, stop)
  }

  /** `---` and `...` between documents, `%YAML`. */
  #isMarker(start: number, stop: number): boolean {
    const text = this.#text
    if (text.charCodeAt(start) === 0x25 && this.#columns.length === 0) return true
    const isEnd = stop - start === 3 && text.startsWith('...', start)
    if (
      !isEnd &&
      !(text.startsWith('---', start) && (stop === start + 3 || text.charCodeAt(start + 3) === 32))
    )
      return false
    this.#closeDocument()
    this.#explained += stop - start
    return true
  }

  #closeDocument(): void {
    this.#settle()
    if (this.#columns.length > 0 || this.#line >= this.#lines.count) this.#comments.place(this.#line)
    while (this.#columns.length > 0) this.#close(this.#stopBefore())
  }

  #stopBefore(): number {
    let line = Math.min(this.#line, this.#lines.count) - 1
    while (line > 0 && isBlank(this.#lines, line)) line--
    return this.#lines.stops[line] ?? this.#text.length
  }

  #close(stop: number): void {
    this.#columns.pop()
    this.#isList.pop()
    this.#tree.end(stop)
  }

  /** A key or dash without a value. */
  #settle(): void {
    const pending = this.#pending
    if (pending === undefined) return
    this.#pending = undefined
    this.#tree.leaf(NODE.null, pending.key, pending.stop, pending.stop, pending.head)
  }

  #readContent(begin: number, first: number, stop: number): void {
    const text = this.#text
    let start = first
    let isFirst = true
    for (;;) {
      const next = text.charCodeAt(start + 1)
      const isDash = text.charCodeAt(start) === DASH && (start + 1 === stop || next === 32 || next === 9)
      const column = start - begin
      if (isFirst && !this.#closeTo(column, isDash)) return this.#addOdd(first, stop)
      isFirst = false
      if (!isDash) break
      if (this.#columns.at(-1) !== column || this.#isList.at(-1) !== true)
        this.#open(NODE.array, start, column)
      this.#comments.place(this.#line)
      const after = trimStart(text, start + 1, stop)
      this.#pending = { key: -1, head: start, column, isItem: true, stop: start + 1 }
      this.#explained += Math.min(after, stop) - start
      if (after >= stop || text.charCodeAt(after) === HASH) return
      start = after
    }
    this.#readEntry(begin, start, stop)
  }

  /** Ends what a line at a column ends; false where it has no place. */
  #closeTo(column: number, isDash: boolean): boolean {
    const pending = this.#pending
    if (pending !== undefined) {
      if (column > pending.column || (column === pending.column && isDash && !pending.isItem)) return true
      this.#settle()
    }
    const stop = this.#stopBefore()
    while (this.#columns.length > 0) {
      const top = this.#columns.at(-1) ?? 0
      if (top < column || (top === column && this.#isList.at(-1) === isDash)) break
      this.#close(stop)
    }
    if (this.#columns.length === 0) return this.#tree.container === 0
    return this.#columns.at(-1) === column
  }

  /** A collection as the value of what is pending, or of the document. */
  #open(kind: number, start: number, column: number): void {
    const pending = this.#pending
    this.#pending = undefined
    this.#tree.begin(kind, pending?.key ?? -1, start, pending?.head ?? start)
    this.#columns.push(column)
    this.#isList.push(kind === NODE.array)
  }

  /** `key: value`, or a value. */
  #readEntry(begin: number, start: number, stop: number): void {
    const text = this.#text
    const colon = keyEnd(text, start, stop)
    if (colon < 0) {
      if (this.#pending === undefined) return this.#addOdd(start, stop)
      const { key, head, column } = this.#pending
      this.#pending = undefined
      return this.#readValue(key, head, skipProperties(text, start, stop), stop, column)
    }
    const column = start - begin
    if (this.#columns.at(-1) !== column || this.#isList.at(-1) === true)
      this.#open(NODE.object, start, column)
    this.#comments.place(this.#line)
    this.#keyed++
    const code = text.charCodeAt(start)
    const isQuoted = code === 0x22 || code === 0x27
    const name = isQuoted
      ? text.slice(start + 1, trimEnd(text, start, colon) - 1)
      : text.slice(start, trimEnd(text, start, colon))
    const key = this.#tree.keyId(name)
    const value = skipProperties(text, trimStart(text, colon + 1, stop), stop)
    if (value >= stop || text.charCodeAt(value) === HASH) {
      this.#pending = { key, head: start, column, isItem: false, stop: Math.min(value, stop) }
      this.#explained += stop - start
      return
    }
    this.#explained += value - start
    this.#readValue(key, start, value, stop, column)
  }

  #readValue(key: number, head: number, start: number, stop: number, column: number): void {
    const text = this.#text
    const tree = this.#tree
    const code = text.charCodeAt(start)
    if (code === 0x7c || code === 0x3e) {
      const style = STYLE.exec(text.slice(start, Math.min(stop, start + 20)))?.[0]
      if (style !== undefined) return this.#readBlock(key, head, stop, column, style)
    }
    if (code === 0x22 || code === 0x27) {
      const end = quotedStop(text, start)
      if (end > 0 && this.#endsLine(end)) {
        setQuoted(tree, tree.leaf(NODE.text, key, start + 1, end - 1, head))
        return this.#skipTo(start, end)
      }
    }
    if (code === 0x5b || (code === 0x7b && text.charCodeAt(start + 1) !== 0x7b)) {
      const end = this.#flows.read(start, key, head)
      if (end > 0) {
        this.#keyed++
        return this.#skipTo(start, end)
      }
    }
    this.#readPlain(key, head, start, stop, column)
  }

  #readPlain(key: number, head: number, start: number, stop: number, column: number): void {
    const text = this.#text
    const comment = markAfterBlank(text, HASH, start, stop)
    let end = comment < 0 ? stop : trimEnd(text, start, comment)
    const first = end
    let more = 0
    if (end === stop)
      for (let line = this.#line + 1; line < this.#lines.count; line++) {
        if (isBlank(this.#lines, line)) continue
        const begin = this.#lines.starts[line] ?? 0
        const next = trimStart(text, begin, this.#lines.stops[line] ?? 0)
        if (next - begin <= column || text.charCodeAt(next) === HASH) break
        if (keyEnd(text, next, this.#lines.stops[line] ?? 0) >= 0) break
        end = this.#lines.stops[line] ?? 0
        more += end - next
        this.#line = line
      }
    const source = text.slice(start, end)
    if (comment >= 0) this.#comments.note(this.#tree.count, text.slice(comment + 2, stop).trim())
    const node = this.#tree.leaf(end === first ? kindOfPlain(source) : NODE.text, key, start, end, head)
    if (end > first) this.#tree.setValue(node, fold(source))
    // No plain value may have it.
    const isOdd = source.includes(': ')
    this.#explained += isOdd ? start - first : stop - start + more
  }

  #readBlock(key: number, head: number, stop: number, column: number, style: string): void {
    const text = this.#text
    let first = -1
    let last = this.#line
    let indent = 0
    this.#explained += style.length
    for (let line = this.#line + 1; line < this.#lines.count; line++) {
      if (isBlank(this.#lines, line)) continue
      const begin = this.#lines.starts[line] ?? 0
      const next = trimStart(text, begin, this.#lines.stops[line] ?? 0)
      if (next - begin <= column) break
      if (first < 0) {
        first = line
        indent = next - begin
      }
      last = line
      this.#explained += (this.#lines.stops[line] ?? 0) - next
    }
    if (first < 0) {
      this.#tree.leaf(NODE.text, key, stop, stop, head)
      return
    }
    const start = (this.#lines.starts[first] ?? 0) + indent
    const end = this.#lines.stops[last] ?? 0
    const node = this.#tree.leaf(NODE.text, key, start, end, head)
    const source = text.slice(start, end)
    const value = last === first ? source : blockValue(source, indent, style)
    if (value !== source) this.#tree.setValue(node, value)
    this.#line = last
  }

  /** Only a comment follows. */
  #endsLine(at: number): boolean {
    let next = at
    while (this.#text.charCodeAt(next) === 32) next++
    const code = this.#text.charCodeAt(next)
    return Number.isNaN(code) || code === 0x0a || code === 0x0d || code === HASH
  }

  /** Goes on behind a value of several lines. */
  #skipTo(start: number, end: number): void {
    while (this.#line + 1 < this.#lines.count && (this.#lines.starts[this.#line + 1] ?? 0) < end) this.#line++
    this.#explained += end - start
    const stop = this.#lines.stops[this.#line] ?? 0
    if (stop > end) this.#explained += stop - end
  }

  #addTemplate(start: number, stop: number): void {
    this.#neutral += stop - start
    this.#settle()
    this.#tree.leaf(NODE.text, this.#tree.keyId(COMMENT), start, stop)
  }

  #addOdd(start: number, stop: number): void {
    this.#settle()
    this.#explained -= stop - start
    this.#tree.leaf(NODE.text, this.#tree.keyId(''), start, stop)
  }
}
