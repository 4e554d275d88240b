import { type Block, TITLE_LEVEL, type TableBlock } from './block.ts'
import { isCommentLine } from './parse-blocks.ts'
import { introducesQuote, isQuoted, splitParagraph } from './quotes.ts'
import { splitSentences } from './split-sentences.ts'

export interface DocumentUnit {
  readonly text: string
  readonly role: 'heading' | 'sentence' | 'caption' | 'header' | 'row'
  /** Companions: headings above, table header, caption. One shared array. */
  readonly needs: readonly number[]
  /** Units of a paragraph or table share a group; neighbours count only inside it. */
  readonly group: number
  /** 1 is outermost. */
  readonly level: number
  readonly isAside: boolean
  /** In a drawn tree: its parents are printed with it, but don't describe it. */
  readonly isBranch?: boolean | undefined
  /** What few items of a list or table share ("Sold out"): it repeats nothing. */
  readonly isState?: boolean | undefined
  /** In Markdown. */
  readonly isCode?: boolean | undefined
  /** A field of a mail's head, or its signature. */
  readonly isMeta?: boolean | undefined
}

/** Rows follow the header. */
export interface UnitTable {
  readonly block: TableBlock
  readonly header: number
  readonly firstRow: number
  readonly end: number
}

export interface DocumentUnits {
  readonly units: readonly DocumentUnit[]
  readonly tables: readonly UnitTable[]
}

/** Innermost headings per unit. */
const HEADINGS_KEPT = 2

/** Sentences, lines, headings, table rows. */
export function makeUnits(blocks: readonly Block[]): DocumentUnits {
  const units: DocumentUnit[] = []
  const tables: UnitTable[] = []
  // Surroundings have separate headings.
  const mainHeadings: number[] = []
  const asideHeadings: number[] = []
  let headings = mainHeadings
  const leaveHeadings = (level: number) => {
    while (headings.length > 0 && (units[headings.at(-1) ?? 0]?.level ?? 0) >= level) headings.pop()
  }
  let group = 0
  for (const block of blocks) {
    group++
    headings = block.isAside === true ? asideHeadings : mainHeadings
    const add = (
      role: DocumentUnit['role'],
      text: string,
      needs: readonly number[],
      level = 0,
      isBranch = false,
    ) =>
      units.push({
        text,
        role,
        needs,
        group,
        level,
        isAside: block.isAside === true,
        isBranch,
        isCode: block.type === 'paragraph' && block.isCode === true,
        isMeta: block.type === 'paragraph' && block.isMeta === true,
      }) - 1
    let needs: readonly number[] = headings.slice(-HEADINGS_KEPT)
    if (block.type === 'break') leaveHeadings(TITLE_LEVEL)
    else if (block.type === 'heading') {
      leaveHeadings(block.level)
      headings.push(add('heading', block.text, headings.slice(-HEADINGS_KEPT), block.level))
    } else if (block.type === 'table') {
      if (block.caption !== undefined) needs = [add('caption', block.caption, needs), ...needs]
      const header = add('header', block.header.text, needs)
      const rowNeeds = [header, ...needs]
      for (const row of block.rows) add('row', row.text, rowNeeds)
      tables.push({ block, header, firstRow: header + 1, end: units.length })
    } else if (block.byLine === true) addLines(block.text, needs, add)
    else {
      let introduction: number | undefined
      for (const piece of splitParagraph(block.text)) {
        const isNamed = introduction !== undefined && isQuoted(piece)
        const unit = add('sentence', piece, isNamed ? [introduction ?? 0, ...needs] : needs)
        if (introducesQuote(piece)) introduction = unit
      }
    }
  }
  return { units, tables }
}

type AddUnit = (
  role: DocumentUnit['role'],
  text: string,
  needs: readonly number[],
  level?: number,
  isBranch?: boolean,
) => number

const MAX_LINE = 1500

/** Drawn tree: `│ ├─┬ `, `|  +- `, `|   \-- `. */
const BRANCH = /^(?:[│ \u00a0]|\|(?= ))*(?:[├└][─┬]*|[+\\`]-+) /

/** Code, lists, entries; an indented line needs its parent. */
function addLines(text: string, needs: readonly number[], add: AddUnit): void {
  const above: { indent: number; unit: number }[] = []
  let comment = ''
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    if (isCommentLine(line) && comment.length + line.length < MAX_COMMENT) {
      comment += `${line}\n`
      continue
    }
    const branch = BRANCH.exec(line)?.[0].length
    const indent = branch ?? line.length - line.trimStart().length
    while (above.length > 0 && (above.at(-1)?.indent ?? 0) >= indent) above.pop()
    const parent = above.at(-1)
    // A branch's ancestors up to the root are its meaning: which packages need this one.
    const parents = branch === undefined ? (parent === undefined ? [] : [parent]) : above
    const all = parents.length === 0 ? needs : [...parents.map(({ unit }) => unit), ...needs]
    const piece = comment + line
    comment = ''
    for (const part of line.length > MAX_LINE ? splitSentences(piece) : [piece]) {
      const unit = add('sentence', part, all, 0, branch !== undefined)
      if (above.at(-1)?.indent !== indent) above.push({ indent, unit })
    }
  }
  if (comment !== '') add('sentence', comment.trimEnd(), needs)
}

/** A comment is one unit with the line that it is about. */
const MAX_COMMENT = 600
