import type { KnownTurns, Savings, Worth } from '../../../../shared/api/savings.ts'
import type { Estimate, TrialGroup, TrialReport } from '../../../../shared/api/trial.ts'
import { describeWorth } from '../../../../shared/describe-worth.ts'
import { formatMoney } from '../../../../shared/format-money.ts'
import { percentOf } from '../../../../shared/percent-of.ts'
import { addSavings } from '../savings.ts'
import type { ValuedReport } from '../value-report.ts'

interface ReportFacts {
  /** Local days, such as 2026-11-19; both are in it. */
  readonly from: string
  readonly to: string
  readonly savings: ValuedReport
  readonly days: readonly (Savings & { readonly label: string })[]
  readonly trial: TrialReport
}

/** What both renderings are made of. */
export interface ReportDocument {
  readonly title: string
  readonly sections: readonly ReportSection[]
}

export interface ReportSection {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly table?: ReportTable
}

export interface ReportTable {
  readonly columns: readonly { readonly title: string; readonly isNumber: boolean }[]
  readonly rows: readonly (readonly string[])[]
  /** The last row is the sum of the others. */
  readonly hasSum: boolean
}

const count = (value: number): string =>
  String(Math.round(value))
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
    .replace('-', '−')

export function reportDocument({ from, to, savings, days, trial }: ReportFacts): ReportDocument {
  const { totals, known } = savings
  return {
    title: `Sluice, ${from} to ${to}`,
    sections: [
      sum(totals),
      money(savings, known),
      table('By day', 'Day', days, ({ label }) => label, { totals, most: 31 }),
      table('By client', 'Client', savings.byClient, ({ client }) => client, { totals, most: 6 }),
      ...(savings.byProject.some(({ project }) => project !== '')
        ? [
            table('By project', 'Folder', savings.byProject, shortFolders(savings.byProject), {
              totals,
              most: 5,
            }),
          ]
        : []),
      table('By server', 'Server', savings.byServer, ({ server }) => server, { totals, most: 6 }),
      table('By tool', 'Tool', savings.byTool, ({ server, tool }) => `${tool} · ${server}`, {
        totals,
        most: 8,
      }),
      ...(trial.held.results + trial.shortened.results > 0 ? [holdOut(trial)] : []),
      notes(),
    ],
  }
}

function sum({ before, after, added, fetched, net, ...totals }: Savings): ReportSection {
  const share = before > 0 ? `, ${percentOf(net, before)} % of what servers answered` : ''
  return {
    heading: `${count(net)} tokens kept out, net${share}`,
    paragraphs: [
      `${count(before)} from servers − ${count(after)} sent − ${count(added)} added by Sluice − ${count(fetched)} fetched back = ${count(net)}`,
      `${count(totals.calls)} calls: ${count(totals.errors)} failed, ${count(totals.refused)} refused, ${count(totals.cancelled)} cancelled, ${count(totals.cached)} answered from the cache.`,
    ],
  }
}

function money({ totals, byModel }: ValuedReport, known: KnownTurns): ReportSection {
  const priced = byModel.filter(({ price }) => price !== undefined)
  const isKnown = totals.worth.priced !== 0 || totals.net === 0
  const row = (name: string, about: readonly string[], { dollars, laterDollars, priced, later }: Worth) => [
    name,
    ...about,
    count(priced),
    formatMoney(dollars - laterDollars),
    count(later),
    formatMoney(laterDollars),
    formatMoney(dollars),
  ]
  return {
    heading: isKnown ? `${formatMoney(totals.worth.dollars)} at list price` : 'No money: models not known',
    paragraphs: [describeWorth(totals, known, count)],
    ...(priced.length > 0 && {
      table: {
        columns: [
          { title: 'Model', isNumber: false },
          { title: 'Price of input', isNumber: true },
          { title: 'Cache write, read', isNumber: true },
          { title: 'As of', isNumber: false },
          { title: 'Net tokens', isNumber: true },
          { title: 'as written', isNumber: true },
          { title: 'Tokens × later turns', isNumber: true },
          { title: 'as read', isNumber: true },
          { title: 'Sum', isNumber: true },
        ],
        rows: [
          ...priced.map(({ model, price, worth }) =>
            row(
              model,
              [
                `${formatMoney(price?.inputPerMillion ?? 0)} a million`,
                price?.cache ? `× ${price.cache.write}, × ${price.cache.read}` : 'not known',
                price?.date ?? '',
              ],
              worth,
            ),
          ),
          row('Sum', ['', '', ''], {
            ...totals.worth,
            later: priced.reduce((sum, { worth }) => sum + worth.later, 0),
          }),
        ],
        hasSum: true,
      },
    }),
  }
}

