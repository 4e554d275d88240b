/** Values that only their label tells, by what heads their column. */
export const COLUMNS: readonly (readonly [header: string, values: readonly [string, string, string]])[] = [
  ['SSN', ['123456789', '536221234', '401558796']],
  ['Passport No.', ['X1234567', 'C01X00T47', 'L8988901']],
  ['Date of birth', ['1980-05-12', '1991-11-03', '1975-01-30']],
  ['geboren', ['12.05.1980', '03.11.1991', '30.01.1975']],
  ['fecha_nacimiento', ['12/05/1980', '03/11/1991', '30/01/1975']],
  ['Steuer-ID', ['86095742719', '86095742719', '86095742719']],
  ['PESEL', ['44051401359', '44051401359', '44051401359']],
  ['password', ['hunter2!x', 'S3cret-77', 'pa55word9']],
  ['phone', ['5551234567', '5559876543', '5550102938']],
  ['Mobile', ['98765 43210', '98111 22333', '98000 12345']],
  ['手机', ['13800138000', '13912345678', '13700001111']],
  ["Driver's licence", ['D1234-56789', 'F5550-12345', 'B9876-54321']],
  ['api key', ['9f8e7d6c5b4a39281706', 'a1b2c3d4e5f60718293a', '0f1e2d3c4b5a69788796']],
]

/** With columns that tell nothing around them. */
const recordsOf = ([header, values]: (typeof COLUMNS)[number]): string[][] => [
  ['id', 'name', header, 'city'],
  ...values.map((value, row) => [`${101 + row}`, ['Ann', 'Ben', 'Cleo'][row] ?? '', value, 'Ulm']),
]

const lines = (rows: readonly (readonly string[])[], separator: string): string =>
  rows.map((row) => row.join(separator)).join('\n')

const padded = (rows: readonly (readonly string[])[]): string[][] =>
  rows.map((row) =>
    row.map((cell, column) => cell.padEnd(Math.max(...rows.map((each) => each[column]?.length ?? 0)))),
  )

const ruled = (rows: readonly (readonly string[])[], separator: string, rule: string): string => {
  const [header = [], ...body] = padded(rows)
  return (
    lines([header], separator) +
    `\n${header.map((cell) => '-'.repeat(cell.length)).join(rule)}\n` +
    lines(body, separator)
  )
}

const boxed = (rows: readonly (readonly string[])[]): string => {
  const [header = [], ...body] = padded(rows)
  const rule = (left: string, between: string, right: string): string =>
    left + header.map((cell) => '─'.repeat(cell.length + 2)).join(between) + right
  const row = (cells: readonly string[]): string => `│ ${cells.join(' │ ')} │`
  return [rule('┌', '┬', '┐'), row(header), rule('├', '┼', '┤'), ...body.map(row), rule('└', '┴', '┘')].join(
    '\n',
  )
}

type Rows = readonly (readonly string[])[]

/** Ways to write rows below their header. */
export const TABLE_FORMS: Readonly<Record<string, (rows: Rows) => string>> = {
  csv: (rows) => lines(rows, ','),
  'csv with quotes': (rows) =>
    lines(
      rows.map((row) => row.map((cell) => `"${cell}"`)),
      ',',
    ),
  tsv: (rows) => lines(rows, '\t'),
  semicolons: (rows) => lines(rows, ';'),
  markdown: (rows) =>
    `Our people, as of today.\n\n| ${ruled(rows, ' | ', ' | ').replaceAll('\n', ' |\n| ')} |\n\nMore to come.`,
  aligned: (rows) => lines(padded(rows), '   '),
  psql: (rows) => ruled(rows, ' | ', '-+-'),
  box: boxed,
  'json rows': (rows) => JSON.stringify(rows),
  'json columns and rows': ([columns, ...body]) => JSON.stringify({ columns, rows: body }, null, 1),
  'json lines': (rows) => rows.map((row) => JSON.stringify(row)).join('\n'),
  'csv in json': (rows) => JSON.stringify({ content: lines(rows, ',') }),
}

export const tablesOfPersons = (): {
  form: string
  header: string
  values: readonly string[]
  text: string
}[] =>
  Object.entries(TABLE_FORMS).flatMap(([form, write]) =>
    COLUMNS.map((column) => ({ form, header: column[0], values: column[1], text: write(recordsOf(column)) })),
  )
