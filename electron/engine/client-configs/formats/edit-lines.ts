import type { ContainerEdit, Pair } from './config-format.ts'
import { firstPiece, lastPiece } from './config-node.ts'
import type { ConfigItem, ConfigNode, ConfigPiece } from './config-node.ts'
import type { EditContext } from './edit-context.ts'
import { indentOf, isFirstOnLine, lineEnd, lineStart, nextLine } from './lines.ts'
import type { Splice } from './splices.ts'

/** One entry per line: YAML block style, TOML tables. */
export function editLines(
  context: EditContext,
  node: ConfigNode,
  { replace, after, append = [] }: ContainerEdit,
): Splice[] {
  const { text } = context
  const survives = (item: ConfigItem): boolean => replace?.get(item.key)?.length !== 0
  const last = node.items.findLast(survives)
  if (!last) return refill(context, node, append)
  const splices: Splice[] = []
  // Earlier entries are handled.
  let done = 0
  for (const [index, item] of node.items.entries()) {
    if (index < done) continue
    const { start } = firstPiece(item)
    if (survives(item)) {
      const changed = change(context, item, replace?.get(item.key))
      const behind = [...changed.extra, ...(after?.get(item.key) ?? [])]
      const added = item === last ? [...behind, ...append] : behind
      splices.push(...changed.splices, ...insertAfter(context, item, added))
    } else if (item.pieces.length > 1 || isFirstOnLine(text, start)) {
      splices.push(...item.pieces.map((piece) => removeLines(text, piece)))
    } else {
      // In `- env: …` the next remaining entry moves behind the dash.
      done = node.items.findIndex((next, position) => position > index && survives(next))
      const next = node.items[done]
      if (!next) throw new Error('Nothing would be left behind the dash.')
      splices.push({ start, end: firstPiece(next).start, text: '' })
    }
  }
  return splices
}

function change(
  { text, format, write }: EditContext,
  item: ConfigItem,
  pairs: readonly Pair[] | undefined,
): { splices: Splice[]; extra: readonly Pair[] } {
  const [first, ...extra] = pairs ?? []
  if (!first) return { splices: [], extra: [] }
  const { start, end, prefix, isTable } = firstPiece(item)
  if (item.pieces.length > 1 || isTable) throw new Error(`"${item.key}" is spread over several tables.`)
  const { value } = item
  if (first[0] === item.key && (value.kind === 'scalar' || value.layout === 'delimited')) {
    const gap = text[value.start - 1] === ':' ? ' ' : ''
    const inline = gap + format.writeInline(first[1])
    return { splices: [{ start: value.start, end: value.end, text: inline }], extra }
  }
  const written = write(first, indentOf(text, start), { prefix, isMultiline: true })
  return { splices: [{ start, end, text: written }], extra }
}

function insertAfter({ text, write, eol }: EditContext, item: ConfigItem, pairs: readonly Pair[]): Splice[] {
  if (pairs.length === 0) return []
  const { start } = firstPiece(item)
  const { end, prefix } = lastPiece(item)
  const at = lineEnd(text, end)
  const indent = indentOf(text, start)
  const lines = pairs.map((pair) => eol + indent + write(pair, indent, { prefix, isMultiline: true }))
  return [{ start: at, end: at, text: lines.join('') }]
}

function removeLines(text: string, { start, end, isTable }: ConfigPiece): Splice {
  const from = lineStart(text, start)
  const blank = isTable ? (/(?:(?<=\n)[ \t]*\r?\n)+$/.exec(text.slice(0, from))?.[0].length ?? 0) : 0
  return { start: from - blank, end: nextLine(text, lineEnd(text, end)), text: '' }
}

/**
 * Replaces all entries, if given. Otherwise a TOML table vanishes, and YAML gets an empty map, because it reads
 * nothing as null.
 */
function refill(
  { text, format, write, eol }: EditContext,
  node: ConfigNode,
  pairs: readonly Pair[],
): Splice[] {
  const pieces = node.items.flatMap((item) => item.pieces)
  const [first] = pieces
  if (pairs.length === 0 && format.name === 'TOML') return pieces.map((piece) => removeLines(text, piece))
  if (!first || pieces.some(({ isTable }) => isTable)) {
    throw new Error('There is no line to add the new ones to.')
  }
  const { start, prefix } = first
  const indent = indentOf(text, start)
  const lines = pairs.map((pair) => write(pair, indent, { prefix, isMultiline: true }))
  const nothing = node.kind === 'map' ? ' {}' : ' []'
  return [{ start, end: node.end, text: lines.length === 0 ? nothing : lines.join(eol + indent) }]
}
