import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { generateText } from '../fixtures/servers/generate-text.ts'

const root = resolve(import.meta.dirname, '../..')

/** A text of one kind, about `bytes` bytes long. */
export interface SampleText {
  readonly kind: string
  readonly make: (bytes: number) => string
}

/** Generated where size matters most, real where structure does: this repository's sources, notes and a web page. */
export const sampleTexts: readonly SampleText[] = [
  { kind: 'log', make: (bytes) => generateText('log', bytes) },
  { kind: 'json', make: (bytes) => generateText('json', bytes) },
  { kind: 'csv', make: (bytes) => csv(bytes) },
  { kind: 'prose', make: (bytes) => paragraphs(generateText('prose', bytes)) },
  { kind: 'code', make: (bytes) => repeated(filesOf('electron/engine/**/*.ts'), bytes) },
  {
    kind: 'markdown',
    make: (bytes) => repeated(filesOf('node_modules/{zod,vue,commander,kysely}/*.md'), bytes),
  },
  { kind: 'html', make: (bytes) => repeatedPage(bytes) },
  { kind: 'json lines', make: (bytes) => ofRows(bytes, (row) => JSON.stringify(row)) },
  { kind: 'yaml', make: (bytes) => ofRows(bytes, (row) => `- ${pairs(row, ': ').join('\n  ')}`) },
  { kind: 'keys and values', make: (bytes) => ofRows(bytes, (row) => `${pairs(row, ': ').join('\n')}\n`) },
  {
    kind: 'ini',
    make: (bytes) => ofRows(bytes, (row, i) => `[record-${i}]\n${pairs(row, ' = ').join('\n')}`),
  },
  { kind: 'xml', make: (bytes) => `<records>\n${ofRows(bytes, element)}\n</records>` },
  {
    kind: 'aligned',
    make: (bytes) =>
      ofRows(bytes, (row) =>
        cells(row)
          .map(([, cell]) => cell)
          .join('  '),
      ),
  },
]

const filesOf = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .toSorted()
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')

const repeated = (text: string, bytes: number): string =>
  text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes)

const paragraphs = (text: string): string => {
  let sentence = 0
  return text.replaceAll('. ', () => (++sentence % 6 === 0 ? '.\n\n' : '. '))
}

type Row = Record<string, unknown>

const rowsOf = (bytes: number): Row[] => JSON.parse(generateText('json', bytes)) as Row[]

/** Rows are shorter in some formats than in JSON, longer in others. */
function ofRows(bytes: number, write: (row: Row, i: number) => string): string {
  const rows = rowsOf(Math.min(bytes, 1_000_000))
  const part = rows.map(write).join('\n')
  return Array.from({ length: Math.ceil(bytes / part.length) }, () => part)
    .join('\n')
    .slice(0, bytes)
}

const cells = (row: Row): [name: string, cell: string][] =>
  Object.entries(row).map(([name, value]) => [
    name,
    String(value).replaceAll('\n', ' ').padEnd(12).slice(0, 40),
  ])

const pairs = (row: Row, sign: string): string[] =>
  cells(row).map(([name, cell]) => `${name}${sign}${cell.trim().replaceAll(/[:#=]/g, ' ')}`)

const element = (row: Row): string =>
  `<record>${cells(row)
    .map(([name, cell]) => `<${name}>${cell.trim().replaceAll(/[<>&]/g, ' ')}</${name}>`)
    .join('')}</record>`

function csv(bytes: number): string {
  const rows = JSON.parse(generateText('json', bytes * 2)) as Record<string, unknown>[]
  const [first = {}] = rows
  const lines = rows.map((row) =>
    Object.values(row)
      .map((value) => String(value).replaceAll(',', ';'))
      .join(','),
  )
  return `${Object.keys(first).join(',')}\n${lines.join('\n')}`.slice(0, bytes)
}

/** One page whose main part is repeated. */
function repeatedPage(bytes: number): string {
  const page = readFileSync(join(root, 'node_modules/mcporter/dist/docs-site/config.html'), 'utf8')
  const start = page.indexOf('<article') >= 0 ? page.indexOf('<article') : page.indexOf('<main')
  const end = page.lastIndexOf('</main>')
  const main = page.slice(start, end)
  return page.slice(0, start) + main.repeat(Math.max(1, Math.round(bytes / main.length))) + page.slice(end)
}
