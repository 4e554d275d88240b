import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { guideBlocks, guideFor } from '../../../renderer/format/guide-text.ts'

const folder = join(import.meta.dirname, '../../../docs/guide')
const pages = globSync('*.md', { cwd: folder })

test('the Markdown of the guide becomes headings, steps, code, pictures and links to its pages', () => {
  const text =
    '# Do `it`\n\n1. Open **Tools**.\n2. See [profiles](profiles.md).\n\n```\n[a]\n```\n\n![A tool](../tools.png)\n\nOr [figures](../savings.md).'
  expect(guideBlocks(text)).toEqual([
    {
      kind: 'heading',
      spans: [
        { kind: 'text', text: 'Do ' },
        { kind: 'code', text: 'it' },
      ],
    },
    {
      kind: 'steps',
      steps: [
        [
          { kind: 'text', text: 'Open ' },
          { kind: 'strong', text: 'Tools' },
          { kind: 'text', text: '.' },
        ],
        [
          { kind: 'text', text: 'See ' },
          { kind: 'link', text: 'profiles', page: 'profiles' },
          { kind: 'text', text: '.' },
        ],
      ],
    },
    { kind: 'code', text: '[a]' },
    { kind: 'picture', file: 'tools.png', about: 'A tool' },
    {
      kind: 'text',
      spans: [
        { kind: 'text', text: 'Or ' },
        { kind: 'link', text: 'figures', page: undefined },
        { kind: 'text', text: '.' },
      ],
    },
  ])
})

describe.each(pages)('%s', (page) => {
  test('is written in what the page of the app can show', () => {
    const left = JSON.stringify(guideBlocks(readFileSync(join(folder, page), 'utf8')))
    expect(left).not.toMatch(/\*\*|\]\(|"- |<\w/)
  })
})

test('each screen leads to a page that there is, and each page is in the list', () => {
  for (const path of ['/', '/clients', '/results/r_1', '/tools/a/b', '/approvals', '/replay', '/start'])
    expect(existsSync(join(folder, `${guideFor(path)}.md`)), path).toBe(true)
  expect(guideFor('/settings')).toBe('')
  const list = readFileSync(join(folder, 'README.md'), 'utf8')
  for (const page of pages) if (page !== 'README.md') expect(list).toContain(`(${page})`)
})