const savingsColumns = ['Calls', 'From servers', 'Sent', 'Added', 'Fetched back', 'Net'] as const
const cells = ({ calls, before, after, added, fetched, net }: Savings): string[] =>
  [calls, before, after, added, fetched, net].map(count)

/** A week fits on one page. Rows beyond `most` are one row, so that each table has the whole sum. */
function table<Row extends Savings & { readonly worth?: Worth }>(
  heading: string,
  title: string,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  { totals, most }: { readonly totals: Savings & { readonly worth: Worth }; readonly most: number },
): ReportSection {
  const hasMoney = totals.worth.priced !== 0 && rows.every(({ worth }) => worth !== undefined)
  const line = (name: string, row: Savings, worth: Worth | undefined): string[] => [
    name,
    ...cells(row),
    ...(hasMoney ? [worth && worth.priced !== 0 ? formatMoney(worth.dollars) : ''] : []),
  ]
  const shown = rows.length > most + 1 ? rows.slice(0, most) : rows
  const rest = rows.slice(shown.length)
  const restRow = rest.length > 0 ? [line(`${count(rest.length)} more`, added(rest), worthOfAll(rest))] : []
  return {
    heading,
    paragraphs: [],
    table: {
      columns: [
        { title, isNumber: false },
        ...[...savingsColumns, ...(hasMoney ? ['List price'] : [])].map((name) => ({
          title: name,
          isNumber: true,
        })),
      ],
      rows: [
        ...shown.map((row) => line(nameOf(row), row, row.worth)),
        ...restRow,
        line('Sum', totals, totals.worth),
      ],
      hasSum: true,
    },
  }
}

const added = (rows: readonly Savings[]): Savings => rows.reduce((a, b) => addSavings(a, b))

const worthOfAll = (rows: readonly { readonly worth?: Worth }[]): Worth => {
  const all = rows.flatMap(({ worth }) => worth ?? [])
  const total = (key: keyof Worth): number => all.reduce((sum, worth) => sum + worth[key], 0)
  return {
    dollars: total('dollars'),
    priced: total('priced'),
    laterDollars: total('laterDollars'),
    later: total('later'),
  }
}

/** A folder's own name where no other has the same: the report is for others' eyes. */
function shortFolders(rows: readonly { readonly project: string }[]) {
  const nameOf = (project: string): string =>
    project.split(/[\\/]/).findLast((part) => part !== '') ?? project
  return ({ project }: { readonly project: string }): string => {
    if (project === '') return 'not told'
    const name = nameOf(project)
    return rows.filter((row) => nameOf(row.project) === name).length === 1 ? name : project
  }
}

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`
const share = ({ of, value, low, high }: Estimate): string =>
  of === 0 ? '–' : `${percent(value)} (${percent(low)} to ${percent(high)})`

function holdOut({ held, shortened }: TrialReport): ReportSection {
  const row = (name: string, group: TrialGroup): string[] => [
    name,
    count(group.results),
    count(group.before),
    count(group.after),
    share(group.fetched),
    share(group.repeated),
    share(group.nextFailed),
  ]
  return {
    heading: 'Hold-out: whole results beside shortened ones',
    paragraphs: ['In brackets Wilson’s 95 % intervals.'],
    table: {
      columns: ['Group', 'Results', 'Before', 'Sent', 'Read back', 'Called again', 'Next call failed'].map(
        (title, index) => ({ title, isNumber: index > 0 }),
      ),
      rows: [row('shortened', shortened), row('whole', held)],
      hasSum: false,
    },
  }
}

const notes = (): ReportSection => ({
  heading: 'How it is computed',
  paragraphs: [
    'Tokens are o200k_base. Net: what servers answered, minus what clients got instead, minus what Sluice puts on top (its tools and parameters), minus what was read back later. Added is negative where Sluice made definitions shorter.',
    'Money is at list price: net tokens × input price × cache write, plus tokens × later turns × input price × cache read, minus the output price of what the model wrote for Sluice. A subscription’s bill may not change by it. Clients whose model isn’t known have tokens, but no money.',
  ],
})
