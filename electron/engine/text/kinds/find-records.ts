import type { FormatHint } from '../readers/reading.ts'
import { readText } from '../readers/registry.ts'

/** Share of the text that a reader has to explain, where lines of another kind speak against it. */
const SURELY = 0.9
const MOSTLY = 0.75

export interface Records {
  readonly kind: 'table' | 'data'
  /** Nearly all of the text is explained. */
  readonly isSure: boolean
  /** Columns have names, or the format is one of its own. */
  readonly isNamed: boolean
}

/** What readers make of the beginning of a text. */
export function findRecords(head: string, isWhole: boolean, hint?: FormatHint): Records | undefined {
  const sample = isWhole ? head : head.slice(0, head.lastIndexOf('\n') + 1)
  const reading = readText(sample, hint)
  if (reading === undefined) return undefined
  const { format, document, explained } = reading
  // Nothing else reads as JSON by chance.
  if (format === 'json') return { kind: 'data', isSure: true, isNamed: false }
  if (explained < MOSTLY) return undefined
  return {
    kind: format === 'table' ? 'table' : 'data',
    isSure: explained >= SURELY,
    isNamed: !document.keyNames.includes('column1'),
  }
}
