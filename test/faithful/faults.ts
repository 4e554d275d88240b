import type { CompressText } from '../../electron/engine/compression/compress-text.ts'
import type { Case } from '../cases/read-cases.ts'
import { randomDocument } from './random-documents.ts'
import { Source } from './source.ts'
import { unnamedViolations } from './record-violations.ts'
import { keepsLess, violations, withoutHeader, type Violation } from './violations.ts'

export interface Fault extends Violation {
  /** How to see it again. */
  readonly where: string
  readonly document: string
  readonly strategy: string
}

/** Documents of the seeds from `seed` on, each at its budget and at twice that. */
export function faultsOfRandom(compress: CompressText, count: number, seed: number): Fault[] {
  return Array.from({ length: count }, (_, i) => {
    const { format, columns, text, goal, budget } = randomDocument(seed + i)
    const document = `seed ${seed + i}, ${format}`
    return faultsAt(compress, { document, columns, text, goal }, [budget, budget * 2])
  }).flat()
}

export const faultsOfCase = (compress: CompressText, one: Case, budgets: readonly number[]): Fault[] =>
  faultsAt(
    compress,
    { document: one.id, columns: [], text: one.document, goal: one.goal || undefined },
    budgets,
  )

interface Asked {
  readonly document: string
  readonly columns: readonly string[]
  readonly text: string
  readonly goal: string | undefined
}

function faultsAt(
  compress: CompressText,
  { document, columns, text, goal }: Asked,
  budgets: readonly number[],
): Fault[] {
  const source = new Source(text)
  let smaller: string | undefined
  return budgets.flatMap((budget) => {
    const output = compress({ text, goal, budget })
    const found = violations({ text, budget }, output, source)
    if (smaller !== undefined) found.push(...keepsLess(source, smaller, output.text))
    if (!output.lossless && output.text !== text)
      found.push(...unnamedViolations(withoutHeader(output.text), columns, text))
    smaller = output.text
    const where = `${document}, ${budget} tokens, goal: ${goal ?? 'none'}`
    return found.map((violation) => ({ ...violation, where, document, strategy: output.strategy }))
  })
}

/** By rule and strategy: how many documents, and one example of each of a few. */
export function faultTable(faults: readonly Fault[]): string {
  const groups = Map.groupBy(faults, ({ rule, strategy }) => `${rule} (${strategy})`)
  const rows = [...groups].map(([name, members]) => {
    const documents = Map.groupBy(members, ({ document }) => document)
    const examples = [...documents.values()].slice(0, 5).flatMap(([first]) => (first ? [first] : []))
    const lines = examples.map(({ where, detail }) => `    ${where}: ${detail.replaceAll('\n', ' ')}`)
    return { documents: documents.size, text: [`${name}: ${documents.size} documents`, ...lines].join('\n') }
  })
  return rows
    .sort((a, b) => b.documents - a.documents)
    .map(({ text }) => text)
    .join('\n')
}
