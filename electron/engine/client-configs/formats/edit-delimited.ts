import type { ContainerEdit, Pair } from './config-format.ts'
import { firstPiece } from './config-node.ts'
import type { ConfigItem, ConfigNode } from './config-node.ts'
import type { EditContext } from './edit-context.ts'
import { indentOf, isFirstOnLine, lineEnd, lineStart, nextLine, spacesAfter, spacesBefore } from './lines.ts'
import type { Splice } from './splices.ts'

interface Entry {
  readonly item: ConfigItem
  readonly start: number
  readonly end: number
  /** Offset of the comma after it. */
  readonly comma: number | undefined
  readonly pairs: readonly Pair[] | undefined
}

/** Brackets and commas: JSON, YAML flow style, TOML inline tables. */
export function editDelimited(context: EditContext, node: ConfigNode, edit: ContainerEdit): Splice[] {
  const { text, format } = context
  const entries = node.items.map((item, index): Entry => {
    const { start, end } = firstPiece(item)
    const next = node.items[index + 1]
    const comma = findComma(text, end, next ? firstPiece(next).start : node.end - 1, format.comment)
    const pairs = edit.replace?.get(item.key)
    // Otherwise it would count once the later one is gone.
    return { item, start, end, comma, pairs: pairs && item.isOverridden ? [] : pairs }
  })
  const appended = edit.append ?? []
  const last = entries.findLast(({ pairs }) => pairs === undefined || pairs.length > 0)
  if (!last) return [refill(context, node, appended)]

  // Otherwise a comma before removed entries would remain.
  const losesComma = last !== entries.at(-1) && entries.at(-1)?.comma === undefined
  return entries.flatMap((entry) => {
    if (entry.pairs?.length === 0) return [remove(context, entry)]
    const comma = entry === last && losesComma ? undefined : entry.comma
    const { splices, extra } = replace(context, entry)
    if (comma === undefined && entry.comma !== undefined) {
      splices.push({ start: entry.comma, end: entry.comma + 1, text: '' })
    }
    const behind = [...extra, ...(edit.after?.get(entry.item.key) ?? [])]
    const added = entry === last ? [...behind, ...appended] : behind
    return [...splices, ...insertAfter(context, node, entry, { comma, pairs: added })]
  })
}

/** Including comments between entries. */
function refill({ write, text }: EditContext, node: ConfigNode, pairs: readonly Pair[]): Splice {
  const inner = pairs.map((pair) => write(pair, '')).join(', ')
  const kept = node.items.length === 0 ? text.slice(node.start + 1, node.end - 1) : ''
  return { start: node.start + 1, end: node.end - 1, text: inner + kept }
}

function replace(
  { text, format, write }: EditContext,
  { item, start, end, pairs }: Entry,
): { splices: Splice[]; extra: readonly Pair[] } {
  const [first, ...extra] = pairs ?? []
  if (!first) return { splices: [], extra: [] }
  const { prefix } = firstPiece(item)
  const splice =
    first[0] === item.key
      ? { start: item.value.start, end: item.value.end, text: format.writeInline(first[1]) }
      : { start, end, text: write(first, indentOf(text, lineStart(text, start)), { prefix }) }
  return { splices: [splice], extra }
}

function insertAfter(
  { text, format, write, eol }: EditContext,
  node: ConfigNode,
  entry: Entry,
  { comma, pairs }: { comma: number | undefined; pairs: readonly Pair[] },
): Splice[] {
  if (pairs.length === 0) return []
  const { start, end } = entry
  const { prefix } = firstPiece(entry.item)
  const behind = entry.comma === undefined ? end : entry.comma + 1
  const lineEnds = lineEnd(text, behind)
  if (!isFirstOnLine(text, start) || lineEnds >= node.end) {
    const separator = /\s/.test(text.slice(node.start + 1, node.end - 1)) ? ', ' : ','
    return [{ start: end, end, text: pairs.map((pair) => separator + write(pair, '', { prefix })).join('') }]
  }
  const indent = indentOf(text, start)
  const lines = pairs
    .map((pair) => eol + indent + write(pair, indent, { prefix, isMultiline: true }))
    .join(',')
  // A comment after the entry stays beside it.
  const isCommentAtMost = isBlank(text.slice(behind, lineEnds), format.comment)
  const at = isCommentAtMost ? lineEnds : behind
  if (comma !== undefined) return [{ start: at, end: at, text: `${lines},` }]
  return [
    { start: end, end, text: ',' },
    { start: at, end: at, text: lines },
  ]
}

/** With its comma, and its line if only a comment remains. */
function remove({ text, format }: EditContext, { start, end, comma }: Entry): Splice {
  const behind = comma === undefined ? end : comma + 1
  const lineEnds = lineEnd(text, behind)
  const before = spacesBefore(text, start)
  const isFirst = isFirstOnLine(text, start)
  if (isFirst && isBlank(text.slice(behind, lineEnds), format.comment)) {
    return { start: lineStart(text, start), end: nextLine(text, lineEnds), text: '' }
  }
  if (isFirst || before === 0) return { start, end: behind + spacesAfter(text, behind), text: '' }
  return { start: start - before, end: behind, text: '' }
}

function findComma(text: string, from: number, to: number, comment: RegExp): number | undefined {
  for (let offset = from; offset < to;) {
    if (text[offset] === ',') return offset
    offset = commentEnd(text, offset, comment) ?? offset + 1
  }
  return undefined
}

/** Only spaces and complete comments. */
function isBlank(text: string, comment: RegExp): boolean {
  for (let offset = 0; offset < text.length;) {
    const behind = commentEnd(text, offset, comment)
    if (behind === undefined && !/\s/.test(text[offset] ?? '')) return false
    offset = behind ?? offset + 1
  }
  return true
}

function commentEnd(text: string, offset: number, comment: RegExp): number | undefined {
  comment.lastIndex = offset
  return comment.test(text) ? comment.lastIndex : undefined
}
