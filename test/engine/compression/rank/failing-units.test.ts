import { describe, expect, test } from 'vitest'
import { markdownStrategy } from '../../../../electron/engine/compression/strategies/documents.ts'

const outline = (text: string, budget: number): string =>
  markdownStrategy.compress({ text, goal: undefined, budget })?.text ?? ''

const PARTS = ['locks', 'weirs', 'sluices', 'mills', 'ponds', 'dikes', 'wharfs', 'canals']

/** A report of a section for each part, whose checks are a list or a fence of lines. */
function report(failing: (part: string) => readonly string[], isFenced: boolean): string {
  const sections = PARTS.map((part) => {
    const fine = Array.from({ length: 9 }, (_, n) => `✔ ${part} keep level ${n} of the basin beside them`)
    const lines = [...fine, ...failing(part)]
    const body = isFenced
      ? ['```', ...lines, '```']
      : lines.map((line) => (/^\s/.test(line) ? line : `- ${line}`))
    return [`## Checks of ${part}`, '', ...body, ''].join('\n')
  })
  return `# Report of the week\n\nAll basins were visited.\n\n${sections.join('\n')}`
}

describe('without a goal what few entries say failed comes before headings, with the lines below', () => {
  const failed = ['✖ wharfs carry a cart', '    wanted 40 planks', '    found 12 planks']

  test.each([true, false])('below a heading, fenced: %s', (isFenced) => {
    const shown = outline(
      report((part) => (part === 'wharfs' ? failed : []), isFenced),
      110,
    )
    for (const line of failed) expect(shown).toContain(line.trim())
    expect(shown).toContain('## Checks of wharfs')
  })

  test('a row with a cross', () => {
    const rows = Array.from(
      { length: 60 },
      (_, n) => `| basin ${n} | ${n === 44 ? '❌' : '✅'} | ${n * 3} m |`,
    )
    const text = `# Basins\n\n## Levels\n\n| basin | state | level |\n|---|---|---|\n${rows.join('\n')}\n\n${report(() => [], false)}`
    expect(outline(text, 90)).toContain('| basin 44 | ❌ | 132 m |')
  })

  test('a level before a sentence, not in an example', () => {
    const example = '\n```\nERROR: an example of what a mill says\nfine\n```\n'
    const failing = report((part) => (part === 'ponds' ? ['ERROR: the pond has no outlet'] : []), false)
    const shown = outline(failing.replace('## Checks of ponds', `${example}\n## Checks of ponds`), 60)
    expect(shown).toContain('ERROR: the pond has no outlet')
    expect(shown).not.toContain('ERROR: an example')
  })
})

test('where much of a document fails, its headings come first', () => {
  const text = report(
    (part) => Array.from({ length: 6 }, (_, n) => `✖ ${part} leak at post ${n} of the row`),
    false,
  )
  expect(outline(text, 160).match(/^## Checks/gm)?.length).toBeGreaterThan(5)
})
