import { stringify as yaml } from 'yaml'
import { lines, type Draw, type Rows } from './random-rows.ts'
import { randomFrom, randomRows } from './random-rows.ts'

export interface RandomDocument {
  readonly format: string
  /** The columns' names, first the one that names a record. */
  readonly columns: readonly string[]
  readonly text: string
  readonly goal: string | undefined
  readonly budget: number
}

const BUDGETS = [120, 300, 700, 1500]

/** Records of random columns in one of many formats, with a goal that names one of them, asks for an extreme, or none. */
export function randomDocument(seed: number): RandomDocument {
  const draw = randomFrom(seed)
  const format = draw.of(Object.keys(FORMATS))
  const rows = randomRows(draw)
  const text = FORMATS[format]?.(rows, draw) ?? ''
  const columns = rows.columns.map(({ name }) => name)
  return { format, columns, text, goal: goalFor(rows, draw), budget: draw.of(BUDGETS) }
}

function goalFor({ columns, records }: Rows, draw: Draw): string | undefined {
  const [column, record] = [draw.of(columns), draw.of(records)]
  return draw.of([
    undefined,
    `highest ${column.name}`,
    `${column.name} of ${record[columns[0]?.name ?? '']}`,
    `which ${columns[0]?.name} has ${column.name} ${record[column.name]}`,
    'why did it fail',
  ])
}

