import type { ReportDocument, ReportTable } from './report-document.ts'

export function renderMarkdown({ title, sections }: ReportDocument): string {
  const parts = sections.map(({ heading, paragraphs, table }) =>
    [`## ${plain(heading)}`, ...paragraphs.map(plain), ...(table ? [tableText(table)] : [])].join('\n\n'),
  )
  return `${[`# ${plain(title)}`, ...parts].join('\n\n')}\n`
}

function tableText({ columns, rows, hasSum }: ReportTable): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const bold = (cells: readonly string[]): string[] => cells.map((cell) => (cell === '' ? '' : `**${cell}**`))
  const lines = rows.map((row, index) => {
    const cells = row.map(plain)
    return line(hasSum && index === rows.length - 1 ? bold(cells) : cells)
  })
  return [
    line(columns.map(({ title }) => plain(title))),
    line(columns.map(({ isNumber }) => (isNumber ? '---:' : '---'))),
    ...lines,
  ].join('\n')
}

/** Names come from servers and clients. */
const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?').replaceAll(/[\\`*_[\]<>|#~&]/g, String.raw`\$&`)
