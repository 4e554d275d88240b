/** A line of Markdown as a part of an item. Places are within the line. */
export interface ItemLine {
  /** Level of a heading; `TITLES` for other titles at the margin; from `LINES` on the column. */
  readonly depth: number
  /** A heading, a bold line, an item of a list without a label: may name what is below it. */
  readonly isTitle: boolean
  /** An item of a list. */
  readonly isMarked?: boolean
  readonly label?: string
  /** The line's first sign. */
  readonly start: number
  /** Of its value or title, without marks around it. */
  readonly valueStart?: number
  readonly valueStop?: number
}

/** Depths of titles that are no headings, and of lines at the margin. */
export const TITLES = 9
export const LINES = 10

const HEADING = /^(#{1,6})[ \t]+(?=\S)/
const RULE = /^\s*(?:[-*_=][ \t]*){3,}$/
/** An item's number has a title behind it, its dash perhaps. */
const MARK = /^(?:[-*+•][ \t]+|\d{1,4}[.)][ \t]+)/
/** Marks of bold text around a label, the colon inside or outside of them; or a label of few plain words. */
const BOLD_LABEL = /^(\*\*|__|\*|_|`)(?=\S)([^*_`:]{1,40}?)(?::\1|\1[ \t]*:)(?:[ \t]+|$)/
const PLAIN_LABEL =
  /^(\p{L}[\p{L}\p{M}\p{N}/()._'’-]*(?: [\p{L}\p{N}(/&][\p{L}\p{M}\p{N}/()._'’-]*){0,4})[ \t]*[:：](?:[ \t]+|$|(?<=：))/u
const BOLD_TITLE = /^(\*\*|__)([^*_]{1,120})\1/

/** Undefined for blank lines and rules. */
export function readItemLine(source: string): ItemLine | undefined {
  const start = source.search(/\S/)
  if (start < 0 || RULE.test(source)) return undefined
  const text = source.slice(start)
  const heading = start < 4 ? HEADING.exec(text) : null
  if (heading !== null) {
    const depth = heading[1]?.length ?? 1
    return { depth, isTitle: true, start, ...within(source, start + heading[0].length) }
  }
  const mark = MARK.exec(text)?.[0] ?? ''
  const content = text.slice(mark.length)
  const at = start + mark.length
  const depth = LINES + start
  const bold = BOLD_LABEL.exec(content)
  const label = bold ?? PLAIN_LABEL.exec(content)
  if (label !== null) {
    const name = (bold === null ? label[1] : label[2]) ?? ''
    return {
      depth,
      isTitle: false,
      isMarked: mark !== '',
      label: name.trim(),
      start,
      ...within(source, at + label[0].length),
    }
  }
  const isTitle = (mark !== '' && content.length <= LONGEST_TITLE) || BOLD_TITLE.test(content)
  // Lines right below a title at the margin may be at the margin, too.
  const isMarked = mark !== ''
  return { depth: isTitle && start === 0 ? TITLES : depth, isTitle, isMarked, start, ...within(source, at) }
}

const LONGEST_TITLE = 160

/** What begins at `from`, without the marks of bold text around all of it. */
export function within(source: string, from: number): Pick<ItemLine, 'valueStart' | 'valueStop'> {
  const text = source.slice(from).trimEnd()
  const [, marks = ''] = /^(\*\*|__|`)(?=.*\1$)/.exec(text) ?? []
  const isWrapped = marks !== '' && text.length > 2 * marks.length && !text.slice(2, -2).includes(marks)
  const cut = isWrapped ? marks.length : 0
  return { valueStart: from + cut, valueStop: from + text.length - cut }
}
