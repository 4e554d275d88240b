import type { Estimate, TrialGroup, TrialReport } from '../../shared/api/trial.ts'
import { formatNumber, formatTable } from './format-table.ts'

/** Empty without a hold-out. */
export function describeTrial({ held, shortened }: TrialReport): string {
  if (held.results + shortened.results === 0) return ''
  const groups = [
    { name: 'shortened', ...shortened },
    { name: 'whole', ...held },
  ]
  const column = (title: string, value: (group: TrialGroup) => string) => ({ title, value, right: true })
  const table = formatTable(groups, [
    { title: '', value: ({ name }) => name },
    column('results', ({ results }) => formatNumber(results)),
    column('before', ({ before }) => formatNumber(before)),
    column('sent', ({ after }) => formatNumber(after)),
    column('read back', ({ fetched }) => share(fetched)),
    column('called again', ({ repeated }) => share(repeated)),
    column('next call failed', ({ nextFailed }) => share(nextFailed)),
    column('later calls', ({ laterCalls }) => mean(laterCalls)),
    column('later turns', ({ laterTurns }) => mean(laterTurns)),
  ])
  return `\nHold-out, 7 days; 95 % intervals: Wilson's for shares, a bootstrap's for means\n\n${table}\n`
}

const percent = (value: number): string => (100 * value).toFixed(1)
const share = ({ of, value, low, high }: Estimate): string =>
  of === 0 ? '-' : `${percent(value)} % (${percent(low)}-${percent(high)})`
const mean = ({ of, value, low, high }: Estimate): string =>
  of === 0 ? '-' : `${value.toFixed(1)} (${low.toFixed(1)}-${high.toFixed(1)})`
