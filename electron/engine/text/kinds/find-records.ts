import type { FormatHint } from '../readers/reading.ts'
import { findReading, type FoundReading } from '../readers/registry.ts'

/** Share of the text that a reader has to explain, where lines of another kind speak against it. */
const SURELY = 0.9
const MOSTLY = 0.75

export interface Records {
  readonly kind: 'table' | 'data'
  /** `syntax`: nothing else is written so by chance; `rows`: lines of other kinds may look so; `weak`: much is left. */
  readonly evidence: 'syntax' | 'rows' | 'weak'
  /** Most columns have names, or the format is one of its own. */
  readonly isNamed: boolean
  readonly found: FoundReading
}

const SYNTAX = new Set(['json-parts', 'xml', 'metrics', 'toml'])

const unnamedOf = (names: readonly string[]): number =>
  names.filter((name) => /^column\d+$/.test(name)).length

/** What readers make of the beginning of a text. */
export function findRecords(head: string, isWhole: boolean, hint?: FormatHint): Records | undefined {
  const lastLine = head.lastIndexOf('\n') + 1
  const found = findReading(isWhole || lastLine < head.length / 2 ? head : head.slice(0, lastLine), hint)
  if (found === undefined) return undefined
  const { reading } = found
  const { format, document, explained } = reading
  if (explained < MOSTLY && format !== 'json-parts') return undefined
  const isSyntax = SYNTAX.has(format) || reading.isSyntax === true
  const isSure = explained >= SURELY || format === 'json-parts'
  return {
    kind: format === 'table' ? 'table' : 'data',
    evidence: !isSure ? 'weak' : isSyntax ? 'syntax' : 'rows',
    isNamed: format !== 'json-parts' && unnamedOf(document.keyNames) * 2 < document.keyNames.length,
    found,
  }
}