const FORMATS: Readonly<Record<string, (rows: Rows, draw: Draw) => string>> = {
  json: ({ records }, draw) => JSON.stringify(records, null, draw.of([undefined, 2])),
  'json in an object': ({ records }, draw) =>
    JSON.stringify({ total: records.length, next: null, items: records, took: draw.upTo(99) }),
  'json map': ({ columns, records }) =>
    JSON.stringify(
      Object.fromEntries(records.map((record) => [record[columns[0]?.name ?? ''], record])),
      null,
      1,
    ),
  'json lines': ({ records }) => lines(records.map((record) => JSON.stringify(record))),
  yaml: ({ records }) => yaml(records),
  'yaml map': ({ columns, records }) =>
    yaml({
      defaults: records[0],
      hosts: Object.fromEntries(records.map((one) => [one[columns[0]?.name ?? ''], one])),
    }),
  'yaml documents': ({ records }) => records.map((record) => yaml(record)).join('---\n'),
  toml: ({ records }) =>
    records.map((one) => `[[item]]\n${members(one, ' = ', (value) => JSON.stringify(value))}`).join('\n\n'),
  ini: ({ columns, records }) =>
    records.map((one) => `[${one[columns[0]?.name ?? '']}]\n${members(one, '=', String)}`).join('\n\n'),
  env: ({ records }) =>
    lines(
      records.flatMap((one, i) =>
        Object.entries(one).map(([key, value]) => `${key.toUpperCase()}_${i}=${value}`),
      ),
    ),
  xml: ({ records }) =>
    `<?xml version="1.0"?>\n<list>\n${lines(records.map((one) => `  <item>${elements(one)}</item>`))}\n</list>`,
  'xml attributes': ({ records }) =>
    `<list>\n${lines(records.map((one) => `  <item ${attributes(one)}/>`))}\n</list>`,
  csv: (rows) => delimited(rows, ','),
  tsv: (rows) => delimited(rows, '\t'),
  semicolons: (rows) => delimited(rows, ';'),
  aligned: (rows) => lines(cells(rows, (row) => row.join('  '))),
  markdown: (rows) =>
    lines(
      cells(rows, (row) => `| ${row.join(' | ')} |`).toSpliced(
        1,
        0,
        `|${rows.columns.map(() => '---').join('|')}|`,
      ),
    ),
  box: (rows) => {
    const rule = (left: string, middle: string, right: string, widths: readonly number[]) =>
      left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right
    const widths = widthsOf(rows)
    const body = cells(rows, (row) => `│ ${row.join(' │ ')} │`)
    return lines([
      rule('┌', '┬', '┐', widths),
      body[0] ?? '',
      rule('├', '┼', '┤', widths),
      ...body.slice(1),
      rule('└', '┴', '┘', widths),
    ])
  },
  psql: (rows) =>
    lines([
      ...cells(rows, (row) => ` ${row.join(' | ')} `).toSpliced(
        1,
        0,
        widthsOf(rows)
          .map((n) => '-'.repeat(n + 2))
          .join('+'),
      ),
      `(${rows.records.length} rows)`,
    ]),
  'key value blocks': ({ records }) =>
    records.map((one, i) => `-[ RECORD ${i + 1} ]---\n${members(one, ' | ', String)}`).join('\n'),
  describe: ({ columns, records }) =>
    records
      .map((one) => `Name:  ${one[columns[0]?.name ?? '']}\n${members(one, ':  ', String)}`)
      .join('\n\n'),
  metrics: ({ columns, records }) =>
    lines(
      records.flatMap((one) =>
        columns
          .filter(({ kind }) => kind === 'number')
          .map(({ name }) => `app_${name}{id="${one[columns[0]?.name ?? '']}"} ${one[name]}`),
      ),
    ),
  log: ({ columns, records }, draw) => {
    const prefix = draw.of(PREFIXES)
    return lines(
      records.map((one, i) => {
        const level = draw.chance(0.03) ? 'ERROR' : 'INFO'
        const what = level === 'ERROR' ? `failed: timeout after ${draw.upTo(9000)} ms` : 'done'
        return `${prefix(i, level)} ${columns[0]?.name} ${one[columns[0]?.name ?? '']} ${what} ${members(one, '=', String, ' ')}`
      }),
    )
  },
  listing: ({ records }, draw) =>
    lines(
      records.map(
        (one, i) =>
          `-rw-r--r-- 1 app staff ${String(draw.upTo(9e6)).padStart(8)} 2026-0${1 + (i % 9)}-11 10:0${i % 9} srv/${Object.values(one)[0]}/part-${i}.conf.d/app.v${i % 7}.log`,
      ),
    ),
  grep: ({ records }, draw) =>
    lines(
      records.map(
        (one, i) =>
          `src/core/${Object.values(one)[0]}.ts:${draw.upTo(900)}:  const x${i} = load(${JSON.stringify(one)})`,
      ),
    ),
  prose: ({ records }) =>
    records
      .map(
        (one) =>
          `The entry ${Object.values(one)[0]} is one of many. ${members(one, ' is ', String, ', ')}. See https://docs.example.org/v2.1/${Object.values(one)[0]}.html for more.`,
      )
      .join('\n\n'),
  'markdown text': ({ records }) =>
    records
      .map((one) => `## ${Object.values(one)[0]}\n\n${members(one, ': ', String, '\n').replace(/^/gm, '- ')}`)
      .join('\n\n'),
  diff: ({ records }, draw) =>
    lines(
      records.flatMap((one, i) => {
        const file = `src/${draw.of(['core', 'api', 'ui'])}/part-${i}.ts`
        const at = 1 + draw.upTo(900)
        const value = Object.values(one)[0]
        return [
          `diff --git a/${file} b/${file}`,
          `index ${(i * 7919 + 0x1a2b3c4).toString(16)}..${(i * 104_729 + 0x2b3c4d5).toString(16)} 100644`,
          `--- a/${file}`,
          `+++ b/${file}`,
          `@@ -${at},3 +${at},4 @@ export function part${i}()`,
          `   const limit = ${at * 3}`,
          `-  return load('${value}')`,
          `+  const name = '${value}.v2'`,
          `+  return load(name, { retries: ${i % 5} })`,
          '   }',
        ]
      }),
    ),
  history: ({ columns, records }, draw) =>
    records
      .map(
        (one, i) =>
          `commit ${(BigInt(i + 1) * 0x9e3779b97f4a7c15f39cc0605ced8341n).toString(16).slice(0, 40).padEnd(40, '7')}\nAuthor: Ann Poe <ann@example.org>\nDate:   Tue Mar ${1 + (i % 28)} 10:${10 + (i % 49)}:07 2026 +0100\n\n    ${draw.of(['Mend', 'Add', 'Drop'])} ${columns.at(-1)?.name} of ${one[columns[0]?.name ?? '']}\n`,
      )
      .join('\n'),
  code: ({ columns, records }) =>
    records
      .map(
        (one, i) =>
          `/** Reads ${one[columns[0]?.name ?? '']}. */\nexport function read${i}(input: string): number {\n  const { ${columns.map(({ name }) => name).join(', ')} } = parse(input)\n  if (${columns.at(-1)?.name} === ${JSON.stringify(one[columns.at(-1)?.name ?? ''])}) throw new Error('odd ${columns[0]?.name} ${i}')\n  return ${i * 17}\n}\n`,
      )
      .join('\n'),
  snapshot: ({ columns, records }) =>
    lines([
      '- main [ref=e1]:',
      '  - heading "Entries" [level=1] [ref=e2]',
      '  - table [ref=e3]:',
      ...records.flatMap((one, i) => [
        `    - row "${Object.values(one).join(' ')}" [ref=e${10 + i * 10}]:`,
        ...columns.map(({ name }, k) => `      - cell "${one[name]}" [ref=e${11 + k + i * 10}]`),
        `      - button "Open ${Object.values(one)[0]}" [ref=e${19 + i * 10}] [cursor=pointer]`,
      ]),
    ]),
  'test report': ({ columns, records }, draw) =>
    lines(
      records.flatMap((one, i) =>
        draw.chance(0.04)
          ? [
              `not ok ${i + 1} - ${one[columns[0]?.name ?? '']} holds`,
              `  expected: ${i * 3}`,
              `  actual: ${i * 3 + 1}`,
              `  at: test/part-${i}.test.ts:${10 + i}:7`,
            ]
          : [`ok ${i + 1} - ${one[columns[0]?.name ?? '']} holds # ${i % 9} ms`],
      ),
    ),
  html: (rows) =>
    `<html><body><h1>Report</h1><table>${cells(rows, (row) => `<tr>${row.map((cell) => `<td>${cell.trim()}</td>`).join('')}</tr>`).join('\n')}</table></body></html>`,
}

