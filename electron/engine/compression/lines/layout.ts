import type { ReadKinds } from './read-kinds.ts'
import type { Sections } from './sections.ts'

/** How the lines of a text are arranged, as its reader sees it. */
export interface Layout {
  /** The nearest line above that is indented less, whatever prefix it has, or the one that its section begins with; -1 for none. */
  parentOf(line: number): number
  /** Whether a line says what those below `parent` are below: it is the same, or both head one section. */
  heads(line: number, parent: number): boolean
  /**
   * What is printed before each of some lines in source order: … in the place of what a line is below where that isn't
   * printed, a blank line where paragraphs part.
   */
  gapsBefore(printed: readonly PlacedLine[]): readonly string[]
}

interface PlacedLine {
  readonly line: number
  /** It is said of the whole text. */
  readonly isLoose: boolean
  /** What it shares with others is printed, so that it names nothing. */
  readonly isShared: boolean
}

const GAP = '…'
const MOST_BLANKS = 96

export function readLayout(read: ReadKinds, sections: Sections | undefined): Layout {
  const {
    lines,
    nesting: { parents, columns },
  } = read
  const isOpened = (line: number): boolean => ![-1, line].includes(sections?.openerOf(line) ?? -1)
  const parentOf = (line: number): number => {
    const parent = parents[line] ?? -1
    return parent < 0 && isOpened(line) ? (sections?.openerOf(line) ?? -1) : parent
  }
  /** One more in a section, whose first line is above all of it. */
  const columnOf = (line: number): number => (columns[line] ?? 0) + Number(isOpened(line))
  const heads = (line: number, parent: number): boolean => {
    if (line === parent) return true
    const opener = sections?.openerOf(parent) ?? -1
    if (sections === undefined || opener < 0 || sections.openerOf(line) !== opener) return false
    const heading = sections.headingOf(opener)
    return [line, parent].every((each) => heading.includes(each) && (parents[each] ?? -1) < 0)
  }
  const parts = new Uint32Array(lines.count)
  for (let line = 1; line < lines.count; line++)
    parts[line] = (parts[line - 1] ?? 0) + Number(!read.isTimed && lines.opensParagraph(line))

  return {
    parentOf,
    heads,
    gapsBefore(printed) {
      /** What the next line may be below, the outermost first. A gap is for the line that it leaves out. */
      const open: { readonly line: number; readonly column: number }[] = []
      const close = (column: number): void => {
        while (open.length > 0 && (open.at(-1)?.column ?? 0) >= column) open.pop()
      }
      return printed.map(({ line, isLoose, isShared }, i) => {
        const column = columnOf(line)
        const parent = parentOf(line)
        close(column)
        const above = open.at(-1)
        const own = { line: isShared ? -1 : line, column }
        if (isLoose) {
          open.push(own)
          return ''
        }
        let gap = i > 0 && parts[line] !== parts[printed[i - 1]?.line ?? 0] ? '\n' : ''
        if (parent >= 0 && (above === undefined || !heads(above.line, parent))) {
          let outermost = parent
          for (let next = parentOf(parent); next >= 0; next = parentOf(next)) {
            if (open.some((each) => heads(each.line, next))) break
            outermost = next
          }
          const place = columnOf(outermost)
          close(place)
          open.push({ line: parent, column: place })
          gap = `${' '.repeat(Math.min(columns[outermost] ?? 0, MOST_BLANKS))}${GAP}\n`
        }
        open.push(own)
        return gap
      })
    },
  }
}
