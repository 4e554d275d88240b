/** For the text, Markdown, table and HTML strategies. */
export type Block = (HeadingBlock | ParagraphBlock | TableBlock | BreakBlock) & {
  /** Navigation, footer: printed only when it fits the goal. */
  readonly isAside?: boolean
}

interface HeadingBlock {
  readonly type: 'heading'
  /** 1 is outermost; lines that only look like titles have TITLE_LEVEL. */
  readonly level: number
  readonly text: string
}

interface ParagraphBlock {
  readonly type: 'paragraph'
  readonly text: string
  /** Never joined or split inside: code, key-value lists. */
  readonly byLine?: boolean
  /** An example of the text directly before. */
  readonly isCode?: boolean
  /** Fields of a mail's head, or a signature: it says little about the subject. */
  readonly isMeta?: boolean
}

/** Titles above a separator don't apply below. */
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
  readonly text: string
  /** May be split per access (see PlainRow): read once. */
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
