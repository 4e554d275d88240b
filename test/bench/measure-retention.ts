import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { firstTokens } from '../../electron/engine/text/tokens/first-tokens.ts'
import { keptOf, readOwnCases, type OwnCase } from '../helpers/own-cases.ts'
import { bestLines } from './line-bm25.ts'

export interface RetentionFigures {
  readonly kind: string
  readonly cases: number
  readonly budget: number
  /** Percent of required answers kept. */
  readonly sluice: number
  readonly lines: number
  readonly head: number
  /** Processor time per million characters. */
  readonly sluiceMs: number
  readonly linesMs: number
  readonly headMs: number
  readonly overBudget: number
  readonly lost: readonly { readonly document: string; readonly goal: string | undefined }[]
}

const BUDGETS = [500, 1000, 2000]

/** Answers kept in the own cases, compared with BM25 over lines and with truncation. */
export async function measureRetention(): Promise<RetentionFigures[]> {
  const compress = await loadCompressor()
  const cases = readOwnCases()
  const ways = {
    sluice: ({ text, goal }: OwnCase, budget: number) => compress({ text, goal, budget }).text,
    lines: ({ text, goal }: OwnCase, budget: number) => bestLines(text, goal, budget),
    head: ({ text }: OwnCase, budget: number) => firstTokens(text, budget),
  }
  // Warm-up, so that cold code is not attributed to a kind.
  for (const one of cases) ways.sluice(one, 300)
  return [...Map.groupBy(cases, ({ kind }) => kind)].flatMap(([kind, group]) =>
    BUDGETS.map((budget) => {
      const [sluice, lines, head] = [
        measure(group, budget, ways.sluice),
        measure(group, budget, ways.lines),
        measure(group, budget, ways.head),
      ]
      return {
        kind,
        cases: group.length,
        budget,
        sluice: sluice.percent,
        lines: lines.percent,
        head: head.percent,
        sluiceMs: sluice.ms,
        linesMs: lines.ms,
        headMs: head.ms,
        overBudget: sluice.over,
        lost: sluice.lost,
      }
    }),
  )
}

function measure(
  cases: readonly OwnCase[],
  budget: number,
  shorten: (one: OwnCase, budget: number) => string,
) {
  let kept = 0
  let characters = 0
  let over = 0
  const lost: RetentionFigures['lost'][number][] = []
  const before = process.cpuUsage()
  const texts = cases.map((one) => shorten(one, budget))
  const { user, system } = process.cpuUsage(before)
  cases.forEach((one, i) => {
    const text = texts[i] ?? ''
    const tooLong = countTokens(text) > budget
    const share = tooLong ? 0 : keptOf(one, text)
    if (tooLong) over++
    if (share < 1) lost.push({ document: one.document, goal: one.goal })
    kept += share
    characters += one.text.length
  })
  const ms = (user + system) / 1000 / (characters / 1e6)
  return { percent: (100 * kept) / cases.length, ms, over, lost }
}
