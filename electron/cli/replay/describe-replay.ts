import type { ReplayGroup, ReplayLoss, ReplayReport, ReplaySum, Worth } from '../../../shared/api/replay.ts'
import { formatNumber, formatTable, type Column } from '../format-table.ts'

type Form = 'text' | 'markdown'

const MOST_ROWS = 15

/** Names tools and folders, and no text of a session. */
export function describeReplay(report: ReplayReport, form: Form): string {
  const { files, sessions, requests, strategies } = report
  if (files === 0) return 'No session of an AI app was found that changed in this time.\n'
  const [own] = strategies
  const heading = (text: string): string => (form === 'markdown' ? `## ${text}` : text)
  const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string =>
    form === 'markdown' ? markdownTable(rows, columns) : formatTable(rows, columns)
  const groups = (title: string, rows: readonly ReplayGroup[]): string[] =>
    rows.length === 0
      ? []
      : [
          heading(title),
          table(rows.slice(0, MOST_ROWS), [keyColumn(), ...groupColumns(report)]),
          ...more(rows.length),
        ]
  return [
    ...(form === 'markdown' ? ['# Replay'] : []),
    `${formatNumber(sessions)} sessions in ${formatNumber(files)} files, ${formatNumber(requests)} requests. ` +
      `List price of all of it: ${money(report.cost.money)}.`,
    ...(own ? [savings(report, own)] : []),
    ...notes(report),
    heading('On the same results'),
    table(strategies, [keyColumn('strategy'), ...groupColumns(report)]),
    ...groups('By app', report.byApp),
    ...groups('By project', report.byProject),
    ...groups('By tool', report.byTool),
    ...groups('By kind of content', report.byKind),
    ...worst(report.worst, heading, table),
    ...problems(report, heading),
    `The path of each session is taken as unchanged: with shorter results the model might have asked more, or less. ` +
      `List prices are no bill: a subscription costs what it costs.`,
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n')
}

/** Three figures: the first entry only, the whole life, and the same as if nothing had to be fetched. */
function savings(report: ReplayReport, own: ReplaySum): string {
  const sums = savingsOf(own, report.added)
  const line = (name: string, worth: Worth): string =>
    `${name.padEnd(9)}${share(worth, report.cost).padStart(8)}  ${money(worth.money).padStart(10)}`
  return [
    `Saved of the whole, output included:`,
    line('floor', sums.floor),
    line('estimate', sums.estimate),
    line('ceiling', sums.ceiling),
  ].join('\n  ')
}

function savingsOf(
  { first, later, recovery }: ReplaySum,
  added: Worth = { money: 0, weighted: 0 },
): { floor: Worth; estimate: Worth; ceiling: Worth } {
  const of = (sum: (key: keyof Worth) => number): Worth => ({
    money: sum('money'),
    weighted: sum('weighted'),
  })
  return {
    floor: of((key) => first[key] - recovery[key] - added[key]),
    estimate: of((key) => first[key] + later[key] - recovery[key] - added[key]),
    ceiling: of((key) => first[key] + later[key] - added[key]),
  }
}

function notes({ unpriced, tokenRatio, added, already, repeated }: ReplayReport): string[] {
  const lines = [
    ...(unpriced.length === 0
      ? []
      : [
          `No price is known for ${unpriced.map(({ model, requests }) => `${plain(model)} (${formatNumber(requests)} requests)`).join(', ')}: ` +
            `their tokens count, their money doesn't.`,
        ]),
    ...(tokenRatio.steps === 0
      ? []
      : [
          `The models count ${tokenRatio.median.toFixed(2)} tokens for each of o200k_base ` +
            `(${tokenRatio.low.toFixed(2)} to ${tokenRatio.high.toFixed(2)}, ${formatNumber(tokenRatio.steps)} steps with one result).`,
        ]),
    ...(added.tokens === 0
      ? []
      : [`Sluice's own tools would have added ${money(added.money)} to the requests; it is taken off.`]),
    ...(already.results === 0
      ? []
      : [
          `${formatNumber(already.results)} results were shortened by Sluice then (${formatNumber(already.before)} → ` +
            `${formatNumber(already.after)} tokens), with ${formatNumber(already.fetches)} fetches; they aren't counted again.`,
        ]),
    ...(repeated === 0 ? [] : [`${formatNumber(repeated)} calls repeated one of the three requests before.`]),
  ]
  return lines.length === 0 ? [] : [lines.join('\n')]
}

const keyColumn = (title = ''): Column<ReplayGroup> => ({ title, value: ({ key }) => plain(key) })

const groupColumns = ({ cost }: ReplayReport): readonly Column<ReplayGroup>[] => [
  { title: 'results', value: ({ results }) => results, right: true },
  { title: 'shortened', value: ({ shortened }) => shortened, right: true },
  { title: 'tokens in', value: ({ before }) => before, right: true },
  { title: 'would be', value: ({ after }) => after, right: true },
  { title: 'saved', value: (row) => money(savingsOf(row).estimate.money), right: true },
  { title: 'of all', value: (row) => share(savingsOf(row).estimate, cost), right: true },
  {
    title: 'used parts kept',
    value: ({ uses, kept }) => (uses === 0 ? '–' : percent(kept / uses)),
    right: true,
  },
  { title: 'fetches', value: ({ fetches }) => Math.round(fetches * 10) / 10, right: true },
]

function worst(
  losses: readonly ReplayLoss[],
  heading: (text: string) => string,
  table: (rows: readonly ReplayLoss[], columns: readonly Column<ReplayLoss>[]) => string,
): string[] {
  if (losses.length === 0) return []
  const columns: readonly Column<ReplayLoss>[] = [
    { title: 'when', value: ({ at }) => new Date(at).toISOString().slice(0, 16).replace('T', ' ') },
    { title: 'app', value: ({ app }) => app },
    { title: 'tool', value: ({ tool }) => plain(tool) },
    { title: 'kind', value: ({ kind }) => kind },
    { title: 'tokens in', value: ({ before }) => before, right: true },
    { title: 'would be', value: ({ after }) => after, right: true },
    { title: 'used parts kept', value: ({ uses, kept }) => percent(kept / uses), right: true },
    { title: 'saved', value: ({ net }) => money(net.money), right: true },
  ]
  return [
    heading('Where it would have lost most'),
    table(losses.slice(0, MOST_ROWS), columns),
    ...more(losses.length),
  ]
}

function problems({ problems: found }: ReplayReport, heading: (text: string) => string): string[] {
  if (found.length === 0) return []
  const lines = found.slice(0, MOST_ROWS).map(({ path, message }) => `- ${plain(path)}: ${plain(message)}`)
  return [heading('Not read, or not whole'), lines.join('\n'), ...more(found.length)]
}

const more = (count: number): string[] =>
  count > MOST_ROWS ? [`… and ${formatNumber(count - MOST_ROWS)} more; --json has all.`] : []

function markdownTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const cell = (value: string | number): string =>
    typeof value === 'number' ? formatNumber(value) : plain(value).replaceAll('|', '\\|')
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ right }) => (right ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map(({ value }) => cell(value(row))))),
  ].join('\n')
}

const money = (dollars: number): string => `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(2)}`

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const share = (worth: Worth, whole: Worth): string =>
  whole.weighted > 0 ? percent(worth.weighted / whole.weighted) : '–'

/** Names come from sessions, which hold what servers and models wrote. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
