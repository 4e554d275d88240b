export type Value = string | number | null
export type Fields = Readonly<Record<string, Value>>

const plain = (value: Value | undefined) => (value === null || value === undefined ? '' : String(value))
const quoted = (value: Value | undefined) =>
  typeof value === 'number' ? String(value) : JSON.stringify(plain(value))
const escaped = (value: Value | undefined) => plain(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const columns = (rows: readonly Fields[]) => Object.keys(rows[0] ?? {})
const cells = (row: Fields) => Object.values(row).map(plain)
const delimited = (rows: readonly Fields[], by: string) =>
  [columns(rows), ...rows.map(cells)].map((line) => line.join(by)).join('\n')

function padded(rows: readonly Fields[]): { lines: string[][]; widths: number[] } {
  const lines = [columns(rows), ...rows.map(cells)]
  const widths = columns(rows).map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)))
  return { lines: lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0))), widths }
}

/** The first field as a name, the others below it. */
const named = (row: Fields) => {
  const [name, ...others] = Object.entries(row)
  return { name: plain(name?.[1]), others }
}

const blocks = (
  rows: readonly Fields[],
  line: (key: string, value: Value) => string,
  head?: (at: number) => string,
) =>
  rows.map((row, at) => [
    ...(head ? [head(at)] : []),
    ...Object.entries(row).map(([key, value]) => line(key, value)),
  ])

/** The same records as every tool might print them. */
export const RECORD_FORMS: Readonly<Record<string, (rows: readonly Fields[]) => string>> = {
  csv: (rows) => delimited(rows, ','),
  tsv: (rows) => delimited(rows, '\t'),
  pipes: (rows) => delimited(rows, '|'),
  json: (rows) => JSON.stringify(rows),
  'json, indented': (rows) => JSON.stringify(rows, null, 2),
  'json, nested': (rows) =>
    JSON.stringify({
      status: 'ok',
      data: { total: rows.length, items: rows.map((row) => ({ attributes: row })) },
    }),
  'json, by name': (rows) =>
    JSON.stringify(
      Object.fromEntries(rows.map((row) => [named(row).name, Object.fromEntries(named(row).others)])),
    ),
  'json lines': (rows) => rows.map((row) => JSON.stringify(row)).join('\n'),
  yaml: (rows) =>
    blocks(rows, (key, value) => `${key}: ${value ?? 'null'}`)
      .map((lines) => `- ${lines.join('\n  ')}`)
      .join('\n'),
  'yaml documents': (rows) =>
    blocks(
      rows,
      (key, value) => `${key}: ${value ?? 'null'}`,
      () => '---',
    )
      .map((lines) => lines.join('\n'))
      .join('\n'),
  toml: (rows) =>
    blocks(
      rows,
      (key, value) => `${key} = ${quoted(value)}`,
      () => '[[item]]',
    )
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  ini: (rows) =>
    rows
      .map(named)
      .map(({ name, others }) =>
        [`[${name}]`, ...others.map(([key, value]) => `${key}=${plain(value)}`)].join('\n'),
      )
      .join('\n\n'),
  'xml elements': (rows) =>
    `<items>\n${blocks(rows, (key, value) => `    <${key}>${escaped(value)}</${key}>`)
      .map((lines) => `  <item>\n${lines.join('\n')}\n  </item>`)
      .join('\n')}\n</items>`,
  'xml attributes': (rows) =>
    `<items>\n${blocks(rows, (key, value) => `${key}="${escaped(value)}"`)
      .map((lines) => `  <item ${lines.join(' ')}/>`)
      .join('\n')}\n</items>`,
  markdown: (rows) =>
    [columns(rows), columns(rows).map(() => '---'), ...rows.map(cells)]
      .map((line) => `| ${line.join(' | ')} |`)
      .join('\n'),
  html: (rows) =>
    `<table>${[columns(rows), ...rows.map((row) => Object.values(row).map(escaped))]
      .map((line) => `<tr>${line.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
      .join('\n')}</table>`,
  aligned: (rows) =>
    padded(rows)
      .lines.map((line) => line.join('  '))
      .join('\n'),
  psql: (rows) => {
    const { lines, widths } = padded(rows)
    const [head = '', ...body] = lines.map((line) => ` ${line.join(' | ')} `)
    return [
      head,
      widths.map((width) => '-'.repeat(width + 2)).join('+'),
      ...body,
      `(${rows.length} rows)`,
    ].join('\n')
  },
  boxes: (rows) => {
    const { lines, widths } = padded(rows)
    const rule = (left: string, middle: string, right: string) =>
      left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right
    const [head = '', ...body] = lines.map((line) => `│ ${line.join(' │ ')} │`)
    return [rule('┌', '┬', '┐'), head, rule('├', '┼', '┤'), ...body, rule('└', '┴', '┘')].join('\n')
  },
  'blocks of keys': (rows) =>
    blocks(rows, (key, value) => `${`${key}:`.padEnd(20)}${value ?? '<none>'}`)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  'expanded rows': (rows) =>
    blocks(
      rows,
      (key, value) => `${key.padEnd(16)}| ${plain(value)}`,
      (at) => `-[ RECORD ${at + 1} ]--------`,
    )
      .map((lines) => lines.join('\n'))
      .join('\n'),
  logfmt: (rows) =>
    blocks(
      rows,
      (key, value) => `${key}=${plain(value).includes(' ') ? quoted(value) : plain(value)}`,
      (at) => `ts=2026-11-24T03:${String(at % 60).padStart(2, '0')}:00Z level=info msg=row`,
    )
      .map((lines) => lines.join(' '))
      .join('\n'),
  'json in a log': (rows) =>
    rows
      .map(
        (row, at) =>
          `2026-11-24T03:${String(at % 60).padStart(2, '0')}:00.000Z INFO worker-${at % 3} stored ${JSON.stringify(row)}`,
      )
      .join('\n'),
  'insert statements': (rows) =>
    rows
      .map(
        (row) =>
          `INSERT INTO items (${Object.keys(row).join(', ')}) VALUES (${Object.values(row)
            .map((value) => (value === null ? 'NULL' : typeof value === 'number' ? value : `'${value}'`))
            .join(', ')});`,
      )
      .join('\n'),
  bullets: (rows) =>
    rows
      .map(named)
      .map(({ name, others }) => [
        `* **${name}**`,
        ...others.map(([key, value]) => `  * ${key}: ${value ?? '-'}`),
      ])
      .map((lines) => lines.join('\n'))
      .join('\n'),
}
