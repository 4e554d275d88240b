import type { ReplayGroup, ReplayLoss, ReplayReport, ReplaySum, Worth } from '../../../shared/api/replay.ts'
import { shareOfCost } from '../../../shared/share-of-cost.ts'
import { formatNumber, formatTable, type Column } from '../format-table.ts'
import { localTime } from '../local-time.ts'

type Form = 'text' | 'markdown'

const MOST_ROWS = 15

/** Names tools and folders, and no text of a session. */
export function describeReplay(report: ReplayReport, form: Form, width = Infinity): string {
  const { files, sessions, requests, strategies } = report
  if (files === 0) return 'No session of an AI app was found that changed in this time.\n'
  const [own] = strategies
  const heading = (text: string): string => (form === 'markdown' ? `## ${text}` : text)
  const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string =>
    form === 'markdown' ? markdownTable(rows, columns) : formatTable(rows, columns, width)
  const groups = (title: string, rows: readonly ReplayGroup[]): string[] =>
    rows.length === 0
      ? []
      : [
          heading(title),
          table(rows.slice(0, MOST_ROWS), [keyColumn(), ...groupColumns(report)]),
          ...more(rows.length),
        ]
  const title = form === 'markdown' ? ['# Replay'] : []
  const joined = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`
  if (sessions === 0)
    return joined([
      ...title,
      `No session in ${noun(files, 'file')} was counted. If you gave --project, check its text.`,
      ...problems(report, heading),
    ])
  return joined([
    ...title,
    `${noun(sessions, 'session')} in ${noun(files, 'file')}, ${noun(requests, 'request')}. ` +
      `List price of all of it: ${money(report.cost.money)}.`,
    ...(own ? ['Saved of the whole, output included:', savings(report, own, form)] : []),
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
  ])
}

const noun = (count: number, word: string): string =>
  `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`

/** Three figures: the first entry only, the whole life, and the same as if nothing had to be fetched. */
function savings(report: ReplayReport, own: ReplaySum, form: Form): string {
  const sums = Object.entries(savingsOf(own, report.added))
  const columns: readonly Column<(typeof sums)[number]>[] = [
    { title: 'figure', value: ([name]) => name },
    { title: 'of all', value: ([, worth]) => share(worth, report), right: true },
    { title: 'saved', value: ([, worth]) => money(worth.money), right: true },
  ]
  return form === 'markdown' ? markdownTable(sums, columns) : formatTable(sums, columns)
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

function notes({ priceFault, unpriced, tokenRatio, added, already, repeated }: ReplayReport): string[] {
  const lines = [
    ...(priceFault === undefined ? [] : [plain(priceFault)]),
    ...(unpriced.length === 0
      ? []
      : [
          `No price is known for ${unpriced.map(({ model, requests }) => `${plain(model)} (${noun(requests, 'request')})`).join(', ')}: ` +
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

const groupColumns = (report: ReplayReport): readonly Column<ReplayGroup>[] => [
  { title: 'results', value: ({ results }) => results, right: true },
  { title: 'shortened', value: ({ shortened }) => shortened, right: true },
  { title: 'tokens in', value: ({ before }) => before, right: true },
  { title: 'would be', value: ({ after }) => after, right: true },
  { title: 'saved', value: (row) => money(savingsOf(row).estimate.money), right: true },
  { title: 'of all', value: (row) => share(savingsOf(row).estimate, report), right: true },
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
    { title: 'when', value: ({ at }) => localTime(at) },
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

const share = (worth: Worth, report: ReplayReport): string => {
  const part = shareOfCost(worth, report)
  return part === undefined ? '–' : percent(part)
}

/** Names come from sessions, which hold what servers and models wrote. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
