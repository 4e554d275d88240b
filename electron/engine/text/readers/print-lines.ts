import { endOf, isContainer, isLeaf, kindOf, NODE, parentOf, valueOf } from '../tree/json-document.ts'
import type { JsonDocument } from '../tree/json-document.ts'

export interface Printable {
  readonly document: JsonDocument
  /** By node: where its own words begin: key, dash, section, opening tag. */
  readonly heads: Int32Array
  /** Containers in brackets, printed with what is in them. */
  readonly flows: ReadonlySet<number>
  /** Values of lines that have several. */
  readonly pairs?: ReadonlySet<number> | undefined
  /** A line between documents. */
  readonly between?: string
}

const CUT = '…'
/** A collection on one line is whole up to this many characters. */
const SHORT = 160
const DEEPEST_COLUMN = 200

/** Each chosen leaf on its source's line or lines, below the lines that open what it is in. */
export function printLines(
  { document, heads, flows, pairs, between }: Printable,
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
  const { text } = document
  const out: string[] = []
  let open: number[] = []
  /** Columns of dashes before the next line. */
  let dashes: number[] = []
  const put = (at: number, words: string): void => {
    const column = columnOf(text, at)
    const own = text.slice(at - column, at)
    let prefix = own.trim() === '' ? own : ' '.repeat(column)
    for (const dash of dashes)
      if (dash < column) prefix = `${prefix.slice(0, dash)}-${prefix.slice(dash + 1)}`
    dashes = []
    out.push(prefix + words)
  }
  for (let i = 0; i < chosen.length; i++) {
    const leaf = chosen[i] ?? 0
    const path = pathTo(document, leaf)
    const flow = flows.size === 0 ? undefined : path.find((node) => flows.has(node))
    const containers = flow === undefined ? path : path.slice(0, path.indexOf(flow))
    let common = 0
    while (common < open.length && common < containers.length && open[common] === containers[common]) common++
    if (between !== undefined && document.root === 0 && common === 0 && containers.length > 0)
      if (open.length > 0 || out.length > 0) out.push(between)
    for (const node of containers.slice(common)) {
      const head = heads[node] ?? 0
      const words = headOf(text, head, document.starts[node] ?? head)
      if (words === '-') dashes.push(columnOf(text, head))
      else if (words !== '') put(head, words)
    }
    open = containers
    if (flow !== undefined) {
      const end = endOf(document, flow)
      const inside: number[] = []
      while (i < chosen.length && (chosen[i] ?? 0) < end) inside.push(chosen[i++] ?? 0)
      i--
      put(heads[flow] ?? 0, flowText(document, heads, flow, inside, textOf))
    } else if (pairs?.has(leaf) === true) {
      const start = startOfLine(text, heads[leaf] ?? 0)
      const end = endOfLine(text, start)
      const beside: number[] = []
      while (i < chosen.length && (heads[chosen[i] ?? 0] ?? 0) < end) beside.push(chosen[i++] ?? 0)
      i--
      put(
        start,
        end - start <= SHORT ? text.slice(start, end).trimEnd() : pairsText(document, heads, beside, textOf),
      )
    } else if (!isInHead(document, leaf)) {
      const words = leafText(document, heads, leaf, textOf)
      put(heads[leaf] ?? 0, words + restOfLine(text, document.stops[leaf] ?? 0))
    }
  }
  return out.join('\n')
}

/** Containers from the outermost to a leaf's parent, without the root of several documents. */
function pathTo(document: JsonDocument, leaf: number): number[] {
  const path: number[] = []
  for (let node = parentOf(document, leaf); node > 0; node = parentOf(document, node)) path.push(node)
  return path.reverse()
}

/** A label of a block is printed with the block's first line. */
const isInHead = ({ starts, parents, stops }: JsonDocument, leaf: number): boolean =>
  (stops[leaf] ?? 0) <= (starts[parents[leaf] ?? 0] ?? 0)

/** A container's head on its line, without its content. */
function headOf(text: string, head: number, start: number): string {
  const end = text.indexOf('\n', head)
  return text.slice(head, end < 0 || start < end ? start : end).trim()
}

