import type { Fields, Value } from './records-in-forms.ts'

const plain = (value: Value | undefined) => (value === null || value === undefined ? '' : String(value))
const literal = (value: Value, nothing: string) =>
  value === null ? nothing : typeof value === 'number' ? String(value) : `'${value}'`
const keys = (rows: readonly Fields[]) => Object.keys(rows[0] ?? {})
const named = (row: Fields) => {
  const [name, ...others] = Object.entries(row)
  return { name: plain(name?.[1]), others }
}
const pairs = (row: Fields, write: (key: string, value: Value) => string, by: string) =>
  Object.entries(row)
    .map(([key, value]) => write(key, value))
    .join(by)
const each = (rows: readonly Fields[], write: (row: Fields, at: number) => string, by = '\n') =>
  rows.map((row, at) => write(row, at)).join(by)
const comma = (value: Value) => (typeof value === 'number' ? String(value).replace('.', ',') : plain(value))

/** Forms that fewer tools print, and those of servers that write prose for a model. */
export const RARER_RECORD_FORMS: Readonly<Record<string, (rows: readonly Fields[]) => string>> = {
  'semicolons, decimal commas': (rows) =>
    [keys(rows).join(';'), ...rows.map((row) => Object.values(row).map(comma).join(';'))].join('\n'),
  'json, columns and rows': (rows) => JSON.stringify({ columns: keys(rows), rows: rows.map(Object.values) }),
  'json, column by column': (rows) =>
    JSON.stringify(Object.fromEntries(keys(rows).map((key) => [key, rows.map((row) => row[key] ?? null)]))),
  'json, edges': (rows) => JSON.stringify({ data: { parcels: { edges: rows.map((node) => ({ node })) } } }),
  'json in a fence': (rows) =>
    `Here are the results:\n\n\`\`\`json\n${JSON.stringify(rows, null, 2)}\n\`\`\`\n\nAsk for more with the next page.`,
  'json as text': (rows) => JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(rows) }] }),
  'event stream': (rows) => each(rows, (row, at) => `id: ${at}\nevent: item\ndata: ${JSON.stringify(row)}\n`),
  'numbered sentences': (rows) =>
    `Found ${rows.length} items:\n\n${each(
      rows,
      (row, at) =>
        `${at + 1}. ${named(row).name} - ${named(row)
          .others.map(([key, value]) => `${key}: ${plain(value)}`)
          .join(', ')}`,
    )}`,
  'headings with bullets': (rows) =>
    each(
      rows,
      (row) =>
        `### ${named(row).name}\n\n${pairs(row, (key, value) => `- **${key}:** ${plain(value)}`, '\n')}\n`,
    ),
  'rules between': (rows) =>
    each(rows, (row) => pairs(row, (key, value) => `${key}: ${plain(value)}`, '\n'), '\n---\n'),
  'indented below a name': (rows) =>
    each(
      rows,
      (row) =>
        `${named(row).name}:\n${named(row)
          .others.map(([key, value]) => `    ${key}: ${plain(value)}`)
          .join('\n')}`,
    ),
  'settings below a head': (rows) =>
    each(
      rows,
      (row) =>
        `parcel ${named(row).name}\n${named(row)
          .others.map(([key, value]) => `    ${key} ${plain(value)}`)
          .join('\n')}\n!`,
    ),
  'settings below a numbered head': (rows) =>
    each(
      rows,
      (row, at) =>
        `${at + 1}: ${named(row).name}@hub${at % 7}: <SEEN,SCANNED>\n${named(row)
          .others.map(([key, value]) => `\t${key} ${plain(value)}`)
          .join('\n')}`,
    ),
  'equals, semicolons': (rows) =>
    each(rows, (row) => pairs(row, (key, value) => `${key}=${plain(value)}`, '; ')),
  'python list': (rows) =>
    `[${each(rows, (row) => `{${pairs(row, (key, value) => `'${key}': ${literal(value, 'None')}`, ', ')}}`, ', ')}]`,
  'data class': (rows) =>
    each(rows, (row) => `Parcel(${pairs(row, (key, value) => `${key}=${literal(value, 'None')}`, ', ')})`),
  'go struct': (rows) =>
    each(rows, (row) => `{${pairs(row, (key, value) => `${key}:${plain(value)}`, ' ')}}`),
  'javascript object': (rows) =>
    `[\n${each(rows, (row) => `  { ${pairs(row, (key, value) => `${key}: ${literal(value, 'null')}`, ', ')} }`, ',\n')}\n]`,
  'elixir map': (rows) =>
    each(
      rows,
      (row) =>
        `%{${pairs(row, (key, value) => `${key}: ${literal(value, 'nil').replaceAll("'", '"')}`, ', ')}}`,
    ),
  'protobuf text': (rows) =>
    each(
      rows,
      (row) =>
        `item {\n${pairs(row, (key, value) => `  ${key}: ${literal(value, '""').replaceAll("'", '"')}`, '\n')}\n}`,
    ),
  hcl: (rows) =>
    each(
      rows,
      (row) =>
        `resource "parcel" "${named(row).name}" {\n${named(row)
          .others.map(([key, value]) => `  ${key} = ${literal(value, 'null').replaceAll("'", '"')}`)
          .join('\n')}\n}`,
    ),
  plist: (rows) =>
    `<plist version="1.0"><array>\n${each(
      rows,
      (row) =>
        `<dict>\n${pairs(
          row,
          (key, value) =>
            `<key>${key}</key><${typeof value === 'number' ? 'real' : 'string'}>${plain(value)}</${typeof value === 'number' ? 'real' : 'string'}>`,
          '\n',
        )}\n</dict>`,
    )}\n</array></plist>`,
  'yaml by name': (rows) =>
    each(
      rows,
      (row) =>
        `${named(row).name}:\n${named(row)
          .others.map(([key, value]) => `  ${key}: ${value ?? 'null'}`)
          .join('\n')}`,
    ),
  'yaml in flow': (rows) =>
    each(rows, (row) => `- {${pairs(row, (key, value) => `${key}: ${value ?? 'null'}`, ', ')}}`),
  'wiki table': (rows) =>
    [
      `||${keys(rows).join('||')}||`,
      each(rows, (row) => `|${Object.values(row).map(plain).join('|')}|`),
    ].join('\n'),
  'asciidoc table': (rows) =>
    `|===\n|${keys(rows).join(' |')}\n\n${each(rows, (row) => `|${Object.values(row).map(plain).join(' |')}`)}\n|===`,
  'html list': (rows) =>
    `<dl>\n${each(rows, (row) => `<dt>${named(row).name}</dt><dd>${pairs(row, (key, value) => `${key}: ${plain(value)}`, '<br>')}</dd>`)}\n</dl>`,
  'html cards': (rows) =>
    `<main>${each(
      rows,
      (row) =>
        `<article><h2>${named(row).name}</h2><ul>${named(row)
          .others.map(([key, value]) => `<li><span>${key}</span> <b>${plain(value)}</b></li>`)
          .join('')}</ul></article>`,
    )}</main>`,
  'no header': (rows) => each(rows, (row) => Object.values(row).map(plain).join('  ')),
}
