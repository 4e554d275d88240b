import { readFileSync, readdirSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Case, LabelledText } from './labelled-text.ts'
import { windowsOf } from './windows-of.ts'

/** Beside the project, not part of it: labelled cases for training and measuring only. */
const CASES = new URL('../../../shared/cases/', import.meta.url)

/**
 * Sources excluded from training, with the reason. Their records still measure the model, as the fairest part of the
 * figures.
 */
export const EXCLUDED_SOURCES: readonly (readonly [RegExp, string])[] = [
  [/WildGuard/, 'ODC-BY, not one of the allowed licences'],
  [/PINT/, 'the licence of these examples was never checked'],
  [/LiveMCPBench/, 'the set is Apache-2.0, but its texts quote pages of third parties'],
]

interface Row {
  readonly id: string
  readonly group: string
  readonly source: string
  readonly text: string
  readonly label: 'attack' | 'benign'
  readonly style: string
  readonly overt: boolean | null
}

export function readInjectionCases(): Case[] {
  return readRows<Row>('injection').map((row) => ({
    id: row.id,
    group: row.group,
    source: `${row.source.split(' ')[0]} ${/PINT|WildGuard|NotInject|simulated|whois|contexts/.exec(row.source)?.[0] ?? ''} ${row.label}`,
    attack: row.label === 'attack',
    overt: row.overt === true,
    toolOutput: row.style === 'tool-output',
    hardNegative: row.source.includes('NotInject'),
    usable: !EXCLUDED_SOURCES.some(([pattern]) => pattern.test(row.source)),
    text: row.text,
    windows: windowsOf(row.text),
  }))
}

interface Document {
  readonly source: string
  readonly kind: string
  readonly licence: string
  readonly document: string
  readonly goal?: string
}

const ALLOWED = /^(?:MIT|Apache-2\.0|CC BY(?:-SA)?)\b/
const WITH_OTHER_TERMS = /ClinicalTrials|MyVariant/

/** Ordinary documents and questions of the compression set, as far as their licences allow. */
export function readOrdinaryDocuments(longest: number): LabelledText[] {
  return readRows<Document>('compress-qa')
    .filter(({ licence }) => ALLOWED.test(licence) && !WITH_OTHER_TERMS.test(licence))
    .flatMap(({ document, goal }, index) => [
      // Every third document is enough, since many are alike.
      ...(index % 3 === 0 ? [ordinary('documents', document.slice(0, longest))] : []),
      ...(goal === undefined || goal === '' ? [] : [ordinary('questions', goal)]),
    ])
}

/**
 * JSON documents of the compression set with a matching source, each once. For measuring only, whatever their
 * licence.
 */
export function readDocuments(wanted: RegExp): { readonly source: string; readonly text: string }[] {
  const found = readRows<Document>('compress-qa').filter(
    ({ kind, source }) => kind === 'json' && wanted.test(source),
  )
  return [...new Map(found.map(({ document, source }) => [document, { source, text: document }])).values()]
}

export const ordinary = (source: string, text: string): LabelledText => ({
  id: '',
  group: '',
  source,
  attack: false,
  text,
  windows: windowsOf(text),
})

function readRows<T>(set: string): T[] {
  const file = readdirSync(CASES).find((name) => name.startsWith(`${set}.`) && name.endsWith('.jsonl.gz'))
  if (file === undefined)
    throw new Error(`The cases "${set}" are missing. Training needs them beside the project.`)
  return gunzipSync(readFileSync(new URL(file, CASES)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line): T => JSON.parse(line))
}
