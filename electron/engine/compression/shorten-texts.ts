import type { CompressionTrace } from '../message/call.ts'
import type { CompressResultOptions, KeptOriginal, Treatment } from './treatment.ts'
import type { TextDocument } from './text-documents.ts'
import { planCuts, replacementsOf, withCuts, type Cut } from './plan-cuts.ts'

export interface TextsToShorten {
  readonly blocks: readonly unknown[]
  readonly documents: readonly TextDocument[]
  readonly sizes: readonly number[]
  /** Number of texts in the result. */
  readonly count: number
}

export interface ShortenedTexts {
  readonly blocks: readonly unknown[]
  readonly tokens: number
  /** Short form of each text that is a separate document. */
  readonly shown: ReadonlyMap<string, string>
  readonly trace: Pick<CompressionTrace, 'strategy' | 'note' | 'provisional'>
}

/** Undefined when nothing was shorter. */
export async function shortenTexts(
  options: Pick<CompressResultOptions, 'compress'>,
  { blocks, documents, sizes, count }: TextsToShorten,
  { goal, request, hint, strategy, wish, escalation, budgetStep, budget, reading }: Treatment,
  original: KeptOriginal,
  signal: AbortSignal | undefined,
): Promise<ShortenedTexts | undefined> {
  const sizeOf = new Map(documents.map((document, index) => [document, sizes[index] ?? 0]))
  // A command or tool is shorter than a path.
  const file = reading && reading.readers[0] !== 'file' ? undefined : original.file
  const facts = { goal, request, hint, strategy, wish, escalation, budgetStep, file, reading }
  const shortened = await Promise.all(
    planCuts(blocks, documents, sizes, budget).map(async (cut) => {
      const before = sum(cut.documents.map((document) => sizeOf.get(document) ?? 0))
      const replacements = replacementsOf(blocks, cut, original.id)
      const output = await options.compress(
        {
          ...facts,
          text: cut.documents.map(({ text }) => text).join('\n'),
          tokens: before,
          // Room for placeholders of moved texts.
          budget: Math.max(cut.budget - replacements.tokens, Math.ceil(cut.budget / 2)),
          resultId: idOf(cut, original.id, count),
          blocks: blocksOf(cut, original.id),
        },
        signal,
      )
      return { cut, before, after: output.tokensAfter + replacements.tokens, output, replacements }
    }),
  )
  const cuts = shortened.filter(({ output, after, before }) => output.strategy !== 'none' && after < before)
  if (cuts.length === 0) return undefined
  const saved = sum(cuts.map(({ before, after }) => before - after))
  const outputs = cuts.map(({ output }) => output)
  return {
    blocks: withCuts(
      blocks,
      cuts.map(({ cut, output, replacements }) => ({ cut, text: output.text, replacements })),
    ),
    tokens: sum(sizes) - saved,
    shown: new Map(
      cuts.flatMap(({ cut, output }) => {
        const [document, ...others] = cut.documents
        const part = others.length === 0 && document?.parts.length === 1 ? document.parts[0] : undefined
        return part ? [[part.text, output.text] as const] : []
      }),
    ),
    trace: {
      strategy: [...new Set(outputs.map((output) => output.strategy))].join('+'),
      note: [...new Set(outputs.flatMap(({ note }) => note ?? []))].join('; ') || undefined,
      ...(outputs.some(({ provisional }) => provisional) ? { provisional: true } : {}),
    },
  }
}

/** Retrieves exactly a cut's texts: one part "r_7f3a9c/1", several "r_7f3a9c/1-40". */
function idOf(cut: Cut, resultId: string, count: number): string {
  const range = rangeOf(cut)
  if (!range || (range[0] === 0 && range[1] === count - 1)) return resultId
  return range[0] === range[1] ? `${resultId}/${range[0]}` : `${resultId}/${range[0]}-${range[1]}`
}

function blocksOf(
  cut: Cut,
  resultId: string,
): { count: number; ids: [string, string] | undefined } | undefined {
  const count = sum(cut.documents.map(({ parts }) => parts.length))
  if (count < 2) return undefined
  const range = rangeOf(cut)
  return { count, ids: range && [`${resultId}/${range[0]}`, `${resultId}/${range[1]}`] }
}

/** Undefined when not contiguous. */
function rangeOf({ documents }: Cut): [first: number, last: number] | undefined {
  const [first, last] = [documents[0], documents.at(-1)]
  if (!first || !last) return undefined
  const range: [number, number] = [first.first, last.first + last.parts.length - 1]
  return range[1] - range[0] + 1 === sum(documents.map(({ parts }) => parts.length)) ? range : undefined
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