function flowText(
  document: JsonDocument,
  heads: Int32Array,
  flow: number,
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
  const { text, starts, stops } = document
  const [start, stop] = [starts[flow] ?? 0, stops[flow] ?? 0]
  const lead = text.slice(heads[flow], start)
  const leaves: number[] = []
  for (let node = flow + 1; node < endOf(document, flow); node++)
    if (isLeaf(document, node)) leaves.push(node)
  if (stop - start <= SHORT || leaves.length <= chosen.length) {
    const isWhole = chosen.every((node) => textOf(node) === valueOf(document, node))
    if (isWhole || stop - start <= SHORT) return lead + text.slice(start, stop)
  }
  const pieces: string[] = []
  const wanted = new Set(chosen)
  for (const node of leaves) {
    if (wanted.has(node)) pieces.push(leafText(document, heads, node, textOf))
    else if (pieces.at(-1) !== CUT) pieces.push(CUT)
  }
  const sign = text[start] ?? ''
  // Pairs without brackets are divided as they are in the source.
  if (sign !== '{' && sign !== '[')
    return lead + pieces.join(/[,;] ?/.exec(text.slice(start, stop))?.[0] ?? ',')
  return `${lead}${sign}${pieces.join(', ')}${kindOf(document, flow) === NODE.object ? '}' : ']'}`
}

/** With what the source has around the value, unless it is cut. */
function leafText(
  document: JsonDocument,
  heads: Int32Array,
  leaf: number,
  textOf: (node: number) => string,
): string {
  const { text, starts, stops } = document
  const head = heads[leaf] ?? 0
  const start = starts[leaf] ?? 0
  const stop = stops[leaf] ?? 0
  const shown = textOf(leaf)
  if (shown !== valueOf(document, leaf) && !isContainer(document, leaf)) {
    const lead = text.slice(head, start)
    const lineEnd = lead.indexOf('\n')
    return lineEnd < 0 ? lead + shown : `${lead.slice(0, lineEnd)}\n${indented(shown, columnOf(text, start))}`
  }
  const quote = text[start - 1]
  const closes = (quote === '"' || quote === "'") && text[stop] === quote
  return text.slice(head, stop + (closes ? 1 : 0))
}

/** Chosen pairs of a long line. */
function pairsText(
  document: JsonDocument,
  heads: Int32Array,
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
  let out = ''
  for (const [i, leaf] of chosen.entries()) {
    const head = heads[leaf] ?? 0
    const before = chosen[i - 1]
    const isNext = before === undefined ? startOfLine(document.text, head) === head : leaf === before + 1
    if (!isNext) out += out === '' ? `${CUT} ` : ` ${CUT} `
    else if (before !== undefined) out += document.text.slice(document.stops[before], head)
    out += leafText(document, heads, leaf, textOf)
  }
  const last = document.stops[chosen.at(-1) ?? 0] ?? 0
  return document.text.slice(last, endOfLine(document.text, last)).trim() === '' ? out : `${out} ${CUT}`
}

/** Its first sign. */
function startOfLine(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at) + 1
  return start + text.slice(start, at + 1).search(/\S/)
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** What follows a value on its line: a comment, a semicolon. */
function restOfLine(text: string, stop: number): string {
  let end = stop
  while (end < text.length && end - stop <= LONGEST_REST && text.charCodeAt(end) !== 0x0a) end++
  const rest = text.slice(stop, end)
  const isQuoted = rest.startsWith('"') || rest.startsWith("'")
  const kept = (isQuoted ? rest.slice(1) : rest).trimEnd()
  return end - stop > LONGEST_REST ? ` ${CUT}` : kept
}

const LONGEST_REST = 120

const indented = (shown: string, column: number): string =>
  shown
    .split('\n')
    .map((line) => ' '.repeat(column) + line)
    .join('\n')

function columnOf(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < DEEPEST_COLUMN && text.charCodeAt(start - 1) !== 0x0a) start--
  return at - start
}
