import { expect, test } from 'vitest'
import { htmlStrategy } from '../../../../../electron/engine/compression/strategies/html.ts'
import { plainLines } from '../../../../../electron/engine/text/blocks/html/plain-lines.ts'

test('keeps headings, paragraphs, items and cells apart, and leaves out what is no text', () => {
  const html = `<title>T</title><h2>Part &amp; one</h2><p>Some <b>bold</b> text<img src="x"><br>goes on</p><script>if (a < b) "<p>"</script>
    <embed src="y"><ul><li>a</li><li>b</li></ul><table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>`
  const lines = plainLines(html)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  expect(lines).toEqual(['## Part & one', 'Some bold text', 'goes on', 'a', 'b', '1 | 2', '3 | 4'])
})

test('a page of many megabytes is still searched to its end', () => {
  const row = (i: number) => `<tr><td>${i}</td><td>Name ${i}</td><td>${(i * 37) % 1009}</td></tr>`
  const page = `<html><body><h1>List</h1><table>${Array.from({ length: 120_000 }, (_, i) => row(i)).join('')}</table><p>The harbour master of Lum is Ida Berger.</p></body></html>`
  const output = htmlStrategy.compress({ text: page, goal: 'who is the harbour master?', budget: 100 })
  expect(page.length).toBeGreaterThan(5_000_000)
  expect(output?.text).toContain('Ida Berger')
})
