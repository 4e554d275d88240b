import type { ReportDocument, ReportSection, ReportTable } from './report-document.ts'

/** One file for screens and paper: without scripts, and without anything from elsewhere. */
export function renderHtml({ title, sections }: ReportDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${sections.map((section, index) => sectionHtml(section, index < 2)).join('\n')}
</main>
</body>
</html>
`
}

function sectionHtml({ heading, paragraphs, table }: ReportSection, isLead: boolean): string {
  return [
    isLead ? '<section class="lead">' : '<section>',
    `<h2>${escape(heading)}</h2>`,
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    ...(table ? [tableHtml(table)] : []),
    '</section>',
  ].join('\n')
}

function tableHtml({ columns, rows, hasSum }: ReportTable): string {
  const classOf = (index: number): string => (columns[index]?.isNumber ? ' class="number"' : '')
  const row = (cells: readonly string[]): string =>
    `<tr>${cells
      .map((cell, index) =>
        index === 0 ? `<th scope="row">${escape(cell)}</th>` : `<td${classOf(index)}>${escape(cell)}</td>`,
      )
      .join('')}</tr>`
  const body = hasSum ? rows.slice(0, -1) : rows
  const sum = hasSum ? rows.slice(-1) : []
  return [
    columns.length <= 8 && hasSum ? '<table class="sums">' : '<table>',
    `<thead><tr>${columns.map(({ title }, index) => `<th scope="col"${classOf(index)}>${escape(title)}</th>`).join('')}</tr></thead>`,
    `<tbody>${body.map(row).join('\n')}</tbody>`,
    ...(sum.length > 0 ? [`<tfoot>${sum.map(row).join('')}</tfoot>`] : []),
    '</table>',
  ].join('\n')
}

/** Names come from servers and clients. */
const escape = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --ink: #17211f; --soft: #4d5b5b; --line: #c3cdcd; --accent: #0b5f63; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #101716; --ink: #e3ebea; --soft: #a4b3b1; --line: #34423f; --accent: #62c4c0; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 13px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 1000px; margin: 0 auto; padding: 24px; }
h1 { margin: 0 0 16px; font-size: 15px; font-weight: 600; color: var(--soft); }
h2 { margin: 0 0 4px; font-size: 13px; }
.lead h2 { font-size: 24px; line-height: 1.3; color: var(--accent); }
section { margin: 0 0 18px; }
p { margin: 0 0 4px; max-width: 110ch; color: var(--soft); }
table { width: 100%; border-collapse: collapse; }
.sums { table-layout: fixed; }
.sums th:first-child { width: 34%; }
th, td { padding: 2px 6px; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: top; }
th[scope=row] { overflow-wrap: anywhere; }
thead th { color: var(--soft); font-size: 11px; }
.number { text-align: right; white-space: nowrap; }
tfoot th, tfoot td { border-bottom: 0; font-weight: 600; }
@page { size: A4; margin: 12mm; }
@media print {
  :root { --ground: #fff; --ink: #000; --soft: #333; --line: #bbb; --accent: #0b5f63; }
  body { font-size: 7.5pt; line-height: 1.25; }
  main { max-width: none; padding: 0; }
  h1 { margin-bottom: 4px; }
  h2 { margin-bottom: 1px; font-size: 8pt; }
  .lead h2 { font-size: 13pt; }
  section { margin-bottom: 7px; }
  section:not(.lead) { break-inside: avoid; }
  th, td { padding: 0.5px 4px; }
  thead th { font-size: 6.5pt; }
}
`
