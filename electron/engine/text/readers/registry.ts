import { endOf, isContainer, keyOf, kindOf, NODE } from '../tree/json-document.ts'
import type { JsonDocument } from '../tree/json-document.ts'
import { drawnTreeReader } from './drawn-tree.ts'
import { entriesReader } from './entries.ts'
import { indentedReader } from './indented.ts'
import { jsonPartsReader } from './json-parts.ts'
import { keyValuesReader } from './key-values.ts'
import { markdownItemsReader } from './markdown-items.ts'
import { metricsReader } from './metrics.ts'
import type { FormatHint, Reader, Reading } from './reading.ts'
import { settingsReader } from './settings.ts'
import { sqlReader } from './sql.ts'
import { tableReader } from './table.ts'
import { xmlReader } from './xml.ts'
import { yamlReader } from './yaml.ts'

/** Formats with a tree of records, whole JSON aside. One line each; of equals the first is taken. */
const readers: readonly Reader[] = [
  jsonPartsReader,
  sqlReader,
  xmlReader,
  drawnTreeReader,
  metricsReader,
  markdownItemsReader,
  yamlReader,
  settingsReader,
  keyValuesReader,
  tableReader,
  entriesReader,
  indentedReader,
]

/** Nothing can explain more. */
const ALL = 0.999
/** An object whose keys are mostly repeated is a list of lines, as logs have them. */
const REPEATED = 0.4

/** Characters that tell which reader reads a longer text. */
const SAMPLE = 12_000
/** Of a sample; longer lines tell too little. */
const LEAST_LINES = 6

/** The reader that explains most of a text with the fewest exceptions, and its reading. */
export interface FoundReading {
  readonly reader: Reader
  readonly reading: Reading
}

/** Undefined for text without records. */
export const readText = (text: string, hint?: FormatHint): Reading | undefined =>
  text.length < SAMPLE * 2
    ? findReading(text, hint)?.reading
    : readAs(findReading(sampleOf(text), hint), text, hint)

const sampleOf = (text: string): string => {
  const sample = text.slice(0, text.lastIndexOf('\n', SAMPLE) + 1)
  return hasLines(sample) ? sample : text
}

/** The same where the reading of the text's beginning is known. */
export function readAs(
  known: FoundReading | undefined,
  text: string,
  hint?: FormatHint,
): Reading | undefined {
  if (known === undefined) return undefined
  const { reader, reading } = known
  if (reading.document.text.length === text.length) return reading
  const read = hasLines(reading.document.text) ? bestOf([reader], text, hint)?.reading : undefined
  return read ?? findReading(text, hint)?.reading
}

const hasLines = (text: string): boolean => text.split('\n', LEAST_LINES).length === LEAST_LINES

/** Tries all readers on the whole text. */
export const findReading = (text: string, hint?: FormatHint): FoundReading | undefined =>
  bestOf(readers, text, hint)

function bestOf(
  tried: readonly Reader[],
  text: string,
  hint: FormatHint | undefined,
): FoundReading | undefined {
  let best: FoundReading | undefined
  let most = LEAST
  for (const reader of tried) {
    const reading = reader.read(text, hint)
    if (reading === undefined) continue
    const worth = reading.explained - repeatedShare(reading)
    if (worth > most) {
      best = { reader, reading }
      most = worth
    }
    if (most >= ALL) break
  }
  return best
}

const LEAST = 0.3

/** Share of keys that their object had before, where a format forbids that or seldom has it. */
function repeatedShare({ format, document }: Reading): number {
  if (
    format === 'xml' ||
    format === 'table' ||
    format === 'json-parts' ||
    format === 'metrics' ||
    format === 'stanzas' ||
    format === 'indented' ||
    format === 'entries' ||
    format === 'items' ||
    format === 'tree'
  )
    return 0
  const last = new Int32Array(document.keyNames.length).fill(-1)
  let keyed = 0
  let repeated = 0
  for (let node = document.root; node < document.count; node++) {
    if (!isContainer(document, node) || kindOf(document, node) !== NODE.object) continue
    for (let child = node + 1; child < endOf(document, node); child = endOf(document, child)) {
      const key = keyOf(document, child)
      if (isNamed(document, key)) continue
      keyed++
      if (last[key] === node) repeated++
      last[key] = node
    }
  }
  const share = keyed === 0 ? 1 : repeated / keyed
  return share > REPEATED ? 1 : format === 'settings' ? share / 10 : share
}

/** Comments and lines without a key. */
const isNamed = ({ keyNames }: JsonDocument, key: number): boolean =>
  key < 0 || ((keyNames[key] ?? '').length < 2 && /^#?$/.test(keyNames[key] ?? ''))
