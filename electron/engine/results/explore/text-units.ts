import type { ExploredText } from './explored-text.ts'
import { scanJson } from './json-scan.ts'

/** A passage that is found, ranked and shown as one: characters `start` to `end`. */
export interface TextUnit {
  readonly start: number
  readonly end: number
}

/** Passages have at most this many characters, where the text lets them. */
const UNIT_LENGTH = 600
/** Kinds in which each line is a thing of its own. */
const LINE_KINDS = new Set(['log', 'table', 'file-list', 'diff', 'test-report'])

/** Cuts a text into passages: the records of JSON, the lines of logs and tables, the paragraphs of everything else. */
export function textUnits(source: ExploredText, jsonFormat: 'json' | 'json lines' | undefined): TextUnit[] {
  if (jsonFormat) return jsonUnits(source.text, jsonFormat === 'json lines')
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
function jsonUnits(text: string, areLines: boolean): TextUnit[] {
  const units: (TextUnit & { isScalar: boolean })[] = []
  let lastBorder = 0
  scanJson(text, areLines, {
    open: (start) => {
      lastBorder = start
    },
    scalar: (start, end) => {
      const last = units.at(-1)
      const joins = last?.isScalar === true && last.start > lastBorder && end - last.start <= UNIT_LENGTH
      if (joins) units[units.length - 1] = { start: last.start, end, isScalar: true }
      else units.push({ start, end, isScalar: true })
    },
    close: (start, end) => {
      lastBorder = end
      if (end - start > UNIT_LENGTH) return
      while ((units.at(-1)?.start ?? -1) >= start) units.pop()
      units.push({ start, end, isScalar: false })
    },
  })
  return units
}
