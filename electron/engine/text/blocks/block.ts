/** A document as the strategies for text, Markdown, tables and HTML see it: a flat list of blocks in order. */
export type Block = (HeadingBlock | ParagraphBlock | TableBlock | BreakBlock) & {
  /** Around the content of a page (navigation, footer): printed only where it fits the goal. */
  readonly isAside?: boolean
}

interface HeadingBlock {
  readonly type: 'heading'
  /** 1 is the outermost; short lines that only look like a title have TITLE_LEVEL. */
  readonly level: number
  readonly text: string
}

interface ParagraphBlock {
  readonly type: 'paragraph'
  readonly text: string
  /** Lines mean something of their own (code, lists of keys and values): never joined or split inside. */
  readonly byLine?: boolean
  /** Between fences: an example of the text right before it. */
  readonly isCode?: boolean
}

/** A rule between parts: titles above it say nothing about what follows. */
interface BreakBlock {
  readonly type: 'break'
}

export interface TableBlock {
  readonly type: 'table'
  readonly caption?: string | undefined
  readonly header: TableRow
  readonly rows: readonly TableRow[]
}

export interface TableRow {
  /** What is printed. */
  readonly text: string
  /** May be split again at every reading (see PlainRow): read it once for a row. */
  readonly cells: readonly string[]
}

/** A row that keeps its text only: a million rows with all their cells would take gigabytes. */
export class PlainRow implements TableRow {
  readonly text: string
  readonly #split: (text: string) => string[]

  constructor(text: string, split: (text: string) => string[]) {
    this.text = text
    this.#split = split
  }

  get cells(): string[] {
    return this.#split(this.text)
  }
}

export const TITLE_LEVEL = 7