const PREFIXES: readonly ((i: number, level: string) => string)[] = [
  (i, level) =>
    `2026-03-${String(1 + (i % 28)).padStart(2, '0')}T10:${String(i % 60).padStart(2, '0')}:07.123Z ${level} [worker-${i % 4}]`,
  (i, level) => `Mar 14 10:${String(i % 60).padStart(2, '0')}:07 node-3 app[${400 + (i % 3)}]: ${level}`,
  (i, level) => `${level[0]}0314 10:${String(i % 60).padStart(2, '0')}:07.104233 ${i % 9} loop.cc:88]`,
  (i, level) => `build\tstep ${i % 5}\t${level}`,
  (i) => `==31${i % 2}==`,
  (_, level) => `[${level.toLowerCase()}]`,
]

const members = (
  record: Rows['records'][number],
  sign: string,
  print: (value: string | number) => string,
  between = '\n',
) =>
  Object.entries(record)
    .map(([key, value]) => `${key}${sign}${print(value)}`)
    .join(between)

const escaped = (value: unknown) => String(value).replace(/[<&"]/g, (char) => `&#${char.charCodeAt(0)};`)

const elements = (record: Rows['records'][number]) =>
  Object.entries(record)
    .map(([key, value]) => `<${key}>${escaped(value)}</${key}>`)
    .join('')

const attributes = (record: Rows['records'][number]) =>
  Object.entries(record)
    .map(([key, value]) => `${key}="${escaped(value)}"`)
    .join(' ')

function delimited({ columns, records }: Rows, sign: string): string {
  const quoted = (value: unknown) =>
    /[",;\t]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)
  return lines(
    [
      columns.map(({ name }) => name),
      ...records.map((one) => columns.map(({ name }) => quoted(one[name]))),
    ].map((row) => row.join(sign)),
  )
}

const widthsOf = ({ columns, records }: Rows) =>
  columns.map(({ name }) => Math.max(name.length, ...records.map((one) => String(one[name]).length)))

function cells(rows: Rows, join: (row: readonly string[]) => string): string[] {
  const widths = widthsOf(rows)
  const padded = (row: readonly unknown[]) => row.map((cell, i) => String(cell).padEnd(widths[i] ?? 0))
  return [
    join(padded(rows.columns.map(({ name }) => name))),
    ...rows.records.map((one) => join(padded(rows.columns.map(({ name }) => one[name])))),
  ]
}
