import { lineGroups, type LineGroup } from '../../text/blocks/parse-blocks.ts'
import { endOf, isContainer, parentOf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { fieldStart } from '../../text/tree/places.ts'
import type { ExploredText } from './explored-text.ts'

/** Found, ranked and shown as one. */
export interface TextUnit {
  readonly start: number
  readonly end: number
}

/** If the text permits. */
const UNIT_LENGTH = 600
/** One unit per line. */
const LINE_KINDS = new Set(['log', 'table', 'data', 'file-list', 'diff', 'test-report', 'snapshot'])

/** JSON records, lines of logs and tables, or paragraphs. */
export function textUnits(source: ExploredText): TextUnit[] {
  if (source.json) return jsonUnits(source.json)
  const units: TextUnit[] = []
  for (const { first, end, heading } of passages(source)) {
    let open: TextUnit | undefined
    for (let line = heading ?? first; line < end; line++) {
      const [from, to] = [source.lineStart(line), source.lineStart(line + 1)]
      if (open && to - open.start > UNIT_LENGTH) {
        units.push(open)
        open = undefined
      }
      if (to - from > UNIT_LENGTH) units.push(...pieces(source.text, from, to))
      else open = { start: open?.start ?? from, end: to }
    }
    if (open) units.push(open)
  }
  return units
}

interface Passage {
  readonly first: number
  readonly end: number
  /** Of the heading directly above. */
  readonly heading?: number | undefined
}

function* passages(source: ExploredText): Iterable<Passage> {
  if (LINE_KINDS.has(source.kind)) {
    for (let line = 0; line < source.lineCount; line++)
      if (source.line(line).trim() !== '') yield { first: line, end: line + 1 }
    return
  }
  let heading: LineGroup | undefined
  for (const group of lineGroups([...source.lines()])) {
    if (heading && group.type === 'heading') yield heading
    if (group.type === 'heading') heading = group
    else {
      if (group.type !== 'break') yield { ...group, heading: heading?.first }
      else if (heading) yield heading
      heading = undefined
    }
  }
  if (heading) yield heading
}

/** Ends at a blank or comma. */
function pieces(text: string, start: number, end: number): TextUnit[] {
  const units: TextUnit[] = []
  for (let at = start; at < end;) {
    const limit = Math.min(end, at + UNIT_LENGTH)
    const gap = limit < end ? Math.max(text.lastIndexOf(' ', limit), text.lastIndexOf(',', limit)) + 1 : limit
    const next = gap > at + UNIT_LENGTH / 2 ? gap : limit
    units.push({ start: at, end: next })
    at = next
  }
  return units
}

/** The largest short enough objects and lists; single fields of larger ones are joined. */
function jsonUnits(document: JsonDocument): TextUnit[] {
  const units: TextUnit[] = []
  let joined = -1
  for (let node = document.root; node < document.count;) {
    const start = fieldStart(document, node)
    const end = document.stops[node] ?? start
    if (isContainer(document, node)) {
      joined = -1
      if (end - start <= UNIT_LENGTH) units.push({ start, end })
      node = end - start <= UNIT_LENGTH ? endOf(document, node) : node + 1
      continue
    }
    const last = units.at(-1)
    const joins =
      last && joined === node - 1 && parentOf(document, joined) === parentOf(document, node)
        ? end - last.start <= UNIT_LENGTH
        : false
    if (last && joins) units[units.length - 1] = { start: last.start, end }
    else units.push({ start, end })
    joined = node++
  }
  return units
}
