import { NODE } from '../tree/json-document.ts'
import { readIndented, type IndentedLines } from './indented/indented-lines.ts'
import { printLines } from './print-lines.ts'
import type { Reader, Reading } from './reading.ts'
import { sourceLines, trimEnd, trimStart, type SourceLines } from './source-lines.ts'
import { kindOfPlain, TreeBuilder } from './tree-builder.ts'

/** Least share of characters in heads and in lines below them that other records have, too. */
const MOSTLY = 0.8

/**
 * Heads with indented lines below, which begin alike in many of them: `interface …`, `Host …`, `backend …`, what
 * `ip addr`, `ifconfig` and routers show. Each head and what is below it is a record.
 */
export const indentedReader: Reader = {
  format: 'indented',
  read(text): Reading | undefined {
    const lines = sourceLines(text)
    const indented = readIndented(lines)
    return indented === undefined || indented.explained < MOSTLY
      ? undefined
      : new IndentedReader(lines, indented).read()
  },
}

/** Column of a container that no line begins: of a record, and of lines outside of records together. */
const LOOSE = -1

const FIRST_WORD = /^[\p{L}_][^\s\d:="'<>{}()[\],;]*(?:[ \t]+|$)/u

class IndentedReader {
  readonly #lines: SourceLines
  readonly #text: string
  readonly #indented: IndentedLines
  readonly #tree: TreeBuilder
  /** Columns of the open containers' lines. */
  readonly #open: number[] = []

  constructor(lines: SourceLines, indented: IndentedLines) {
    this.#lines = lines
    this.#text = lines.text
    this.#indented = indented
    this.#tree = new TreeBuilder(lines.text)
  }

  read(): Reading {
    const { order, columns, records, explained } = this.#indented
    let record: number | undefined
    order.forEach((line, i) => {
      const column = columns[line] ?? 0
      const isDeeper = (columns[order[i + 1] ?? -1] ?? -1) > column
      if (records[line] !== record) {
        record = records[line]
        this.#closeTo(LOOSE, line)
        const start = this.#startOf(line)
        if (record === line) return this.#begin(line, LOOSE, LOOSE)
        this.#open.push(LOOSE)
        this.#tree.begin(NODE.object, -1, start, start)
      }
      this.#closeTo(column, line)
      if (isDeeper) this.#begin(line, this.#keyOf(line), column)
      else this.#put(line)
    })
    const document = this.#tree.finish()
    const { heads, flows } = this.#tree
    const between = this.#text.includes('\n\n') ? { between: '' } : {}
    return {
      format: 'indented',
      document,
      explained,
      print: (chosen, textOf) => printLines({ document, heads, flows, ...between }, chosen, textOf),
    }
  }

  #startOf(line: number): number {
    return trimStart(this.#text, this.#lines.starts[line] ?? 0, this.#lines.stops[line] ?? 0)
  }

  #keyOf(line: number): number {
    const start = this.#startOf(line)
    const key = this.#text.slice(start, trimEnd(this.#text, start, this.#indented.valueStart(line)))
    return this.#tree.keyId(key.replace(/\s*[:=]$/, ''))
  }

  /** What its line says is a value of what is below it. */
  #begin(line: number, key: number, column: number): void {
    const start = this.#startOf(line)
    const stop = this.#lines.stops[line] ?? start
    const from = this.#indented.valueStart(line)
    this.#open.push(column)
    this.#tree.begin(NODE.object, key, stop, start)
    if (from >= stop) return
    const name = from === start ? this.#tree.keyId('name') : this.#keyOf(line)
    this.#tree.leaf(kindOfPlain(this.#text.slice(from, stop)), name, from, stop, stop)
  }

  /** A word that no other line begins with is a key, too; a word alone has no value. */
  #put(line: number): void {
    const start = this.#startOf(line)
    const stop = this.#lines.stops[line] ?? start
    const shared = this.#indented.valueStart(line)
    const own = shared > start ? '' : (FIRST_WORD.exec(this.#text.slice(start, stop))?.[0] ?? '')
    const from = shared + own.length
    const key = own === '' ? this.#keyOf(line) : this.#tree.keyId(own.trim())
    const kind = from < stop ? kindOfPlain(this.#text.slice(from, stop)) : NODE.null
    this.#tree.leaf(kind, key, from, stop, start)
  }

  #closeTo(column: number, line: number): void {
    while (this.#open.length > 0 && (this.#open.at(-1) ?? LOOSE) >= column) {
      this.#open.pop()
      this.#tree.end(this.#lines.stops[line - 1] ?? 0)
    }
  }
}
