import { NODE } from '../tree/json-document.ts'
import { trimStart } from './source-lines.ts'
import type { SourceLines } from './source-lines.ts'
import type { TreeBuilder } from './tree-builder.ts'

/** A comment's key: it is a value of its own beside the value that it is said of. */
export const COMMENT = '#'
const SIGNS = /^[ \t]*(?:[#;!]+|\/\/+|--+|\/\*+|\*+\/?)[ \t]?/gm
const BARE = /^[ \t#;!*/-]*$/

/** Comment lines, placed as paragraphs before the value below them. */
export class Comments {
  /** By node: the comment above or behind it. */
  readonly byNode = new Map<number, string>()
  readonly #lines: SourceLines
  readonly #tree: TreeBuilder
  /** First and last lines, in turns. */
  readonly #waiting: number[] = []

  constructor(lines: SourceLines, tree: TreeBuilder) {
    this.#lines = lines
    this.#tree = tree
  }

  add(line: number): void {
    const waiting = this.#waiting
    if (waiting.at(-1) === line - 1) waiting[waiting.length - 1] = line
    else waiting.push(line, line)
  }

  /** Before the node of a line is added. */
  place(line: number): void {
    const waiting = this.#waiting
    for (let i = 0; i < waiting.length; i += 2) {
      const first = waiting[i] ?? 0
      const last = waiting[i + 1] ?? 0
      this.#placeParagraphs(first, last)
      if (last === line - 1) this.note(this.#tree.count, this.#valueOf(first, last))
    }
    waiting.length = 0
  }

  note(node: number, comment: string): void {
    const known = this.byNode.get(node)
    this.byNode.set(node, known === undefined ? comment : `${known}\n${comment}`)
  }

  #placeParagraphs(first: number, last: number): void {
    let from = first
    for (let line = first; line <= last + 1; line++) {
      if (line <= last && !BARE.test(this.#sourceOf(line, line))) continue
      if (line > from) {
        const start = this.#startOf(from)
        const node = this.#tree.leaf(
          NODE.text,
          this.#tree.keyId(COMMENT),
          start,
          this.#lines.stops[line - 1] ?? 0,
        )
        this.#tree.setValue(node, this.#valueOf(from, line - 1))
      }
      from = line + 1
    }
  }

  #startOf(line: number): number {
    return trimStart(this.#lines.text, this.#lines.starts[line] ?? 0, this.#lines.stops[line] ?? 0)
  }

  #sourceOf(first: number, last: number): string {
    return this.#lines.text.slice(this.#startOf(first), this.#lines.stops[last])
  }

  #valueOf(first: number, last: number): string {
    return this.#sourceOf(first, last).replace(SIGNS, '').trim()
  }
}
