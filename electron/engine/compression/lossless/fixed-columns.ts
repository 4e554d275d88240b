import { isContainer, kindOf, NODE, valueOf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { cellsOf } from './shapes.ts'
import type { Shape } from './shapes.ts'
import type { ValueIds } from './value-ids.ts'

/** A column omitted from rows: one constant, or a text built from other cells. */
export type FixedColumn =
  | { readonly kind: 'constant'; readonly node: number }
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }

type TemplatePart = { readonly text: string } | { readonly column: number }

const SHORTEST_TEMPLATE = 12

/** Constants ("type": "User" in every row) and templates ("…/users/{login}/followers"), verified against every row. */
export function findFixedColumns(
  document: JsonDocument,
  shape: Shape,
  ids: ValueIds,
  withTemplates: boolean,
): (FixedColumn | undefined)[] {
  const rows = shape.rows.map((row) => cellsOf(document, shape, row))
  const fixed: (FixedColumn | undefined)[] = shape.keys.map(() => undefined)
  if (new Set(shape.rows.map((row) => ids.ids[row])).size < 2) return fixed
  const isConstant = shape.keys.map((_, column) => {
    const first = rows[0]?.[column] ?? -1
    return (
      first >= 0 &&
      !looksLikeTemplate(document, first) &&
      rows.every((cells) => (cells[column] ?? -1) >= 0 && ids.ids[cells[column] ?? 0] === ids.ids[first])
    )
  })
  shape.keys.forEach((_, column) => {
    if (isConstant[column]) fixed[column] = { kind: 'constant', node: rows[0]?.[column] ?? -1 }
  })

  if (!withTemplates) return fixed
  const texts = shape.keys.map((_, column) =>
    isConstant[column] ? undefined : columnTexts(document, rows, column),
  )
  const sourcesOf = new Map<number, readonly number[]>()
  const dependsOn = (column: number, other: number): boolean =>
    column === other || (sourcesOf.get(column) ?? []).some((source) => dependsOn(source, other))
  shape.keys.forEach((_, column) => {
    const values = texts[column]
    const first = rows[0]?.[column] ?? -1
    if (!values || first < 0 || kindOf(document, first) !== NODE.string) return
    if (values.some((value) => value.length < SHORTEST_TEMPLATE) || kindsDiffer(document, rows, column))
      return
    const candidates = texts
      .map((source, at) => ({ at, source }))
      .filter(
        ({ at, source }) =>
          at !== column && source && isInsertable(document, shape, at) && !dependsOn(at, column),
      )
    const parts = findTemplate(values, candidates)
    if (!parts) return
    fixed[column] = { kind: 'template', parts }
    sourcesOf.set(
      column,
      parts.flatMap((part) => ('column' in part ? [part.column] : [])),
    )
  })
  return fixed
}

/** Texts with the insertion mark stay in rows, where it has no meaning. */
const looksLikeTemplate = (document: JsonDocument, node: number): boolean =>
  kindOf(document, node) === NODE.string && valueOf(document, node).includes('+{')

/** Undefined unless all cells are strings or numbers. */
function columnTexts(
  document: JsonDocument,
  rows: readonly (readonly number[])[],
  column: number,
): string[] | undefined {
  const texts: string[] = []
  for (const cells of rows) {
    const cell = cells[column] ?? -1
    if (cell < 0 || isContainer(document, cell)) return undefined
    const kind = kindOf(document, cell)
    if (kind !== NODE.string && kind !== NODE.number) return undefined
    texts.push(valueOf(document, cell))
  }
  return texts
}

const kindsDiffer = (document: JsonDocument, rows: readonly (readonly number[])[], column: number): boolean =>
  rows.some((cells) => kindOf(document, cells[column] ?? 0) !== NODE.string)

const isInsertable = (document: JsonDocument, shape: Shape, column: number): boolean =>
  !/[{}]/.test(document.keyNames[shape.keys[column] ?? -1] ?? '}')

interface Candidate {
  readonly at: number
  readonly source: string[] | undefined
}

/** Longest sources first; while the template fails in any row, drops the shortest. */
function findTemplate(
  values: readonly string[],
  candidates: readonly Candidate[],
): TemplatePart[] | undefined {
  const sources = candidates
    .flatMap(({ at, source }) => (source ? [{ at, source }] : []))
    .filter(({ source }) => source.every((text, row) => text !== '' && (values[row] ?? '').includes(text)))
    .sort((a, b) => (b.source[0]?.length ?? 0) - (a.source[0]?.length ?? 0) || a.at - b.at)
  for (let used = Math.min(sources.length, 4); used > 0; used--)
    for (let from = 0; from + used <= Math.min(sources.length, 8); from++) {
      const parts = fill(values[0] ?? '', sources.slice(from, from + used))
      const isRight = values.every(
        (value, row) => apply(parts, (column) => sourceText(sources, column, row)) === value,
      )
      const hasEscape = parts.some((part) => 'text' in part && part.text.includes('+{'))
      if (isRight && !hasEscape) return parts
    }
  return undefined
}

const sourceText = (
  sources: readonly { at: number; source: string[] }[],
  column: number,
  row: number,
): string => sources.find(({ at }) => at === column)?.source[row] ?? ''

/** Every occurrence is replaced. */
function fill(value: string, sources: readonly { at: number; source: string[] }[]): TemplatePart[] {
  let parts: TemplatePart[] = [{ text: value }]
  for (const { at, source } of sources) {
    const text = source[0] ?? ''
    parts = parts.flatMap((part): TemplatePart[] => {
      if ('column' in part) return [part]
      return part.text.split(text).flatMap((piece, index): TemplatePart[] => {
        const before: TemplatePart[] = index > 0 ? [{ column: at }] : []
        return piece === '' ? before : [...before, { text: piece }]
      })
    })
  }
  return parts
}

function apply(parts: readonly TemplatePart[], textOf: (column: number) => string): string {
  return parts.map((part) => ('text' in part ? part.text : textOf(part.column))).join('')
}
