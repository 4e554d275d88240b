import type { Case } from '../cases/read-cases.ts'
import type { Scored } from './score-table.ts'

/** What one case keeps, by budget. */
interface Share {
  readonly group: string
  readonly family: string
  readonly goal: string
  readonly strict: Readonly<Record<string, number>>
  /** Processor milliseconds, all budgets. */
  readonly ms: number
  readonly length: number
}
type Shares = Readonly<Record<string, Share>>

export function sharesOf(scored: readonly Scored[]): Shares {
  const byCase = Map.groupBy(scored, ({ one }) => one.id)
  return Object.fromEntries(
    [...byCase].map(([id, runs]): [string, Share] => {
      const { one } = runs[0]!
      const strict = Object.fromEntries(runs.map(({ budget, sluice }) => [budget, sluice.strict]))
      const ms = runs.reduce((sum, run) => sum + run.ms, 0)
      const { family, goal, document } = one
      return [id, { group: groupOf(one), family, goal, strict, ms, length: document.length }]
    }),
  )
}

const groupOf = ({ goal, paraphrased }: Case): string =>
  goal === '' ? 'no goal' : paraphrased ? 'goal in other words' : 'goal'

/**
 * Both runs' percentages and the mean of the differences, ± its standard error over families, because cases of one
 * family are won and lost together; then each case won or lost.
 */
export function pairedTable(before: Shares, after: Shares, budgets: readonly number[]): string {
  const ids = Object.keys(after).filter((id) => before[id] !== undefined)
  const rows: string[] = [
    `| ${ids.length} cases of both runs | cases | ${budgets.map((budget) => `${budget}`).join(' | ')} |`,
    `|---|---|${budgets.map(() => '---|').join('')}`,
  ]
  const groups = Map.groupBy(ids, (id) => after[id]!.group)
  for (const [group, members] of [...groups, ['all', ids] as const]) {
    const cells = budgets.map((budget) => {
      const [was, is] = [before, after].map((run) =>
        mean(members.map((id) => run[id]!.strict[budget] ?? NaN)),
      )
      const { difference, error, won, lost } = compare(before, after, members, budget)
      const sign = difference >= 0 ? '+' : '−'
      const points = `${sign}${(100 * Math.abs(difference)).toFixed(1)} ± ${(100 * error).toFixed(1)}`
      return `${percent(was!)} → ${percent(is!)} (${points}; won ${won}, lost ${lost})`
    })
    rows.push(`| ${group} | ${members.length} | ${cells.join(' | ')} |`)
  }
  const [was, is] = [before, after].map((run) => {
    const length = ids.reduce((sum, id) => sum + run[id]!.length, 0)
    return ids.reduce((sum, id) => sum + run[id]!.ms, 0) / budgets.length / (length / 1e6)
  })
  rows.push('', `ms/MB a budget: ${was!.toFixed(0)} → ${is!.toFixed(0)}`, '')
  for (const id of ids)
    for (const budget of budgets) {
      const [old, now] = [before[id]!.strict[budget], after[id]!.strict[budget]]
      if (old === undefined || now === undefined || old === now) continue
      const { family, goal } = after[id]!
      rows.push(
        `${now > old ? 'won ' : 'LOST'} ${budget}  ${family}  ${id}  ${percent(old)} → ${percent(now)}  ${goal}`,
      )
    }
  return rows.join('\n')
}

function compare(before: Shares, after: Shares, ids: readonly string[], budget: number) {
  const pairs = ids.flatMap((id) => {
    const [old, now] = [before[id]!.strict[budget], after[id]!.strict[budget]]
    return old === undefined || now === undefined ? [] : [{ family: after[id]!.family, by: now - old }]
  })
  const difference = mean(pairs.map(({ by }) => by))
  const sums = [...Map.groupBy(pairs, ({ family }) => family).values()].map((members) =>
    members.reduce((sum, { by }) => sum + (by - difference), 0),
  )
  const error = Math.sqrt(sums.reduce((sum, each) => sum + each * each, 0)) / (pairs.length || 1)
  const won = pairs.filter(({ by }) => by > 0).length
  return { difference, error, won, lost: pairs.filter(({ by }) => by < 0).length }
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / (numbers.length || 1)
const percent = (share: number) => (100 * share).toFixed(1)
