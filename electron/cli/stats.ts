import { Command } from 'commander'
import type { Savings } from '../../shared/api/savings.ts'
import type { Valued, ValuedReport } from '../engine/ledger/value-report.ts'
import { describeWorth } from '../../shared/describe-worth.ts'
import { formatMoney } from '../../shared/format-money.ts'
import { percentOf } from '../../shared/percent-of.ts'
import { formatNumber, formatTable, widthOf } from './format-table.ts'
import type { Column } from './format-table.ts'
import type { CommandSetup } from './cli-context.ts'
import { describeTrial } from './describe-trial.ts'
import { startOfDay, WEEK_DAYS } from './days.ts'
import { readSavings } from './read-savings.ts'

const DAYS = WEEK_DAYS

export const statsCommand = ({ context, common }: CommandSetup): Command =>
  new Command('stats')
    .description(
      `Tokens saved today and in the last ${DAYS} days, net of everything that Sluice itself costs.`,
    )
    .option('--json', 'print one JSON object instead of tables', false)
    .addHelpText(
      'after',
      '\nnet = before - after - added - fetched: what servers answered, what clients got instead, what Sluice put on top ' +
        '(its tools and parameters), and what was read back later. Shortened resources count as calls of resources/read.\n\nExamples:\n  sluice stats\n  sluice stats --json',
    )
    .action(async ({ json }: { json: boolean }) => {
      const now = context.now()
      await readSavings(context, common(), async ({ report, ledger }) => {
        const to = now + 1
        const today = await report({ from: startOfDay(now, 0), to })
        const week = await report({ from: startOfDay(now, DAYS - 1), to })
        const trial = await ledger.trial({ from: startOfDay(now, DAYS - 1), to })
        context.stdout.write(
          json
            ? `${JSON.stringify({ today, week, trial }, null, 2)}\n`
            : `${describe(today, week, widthOf(context.stdout))}${describeTrial(trial)}`,
        )
      })
    })

function describe(today: ValuedReport, week: ValuedReport, width: number): string {
  if (week.totals.calls === 0 && week.totals.added === 0) {
    return `No calls in the last ${DAYS} days.\n`
  }
  const periods = [
    { name: 'today', ...today.totals },
    { name: `${DAYS} days`, ...week.totals },
    ...(week.builtIn.calls > 0 ? [{ name: "of these, apps' own tools", ...week.builtIn }] : []),
  ]
  return [
    formatTable(periods, [{ title: '', value: ({ name }) => name }, ...savingsColumns], width),
    `By tool, ${DAYS} days`,
    formatTable(
      week.byTool,
      [
        { title: 'server', value: ({ server }) => server },
        { title: 'tool', value: ({ tool }) => tool },
        ...savingsColumns,
      ],
      width,
    ),
    `By server, ${DAYS} days`,
    formatTable(
      week.byServer,
      [{ title: 'server', value: ({ server }) => server }, ...savingsColumns],
      width,
    ),
    `Tokens are o200k_base. ${troubles(week.totals)}`,
    `In ${DAYS} days: ${describeWorth(week.totals, week.known, formatNumber)}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n')
}

const savingsColumns: readonly Column<Valued<Savings>>[] = [
  { title: 'calls', value: ({ calls }) => calls, right: true },
  { title: 'before', value: ({ before }) => before, right: true },
  { title: 'after', value: ({ after }) => after, right: true },
  { title: 'added', value: ({ added }) => added, right: true },
  { title: 'fetched', value: ({ fetched }) => fetched, right: true },
  { title: 'net saved', value: ({ net }) => net, right: true },
  {
    title: '',
    value: ({ before, net }) => (before > 0 ? `${percentOf(net, before)} %` : ''),
    right: true,
  },
  {
    title: 'list price',
    value: ({ worth }) => (worth.priced === 0 ? '' : formatMoney(worth.dollars)),
    right: true,
  },
]

const troubles = ({ errors, refused, cancelled }: Savings): string =>
  `Calls that failed: ${formatNumber(errors)}, were refused: ${formatNumber(refused)}, were cancelled: ${formatNumber(cancelled)}.`
