import type { Verdict } from '../cases/judge.ts'
import type { Case } from '../cases/read-cases.ts'

/** One case at one budget. */
export interface Scored {
  readonly one: Case
  readonly budget: number
  readonly ms: number
  readonly sluice: Verdict
  readonly bm25: Verdict | undefined
  readonly head: Verdict | undefined
}

/** Strict percentages at each budget as a Markdown table: with and without goal, all first, then by group. */
export function scoreTable(
  title: string,
  scored: readonly Scored[],
  budgets: readonly number[],
  groupOf: (one: Case) => string,
): string {
  const at = budgets.join(' / ')
  const rows = [
    `\n| ${title} | cases | Sluice ${at} | line BM25 | truncation | over | ms/MB |`,
    '|---|---|---|---|---|---|---|',
  ]
  for (const withGoal of [true, false]) {
    const part = scored.filter(({ one }) => (one.goal !== '') === withGoal)
    if (part.length === 0) continue
    const name = withGoal ? 'with a goal' : 'no goal'
    rows.push(row(`**${name}**`, part, budgets))
    const groups = Map.groupBy(part, ({ one }) => groupOf(one))
    for (const [group, members] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
      rows.push(row(`${name}: ${group}`, members, budgets))
  }
  return rows.join('\n')
}

function row(name: string, part: readonly Scored[], budgets: readonly number[]): string {
  const percentages = (verdictOf: (scored: Scored) => Verdict | undefined) =>
    budgets
      .map((budget) => {
        const verdicts = part.filter((scored) => scored.budget === budget).map(verdictOf)
        return (100 * mean(verdicts.map((verdict) => verdict?.strict ?? Number.NaN))).toFixed(0)
      })
      .join(' / ')
      .replaceAll('NaN', '–')
  const wrong = part.filter(({ sluice }) => sluice.over || sluice.valid === false).length
  const megabytes = part.reduce((sum, { one }) => sum + one.document.length, 0) / 1e6
  const ms = part.reduce((sum, scored) => sum + scored.ms, 0) / megabytes
  const cells = [
    name,
    part.length / budgets.length,
    percentages(({ sluice }) => sluice),
    percentages(({ bm25 }) => bm25),
    percentages(({ head }) => head),
    wrong,
    ms.toFixed(0),
  ]
  return `| ${cells.join(' | ')} |`
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / (numbers.length || 1)
