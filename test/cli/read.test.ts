import { describe, expect, it } from 'vitest'
import { textToRead } from '../../electron/cli/read/text-to-read.ts'

const numbered = Array.from({ length: 3_000 }, (_, index) => `line ${index + 1} of a build`).join('\n')

describe('what sluice read prints', () => {
  it('is all of a short text', () => {
    expect(textToRead('a\nb\n', {})).toBe('a\nb\n')
    expect(textToRead('', {})).toMatch(/^\[No line of 0/)
  })

  it('comes in pages that together are the whole', () => {
    const pages: string[] = []
    for (let page = 1; page < 20; page++) {
      const said = textToRead(numbered, { page })
      expect(said.length).toBeLessThan(20_200)
      const [, text = '', more] = /^(.*?)\n(?:\[Page \d+ of (\d+).*\]\n)?$/s.exec(said) ?? []
      pages.push(text)
      if (more === undefined) break
    }
    expect(pages.join('\n')).toBe(numbered)
    expect(textToRead(numbered, { page: 99 })).toMatch(/^\[There are \d+ pages\./)
  })

  it('divides a line that is longer than a page', () => {
    const long = 'x'.repeat(45_000)
    const pages = [1, 2, 3].map((page) => textToRead(long, { page }).split('\n')[0])
    expect(pages.join('')).toBe(long)
  })

  it('is the lines that were asked for', () => {
    expect(textToRead(numbered, { lines: [10, 12] })).toBe(
      'line 10 of a build\nline 11 of a build\nline 12 of a build\n',
    )
    expect(textToRead(numbered, { tail: 1 })).toBe('line 3000 of a build\n')
    expect(textToRead(numbered, { grep: 'LINE 299 ' })).toBe('299:line 299 of a build\n')
    expect(textToRead(numbered, { grep: 'none such' })).toMatch(/^\[No line of 3000 fits\./)
    expect(textToRead(numbered, { grep: 'error|fail' })).toContain('not a pattern')
  })
})
