import { isDeepStrictEqual } from 'node:util'
import type { ConfigFormat, ConfigText, ContainerEdit, ParsedConfig } from './config-format.ts'
import { ConfigSyntaxError } from './config-format.ts'
import { lastPiece, nodeAt } from './config-node.ts'
import { editDelimited } from './edit-delimited.ts'
import { editLines } from './edit-lines.ts'
import { editValue } from './edit-value.ts'
import { lineBreakOf } from './lines.ts'
import { applySplices } from './splices.ts'
import type { Splice } from './splices.ts'

/**
 * In place; all else keeps its characters. Reads the result again and throws unless it equals the wanted value (e.g.
 * if an anchor is used elsewhere).
 */
export function editConfigText(
  { text, parsed }: ConfigText,
  format: ConfigFormat,
  edits: readonly ContainerEdit[],
): ConfigText {
  if (edits.length === 0) return { text, parsed }
  const { root, value } = parsed
  const eol = lineBreakOf(text)
  const step = stepOf(text)
  // Deeper ones first: insertions at the end of an entry precede those after it.
  const inOrder = edits.toSorted((a, b) => b.path.length - a.path.length)
  const splices = inOrder.flatMap((edit): Splice[] => {
    const node = nodeAt(root, edit.path)
    if (!node || node.kind === 'scalar') throw new Error('The place of the change is not in the file.')
    const asTable = node.items.some((item) => lastPiece(item).isTable)
    const write = (
      pair: readonly [string, unknown],
      indent: string,
      { prefix = '', isMultiline = false }: { prefix?: string; isMultiline?: boolean } = {},
    ): string =>
      format.writePair(pair, {
        indent,
        step,
        eol,
        prefix,
        isMultiline,
        asTable,
        layout: node.layout,
        kind: node.kind === 'list' ? 'list' : 'map',
        container: edit.path,
      })
    const context = { text, format, eol, write }
    return node.layout === 'lines' ? editLines(context, node, edit) : editDelimited(context, node, edit)
  })
  const edited = applySplices(text, splices)
  return { text: edited, parsed: readVerified(format, edited, editValue(value, edits)) }
}

function readVerified(format: ConfigFormat, edited: string, wanted: unknown): ParsedConfig {
  try {
    const parsed = format.parse(edited)
    if (isDeepStrictEqual(parsed.value, wanted)) return parsed
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error
  }
  throw new Error(
    `The change would reach further than it should, as this ${format.name} file is written (anchors, or parts that are spread over the file).`,
  )
}

const stepOf = (text: string): string => {
  const indent = /^([ \t]+)[^\s/*#]/m.exec(text)?.[1] ?? '  '
  return indent.startsWith('\t') ? '\t' : indent
}
