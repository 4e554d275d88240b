import { endOf, isContainer, keyOf, kindOf, NODE, sourceOf, valueOf } from '../tree/json-document.ts'
import type { JsonDocument } from '../tree/json-document.ts'
import { addMember, exactNumber } from '../tree/json-values.ts'
import { COMMENT } from './comments.ts'
import type { Reading } from './reading.ts'

type Container = unknown[] | Record<string, unknown>

/**
 * A reading's values as JavaScript has them, without comments and lines between values. A table gives objects by
 * column name, several tables a list of lists.
 */
export function valuesOf({ format, document }: Reading): unknown {
  return format === 'table' ? tablesOf(document) : valueAt(document)
}

function tablesOf(document: JsonDocument): unknown {
  const tables: Record<string, string>[][] = []
  let names: string[] = []
  for (let node = document.root; node < document.count; node++) {
    const kind = kindOf(document, node)
    if (kind === NODE.array && node > 0) {
      tables.push([])
      names = columnsOf(document, node)
    } else if (
      kind === NODE.object &&
      kindOf(document, document.parents[node] ?? 0) === NODE.array &&
      tables.length > 0
    )
      tables.at(-1)?.push(rowOf(document, node, names))
  }
  return tables.length === 1 ? tables[0] : tables
}

/** Names of a table's columns, in the order of the first row that has each. */
function columnsOf(document: JsonDocument, table: number): string[] {
  const seen = new Set<number>()
  for (let node = table + 1; node < endOf(document, table); node++)
    if (kindOf(document, node) === NODE.text) seen.add(keyOf(document, node))
  return [...seen].sort((one, other) => one - other).map((key) => document.keyNames[key] ?? '')
}

/** An empty cell has no node, a wrapped one has several. */
function rowOf(document: JsonDocument, row: number, names: readonly string[]): Record<string, string> {
  const cells = new Map(names.map((name) => [name, '']))
  for (let cell = row + 1; cell < endOf(document, row); cell++) {
    const name = document.keyNames[keyOf(document, cell)] ?? ''
    const above = cells.get(name) ?? ''
    cells.set(name, above === '' ? valueOf(document, cell) : `${above}\n${valueOf(document, cell)}`)
  }
  return Object.fromEntries(cells)
}

/** Iterative, because a document may be deep. */
function valueAt(document: JsonDocument): unknown {
  const open: { readonly container: Container; readonly end: number }[] = []
  const whole: unknown[] = []
  const repeated = new Set<unknown>()
  for (let node = document.root; node < document.count; node++) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= node) open.pop()
    const name = document.keyNames[keyOf(document, node)]
    if (name === COMMENT || name === '' || isBetween(document, node)) continue
    const value = isContainer(document, node)
      ? kindOf(document, node) === NODE.array
        ? []
        : {}
      : scalarOf(document, node)
    const parent = open.at(-1)?.container ?? whole
    if (Array.isArray(parent)) parent.push(value)
    else put(parent, name ?? '', value, repeated)
    if (isContainer(document, node)) open.push({ container: value as Container, end: endOf(document, node) })
  }
  const name = document.keyNames[keyOf(document, document.root)]
  return name === undefined ? whole[0] : { [name]: whole[0] }
}

/** A line between documents. */
const isBetween = ({ root, parents, kinds }: JsonDocument, node: number): boolean =>
  root === 0 && parents[node] === 0 && node > 0 && kinds[node] === NODE.text

/** A key that an object repeats has a list. */
function put(object: Record<string, unknown>, name: string, value: unknown, repeated: Set<unknown>): void {
  const before = Object.hasOwn(object, name) ? object[name] : undefined
  if (before !== undefined && repeated.has(before)) (before as unknown[]).push(value)
  else if (before === undefined) addMember(object, name, value)
  else {
    const list = [before, value]
    repeated.add(list)
    object[name] = list
  }
}

function scalarOf(document: JsonDocument, node: number): unknown {
  switch (kindOf(document, node)) {
    case NODE.number:
      return exactNumber(sourceOf(document, node))
    case NODE.true:
      return true
    case NODE.false:
      return false
    case NODE.null:
      return null
    default:
      return valueOf(document, node)
  }
}
