import { describe, expect, test } from 'vitest'
import { parseBlocks } from '../../../../electron/engine/text/blocks/parse-blocks.ts'

const long = 'A paragraph that is long enough to stand under a title of its own, as articles have it.'

test('headings of AsciiDoc, MediaWiki and reStructuredText', () => {
  const headings = (text: string): unknown[] =>
    parseBlocks(text).flatMap((block) => (block.type === 'heading' ? [[block.level, block.text]] : []))
  expect(headings('= Guide\n\nText.\n\n== Set-up ==\n\nMore.')).toEqual([
    [1, '= Guide'],
    [2, '== Set-up =='],
  ])
  expect(headings('Usage\n~~~~~\n\nText.\n\nLonger title\n^^^^^\n\nRun:\n~~~~\ncode\n~~~~')).toEqual([
    [3, 'Usage'],
  ])
  expect(headings('First\n~~~~~\n\nDeeper\n^^^^^^\n\nText.\n\nSecond\n~~~~~~\n\nMore.')).toEqual([
    [3, 'First'],
    [4, 'Deeper'],
    [3, 'Second'],
  ])
  expect(headings('a\n=== 5\n\n==\n\n=x')).toEqual([[3, '=== 5']])
})

describe('parseBlocks', () => {
  test('headings of both kinds, with their levels', () => {
    expect(parseBlocks('# One\n\nTwo\n===\n\nThree\n---\n\n### Four')).toEqual([
      { type: 'heading', level: 1, text: '# One' },
      { type: 'heading', level: 1, text: 'Two' },
      { type: 'heading', level: 2, text: 'Three' },
      { type: 'heading', level: 3, text: '### Four' },
    ])
  })

  test('a short line before a long paragraph is its title, with or without a line between', () => {
    const title = { type: 'heading', level: 7, text: 'The title' }
    expect(parseBlocks(`The title\n\n${long}`)[0]).toEqual(title)
    expect(parseBlocks(`The title\n${long}`)[0]).toEqual(title)
    expect(parseBlocks(`A sentence.\n\n${long}`)[0]).toMatchObject({ type: 'paragraph' })
  })

  test('lines of code are kept apart from prose', () => {
    expect(parseBlocks('Text.\n\n```js\n# not a heading\n\nlet a\n```\nMore.')).toMatchObject([
      { type: 'paragraph', text: 'Text.' },
      { type: 'paragraph', text: '# not a heading\n\nlet a', byLine: true },
      { type: 'paragraph', text: 'More.' },
    ])
  })

  test('a Markdown table, bars in cells included', () => {
    expect(parseBlocks('| a | b \\| c |\n|---|:-:|\n| 1 | |\n| 2 | x |')).toMatchObject([
      {
        type: 'table',
        header: { text: '| a | b \\| c |', cells: ['a', 'b \\| c'] },
        rows: [
          { text: '| 1 | |', cells: ['1', ''] },
          { text: '| 2 | x |', cells: ['2', 'x'] },
        ],
      },
    ])
  })

  test('CSV with quotes, commas and line breaks in cells', () => {
    const [table] = parseBlocks('id,name,note\n1,"Smith, Jane","says ""hi"""\n2,Bob,"two\nlines"\n3,Eve,none')
    expect(table).toMatchObject({
      type: 'table',
      header: { cells: ['id', 'name', 'note'] },
      rows: [
        { cells: ['1', 'Smith, Jane', 'says "hi"'] },
        { cells: ['2', 'Bob', 'two\nlines'] },
        { cells: ['3', 'Eve', 'none'] },
      ],
    })
  })

  test('aligned columns, with a line before the header', () => {
    const blocks = parseBlocks(
      'stdout:\nNAME    READY   AGE\nweb-1   1/1     3d\nweb-2   0/1     3d\nweb-3   1/1     2d',
    )
    expect(blocks).toMatchObject([
      { type: 'paragraph', text: 'stdout:' },
      {
        type: 'table',
        header: { text: 'NAME  READY  AGE' },
        rows: [{ cells: ['web-1', '1/1', '3d'] }, {}, {}],
      },
    ])
  })

  test('nothing makes no blocks', () => {
    expect(parseBlocks('')).toEqual([])
    expect(parseBlocks('\n \n\t\n')).toEqual([])
  })

  test('many hashes with text below begin comments', () => {
    const settings = ['# One', 'a 1', '', '# Two', '# lines', '#b 2', '', '# Three', 'c 3']
    expect(parseBlocks(settings.join('\n')).map(({ type }) => type)).toEqual(Array(3).fill('paragraph'))
    expect(parseBlocks('# One\n\ntext\n\n## Two\ntext\n\n# Three\n\ntext')[0]).toMatchObject({
      type: 'heading',
    })
  })

  test('numbered titles are headings by their depth, lines of a list of contents are none', () => {
    expect(parseBlocks('B.4.6. Time zone\nThe zone.\n\n2.1 Setup\nText.')).toMatchObject([
      { type: 'heading', level: 3, text: 'B.4.6. Time zone' },
      { type: 'paragraph' },
      { type: 'heading', level: 2 },
      { type: 'paragraph' },
    ])
    expect(parseBlocks('2.1 Setup\n2.2 Use\n2.3 End')[0]).toMatchObject({ type: 'paragraph' })
  })

  test('a link of a picture is no title, a heading leaves out its link to itself, a list is no table', () => {
    const body = 'This text is long enough to make a short line above it a title, which names what it says.'
    const page = `[![top](up.gif)](#page)\n\n${body}\n\n## Use <a href="#use" class="link">¶</a>\n\n## Build [#](#build)\n\n-  ![](a.gif)  [One](#one)\n-  ![](a.gif)  [Two](#two)\n-  ![](a.gif)  [Three](#three)`
    expect(parseBlocks(page)).toMatchObject([
      { type: 'paragraph' },
      { type: 'paragraph' },
      { type: 'heading', text: '## Use …' },
      { type: 'heading', text: '## Build …' },
      { type: 'paragraph' },
    ])
  })
})

test('options without a blank line between them each have their own text', () => {
  const option = (name: string, words: string) =>
    `        --${name} <NUM>\n            ${words}\n            goes on here.\n`
  const names = ['max-depth', 'max-size', 'mmap', 'sort', 'threads', 'type']
  const text = names
    .map(
      (name) =>
        `${option(name, `Words about ${name} that`)}\n            For example, ${name} 3 is a\n            value.\n`,
    )
    .join('')
  const blocks = parseBlocks(text)
  for (const name of names) {
    const example = blocks.findIndex(
      (block) => 'text' in block && block.text.includes(`For example, ${name} `),
    )
    const heading = blocks.slice(0, example).findLast((block) => block.type === 'heading')
    expect(heading).toMatchObject({ text: expect.stringContaining(`--${name} `) as string })
  }
})
