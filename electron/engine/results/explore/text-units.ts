import { endOf, isContainer, parentOf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { fieldStart } from '../../text/tree/places.ts'
import type { ExploredText } from './explored-text.ts'

/** A passage that is found, ranked and shown as one: characters `start` to `end`. */
export interface TextUnit {
  readonly start: number
  readonly end: number
}

/** Passages have at most this many characters, where the text lets them. */
const UNIT_LENGTH = 600
/** Kinds in which each line is a unit of its own. */
const LINE_KINDS = new Set(['log', 'table', 'file-list', 'diff', 'test-report'])

/** Cuts a text into passages: the records of JSON, the lines of logs and tables, the paragraphs of everything else. */
export function textUnits(source: ExploredText): TextUnit[] {
  if (source.json) return jsonUnits(source.json)
  const units: TextUnit[] = []
  const isByLine = LINE_KINDS.has(source.kind)
  let open: TextUnit | undefined
  for (let line = 0; line < source.lineCount; line++) {
    const start = source.lineStart(line)
    const end = source.lineStart(line + 1)
    const isBlank = source.text.slice(start, Math.min(end, start + 200)).trim() === ''
    if (open && (isBlank || isByLine || end - open.start > UNIT_LENGTH)) {
      units.push(open)
      open = undefined
    }
    if (isBlank) continue
    if (end - start > UNIT_LENGTH) units.push(...pieces(source.text, start, end))
    else open = { start: open?.start ?? start, end }
  }
  return open ? [...units, open] : units
}

/** A long line in pieces that end at a blank or a comma. */
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

/** The largest objects and lists that are short enough, and between them the single fields of the larger ones, together. */
function jsonUnits(document: JsonDocument): TextUnit[] {
  const units: TextUnit[] = []
  /** The last node, where it is a scalar that the next one may join. */
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
