import type { FormatHint, Reader, Reading } from './reading.ts'
import { jsonPartsReader } from './json-parts.ts'
import { settingsReader } from './settings.ts'
import { tableReader } from './table.ts'
import { xmlReader } from './xml.ts'
import { yamlReader } from './yaml.ts'

/** Formats with a tree of records, JSON aside. One line each. */
export const readers: readonly Reader[] = [
  jsonPartsReader,
  xmlReader,
  yamlReader,
  settingsReader,
  tableReader,
]

/** The reading that explains most of the text; undefined for text without records. */
export function readText(text: string, hint?: FormatHint): Reading | undefined {
  let best: Reading | undefined
  for (const reader of readers) {
    const reading = reader.read(text, hint)
    if (reading !== undefined && reading.explained > (best?.explained ?? 0)) best = reading
  }
  return best
}
