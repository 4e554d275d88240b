import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser'
import type { FormattingOptions } from 'jsonc-parser'
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
    const inFile = pathInFile(rest, path)
    return applyEdits(rest, modify(rest, [...inFile], value, { formattingOptions }))
  }, text)
  return mark + edited
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
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}
