import { describe, expect, test } from 'vitest'
import { htmlStrategy } from '../../../../electron/engine/compression/strategies/html.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const nav = `<nav class="site-nav"><ul>${Array.from({ length: 30 }, (_, i) => `<li><a href="/s/${i}">Section ${i}</a></li>`).join('')}</ul></nav>`
const paragraph = (i: number) =>
  `<p>Paragraph ${i} tells of the voyage of the ship <b>Aurora ${i}</b>, which left the harbour, met a storm, and came home after ${i + 3} weeks &amp; two days.</p>`
const table = `<table><caption>Ships</caption><tr><th>Ship</th><th>Crew</th><th>Built</th></tr>${Array.from({ length: 20 }, (_, i) => `<tr><td>Aurora ${i}</td><td>${20 + ((i * 13) % 47)}</td><td>${1800 + i * 3}</td></tr>`).join('')}</table>`
const page = `<!DOCTYPE html><html><head><title>Ships</title><style>p{color:red}</style><script>var secret = 1</script></head><body>${nav}
<div class="content"><h1>The ships</h1>${Array.from({ length: 15 }, (_, i) => paragraph(i)).join('\n')}<h2>List of ships</h2>${table}</div>
<div class="sidebar related"><a href="/x">You may also like this</a></div><footer>Copyright 2020, all rights reserved</footer></body></html>`

describeStrategyContract(htmlStrategy, {
  texts: [page, page.replaceAll('</p>', ''), `<div>${'<div>'.repeat(400)}${page}`],
  goals: ['which ship has the largest crew', 'how long was the voyage of Aurora 7'],
})

const compress = (goal: string | undefined, budget: number) =>
  htmlStrategy.compress({ text: page, goal, budget })?.text ?? ''

describe('html', () => {
  test('becomes the main content as Markdown, without what surrounds it', () => {
    const text = compress(undefined, 5000)
    expect(text).toContain('# The ships')
    expect(text).toContain('the ship Aurora 3, which left')
    expect(text).toContain('weeks & two days')
    expect(text).toContain('Ship | Crew | Built\nAurora 0 | 20 | 1800')
    for (const noise of ['Section 4', 'secret', 'color:red', 'also like', 'Copyright'])
      expect(text).not.toContain(noise)
  })

  test('keeps the passage and the row that a goal asks for', () => {
    expect(compress('how long was the voyage of Aurora 7', 200)).toContain('10 weeks')
    expect(compress('when was the ship Aurora 11 built', 200)).toContain('Aurora 11 | 22 | 1833')
  })

  test('finds what is around the content when the goal asks for it', () => {
    expect(compress('copyright year', 200)).toContain('Copyright 2020')
  })

  test('without a goal and with little room, keeps the headings', () => {
    const text = compress(undefined, 60)
    expect(text).toContain('# The ships')
    expect(text).toContain('## List of ships')
  })
})

describe('html tables', () => {
  const tableText = (html: string) =>
    htmlStrategy.compress({ text: `<body>${html}</body>`, goal: undefined, budget: 2000 })?.text ?? ''

  test('carry spanning cells down into every row they cover', () => {
    const text = tableText(
      '<table><tr><th>Year<th>Event<th>Result<tr><td rowspan=2>1999<td>Run<td>1st<tr><td>Jump<td>2nd<tr><td>2000<td colspan=2>none</table>',
    )
    expect(text).toContain('Year | Event | Result\n1999 | Run | 1st\n1999 | Jump | 2nd\n2000 | none')
  })

  test('join two rows of headers', () => {
    const text = tableText(
      '<table><tr><th></th><th colspan=2>Medals</th></tr><tr><th>Team</th><th>Gold</th><th>Silver</th></tr><tr><td>A</td><td>1</td><td>2</td></tr><tr><td>B</td><td>3</td><td>4</td></tr></table>',
    )
    expect(text).toContain('Team | Medals Gold | Medals Silver\nA | 1 | 2')
  })

  test('that only lay out a page are read as text', () => {
    const long = 'A long sentence about nothing in particular, with commas, to fill the page. '.repeat(30)
    expect(tableText(`<table><tr><td>menu</td><td><p>${long}</p></td></tr></table>`)).not.toContain('|')
  })
})
