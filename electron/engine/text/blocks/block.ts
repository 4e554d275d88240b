/** A document for the text, Markdown, table and HTML strategies: an ordered flat list. */
export type Block = (HeadingBlock | ParagraphBlock | TableBlock | BreakBlock) & {
  /** Outside a page's content (navigation, footer): printed only when it fits the goal. */
  readonly isAside?: boolean
}

interface HeadingBlock {
  readonly type: 'heading'
  /** 1 is outermost; short lines that only look like titles have TITLE_LEVEL. */
  readonly level: number
  readonly text: string
}

interface ParagraphBlock {
  readonly type: 'paragraph'
  readonly text: string
  /** Lines are independent (code, key-value lists): never joined or split. */
  readonly byLine?: boolean
  /** Fenced: an example of the text directly before it. */
  readonly isCode?: boolean
}

/** A separator: titles above don't apply below. */
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
  /** Printed form. */
  readonly text: string
  /** May be split at each access (see PlainRow): read once per row. */
  readonly cells: readonly string[]
}

/** A row that stores only its text: a million rows with cells would take gigabytes. */
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
