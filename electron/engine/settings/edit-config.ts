import { applyEdits, createScanner, findNodeAtLocation, modify, parseTree } from 'jsonc-parser'
import type { FormattingOptions, Node } from 'jsonc-parser'
import type { SettingsPath } from './settings-problem.ts'

export interface SettingsEdit {
  /** In Sluice's terms: a server under `mcpServers` is still `['servers', id, …]`. */
  readonly path: SettingsPath
  /** Undefined deletes the key. */
  readonly value: unknown
}

export function editConfig(source: string, edits: readonly SettingsEdit[]): string {
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = source.slice(mark.length)
  const formattingOptions = formattingOf(text)
  const edited = edits.reduce((rest, { path, value }) => {
    const inFile = [...pathInFile(rest, path)]
    // `modify` throws where not even the container is there.
    if (value === undefined && !itemAt(rest, inFile)) return rest
    const before = value === undefined ? withoutCommaOfOnlyOne(rest, inFile) : rest
    const after = applyEdits(before, modify(before, inFile, value, { formattingOptions }))
    return value === undefined ? after : withCommaBeforeExamples(after, inFile)
  }, text)
  return mark + edited
}

/** `modify` leaves a trailing comma behind, and `{ , }` isn't JSON. */
function withoutCommaOfOnlyOne(text: string, path: SettingsPath): string {
  const item = itemAt(text, path)
  const comma = item?.parent?.children?.length === 1 ? commaAfter(text, item) : undefined
  return comma === undefined ? text : text.slice(0, comma) + text.slice(comma + 1)
}

/** So that the slashes before commented entries can be taken away. */
function withCommaBeforeExamples(text: string, path: SettingsPath): string {
  const item = itemAt(text, path)
  const container = item?.parent
  if (!item || !container || container.children?.at(-1) !== item) return text
  const end = item.offset + item.length
  const behind = text.slice(end, container.offset + container.length)
  if (commaAfter(text, item) !== undefined || !/^\s*\/\/ *"[^"]*":/m.test(behind)) return text
  return `${text.slice(0, end)},${text.slice(end)}`
}

/** With its key. */
function itemAt(text: string, path: SettingsPath): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, [...path])
  return node?.parent?.type === 'property' ? node.parent : node
}

function commaAfter(text: string, { offset, length }: Node): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset + length)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return text[at] === ',' ? at : undefined
}

function pathInFile(text: string, path: SettingsPath): SettingsPath {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const [first, id, ...rest] = path
  if (!root || first !== 'servers' || typeof id !== 'string') return path
  const isForeign =
    findNodeAtLocation(root, ['servers', id]) === undefined &&
    findNodeAtLocation(root, ['mcpServers', id]) !== undefined
  return isForeign ? ['mcpServers', id, ...rest] : path
}

function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
  }
}
