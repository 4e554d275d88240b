import { describe, expect, test } from 'vitest'
import { textOf } from '../../../../../electron/engine/text/blocks/html/element-text.ts'
import { htmlBlocks } from '../../../../../electron/engine/text/blocks/html/html-blocks.ts'
import { findMainContent } from '../../../../../electron/engine/text/blocks/html/main-content.ts'
import { parseHtml } from '../../../../../electron/engine/text/blocks/html/parse-html.ts'

const text = (html: string) => textOf(parseHtml(html)).replace(/\s+/g, ' ').trim()
const blocks = (html: string) => {
  const root = parseHtml(html)
  return htmlBlocks(root, findMainContent(root)).map((block) => ('text' in block ? block.text : block.type))
}

describe('parseHtml', () => {
  test.each([
    ['scripts, styles and comments', 'a<script>var x = "<p>"</script><style>p{}</style><!-- c -->b', 'ab'],
    [
      'hidden parts',
      'a<div hidden>x</div><p style="display: none">y</p><span aria-hidden="true">z</span>b',
      'ab',
    ],
    ['form controls', 'a<select><option>x</select><button>y</button><textarea>z</textarea>b', 'ab'],
    ['sort keys', '<td><span class="sortkey">Doe, Jane</span>Jane Doe</td>', 'Jane Doe'],
  ])('leaves out %s', (_, html, expected) => {
    expect(text(html).replaceAll(' ', '')).toBe(expected.replaceAll(' ', ''))
  })

  test('decodes entities, in any form', () => {
    expect(text('&lt;b&gt; &amp; &eacute;&#33;&#x1F600; &nosuch;')).toBe('<b> & é!😀 &nosuch;')
  })

  test('closes what authors leave open', () => {
    expect(blocks('<p>one<p>two<ul><li>a<li>b</ul><dl><dt>t<dd>d</dl>')).toEqual([
      'one',
      'two',
      '- a',
      '- b',
      't',
      'd',
    ])
  })

  test('end tags without a start change nothing', () => {
    expect(blocks('</div></p>one</span></table><p>two</b></p>')).toEqual(['one', 'two'])
  })

  test('depth costs neither the stack nor quadratic time', () => {
    const depth = 100_000
    expect(text(`${'<div><b>'.repeat(depth)}deep${'</b></div>'.repeat(depth)} end`)).toBe('deep end')
    expect(blocks(`${'<ul><li>'.repeat(20_000)}deep`).join('')).toContain('deep')
    expect(text(`<table>${'<tr><td>'.repeat(20_000)}x`)).toBe('x')
  })

  test('line breaks stay, the blanks of the layout do not', () => {
    expect(blocks('<p>one\n   two<br>three &nbsp; four</p><pre>  a\n    b\n</pre>')).toEqual([
      'one two\nthree four',
      '  a\n    b',
    ])
  })
})
