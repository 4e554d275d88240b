import { NODE } from '../tree/json-document.ts'
import type { Reader, Reading } from './reading.ts'
import { isBlank, sourceLines, type SourceLines } from './source-lines.ts'
import { TreeBuilder } from './tree-builder.ts'

/** Least share of lines with a branch. */
const BRANCHED = 0.3
/** Of lines that begin with a branch or are indented. */
const BELOW = 0.8
const FEWEST = 5
/** What is drawn before a line's words: stems, then a branch. */
const DRAWN =
  /^(?:\[INFO\] )?([\s\u00a0│┃|]*(?:[├└╰┣┗`+\\|][─━┬┳╴-]{1,3}[┬┳]?|->|[│┃|](?= ))?)[\s\u00a0]*(?:[●○•×] ?)?/u
const BRANCH = /(?:[├└╰┣┗][─━]|[`+\\|]-|->)/

/** Trees of lines as `tree`, `npm ls`, `mvn dependency:tree` and query plans draw them: each line is below its parent. */
export const drawnTreeReader: Reader = {
  format: 'tree',
  read(text): Reading | undefined {
    const lines = sourceLines(text)
    const rows = readRows(lines)
    if (rows === undefined) return undefined
    const tree = new TreeBuilder(text)
    const [words, below] = [tree.keyId(''), tree.keyId(' ')]
    const nodes: number[] = []
    const open: Row[] = []
    const closeTo = (column: number): void => {
      while (open.length > 0 && (open.at(-1)?.column ?? -1) >= column) {
        const row = open.pop()
        if (row === undefined) break
        row.end = nodes.length
        if (row.isParent) tree.end(row.stop)
        tree.end(row.stop)
      }
    }
    rows.forEach((row, i) => {
      closeTo(row.column)
      row.depth = open.length
      row.isParent = (rows[i + 1]?.column ?? -1) > row.column
      tree.begin(NODE.object, -1, row.start)
      nodes.push(tree.leaf(NODE.text, words, row.start, row.stop))
      if (row.isParent) tree.begin(NODE.array, below, row.stop)
      open.push(row)
    })
    closeTo(-1)
    return {
      format: 'tree',
      document: tree.finish(),
      explained: 1,
      isSyntax: true,
      print: (chosen, textOf) => printTree(text, { rows, nodes }, chosen, textOf),
    }
  },
}

/** Each chosen line below its parents; of what is hidden below a line, how many lines. */
function printTree(
  text: string,
  { rows, nodes }: { readonly rows: readonly Row[]; readonly nodes: readonly number[] },
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
  const wanted = new Set(chosen)
  const out: string[] = []
  const above: number[] = []
  let printed = -1
  rows.forEach((row, i) => {
    above.length = row.depth
    above.push(i)
    const node = nodes[i] ?? 0
    if (!wanted.has(node)) return
    for (const parent of above) {
      const { depth, start, stop, end } = rows[parent] ?? row
      if (parent <= printed) continue
      const own = nodes[parent] ?? 0
      const words = wanted.has(own) ? textOf(own) : text.slice(start, stop)
      const isClosed = parent === i && !nodes.slice(i + 1, end).some((one) => wanted.has(one))
      const hidden = isClosed && end > i + 1 ? ` … ${end - i - 1} below` : ''
      out.push('  '.repeat(Math.min(depth, DEEPEST)) + words + hidden)
    }
    printed = i
  })
  return out.join('\n')
}

const DEEPEST = 40

interface Row {
  /** Where its words begin in the line. */
  readonly column: number
  readonly start: number
  readonly stop: number
  depth: number
  isParent: boolean
  /** The row after those below it. */
  end: number
}

function readRows(lines: SourceLines): Row[] | undefined {
  const { text } = lines
  const rows: Row[] = []
  let branched = 0
  let below = 0
  let rules = 0
  for (let line = 0; line < lines.count; line++) {
    if (isBlank(lines, line)) continue
    const begin = lines.starts[line] ?? 0
    const stop = lines.stops[line] ?? 0
    const drawn = DRAWN.exec(text.slice(begin, Math.min(stop, begin + LONGEST_DRAWN)))?.[0] ?? ''
    if (begin + drawn.length >= stop) continue
    if (RULE.test(text[begin + drawn.length] ?? '')) {
      if (++rules > MOST_RULES) return undefined
      continue
    }
    if (BRANCH.test(drawn)) branched++
    if (drawn.length > 0) below++
    // Details of a step begin where its arrow does.
    const arrow = drawn.indexOf('->')
    rows.push({
      column: arrow < 0 ? drawn.length : arrow,
      start: begin + drawn.length,
      stop,
      depth: 0,
      isParent: false,
      end: 0,
    })
    if (rows.length === SAMPLE && branched < SAMPLE * BRANCHED) return undefined
  }
  if (rows.length < FEWEST || branched < rows.length * BRANCHED || below < rows.length * BELOW)
    return undefined
  return rows
}

const LONGEST_DRAWN = 200
/** Tables draw lines that have no words. */
const RULE = /[-=+|─━┼┬┴]/u
const MOST_RULES = 2
const SAMPLE = 60
