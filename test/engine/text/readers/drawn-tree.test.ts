import { expect, test } from 'vitest'
import { drawnTreeReader } from '../../../../electron/engine/text/readers/drawn-tree.ts'
import { NODE, valueOf } from '../../../../electron/engine/text/tree/json-document.ts'

const packages = `app@1.0.0
├─┬ server@2.1.0
│ ├── log@3.0.0
│ └─┬ router@1.2.0
│   └── path-match@0.1.7
├── ui@4.0.0
└── zip@1.1.1`

const read = (text: string) => {
  const reading = drawnTreeReader.read(text)
  if (reading === undefined) throw new Error('no tree')
  return reading
}
/** What is printed of the lines with these words. */
const shown = (text: string, words: readonly string[]) => {
  const reading = read(text)
  const { document } = reading
  const chosen = [...document.kinds.keys()].filter(
    (node) => document.kinds[node] === NODE.text && words.includes(valueOf(document, node)),
  )
  return reading.print(chosen, (node) => valueOf(document, node)).split('\n')
}

test('a chosen line is below its parents, whatever draws the tree', () => {
  const wanted = ['app@1.0.0', '  server@2.1.0', '    router@1.2.0', '      path-match@0.1.7']
  const forms = [
    packages,
    packages.replace(
      /[│├└─┬]/g,
      (sign) => ({ '│': '|', '├': '+', '└': '\\', '─': '-', '┬': '-' })[sign] ?? '',
    ),
    packages.replace(/^/gm, '[INFO] '),
  ]
  for (const text of forms) expect(shown(text, ['path-match@0.1.7'])).toEqual(wanted)
})

test('a line says how many lines below it are hidden', () => {
  expect(shown(packages, ['server@2.1.0', 'ui@4.0.0'])).toEqual([
    'app@1.0.0',
    '  server@2.1.0 … 3 below',
    '  ui@4.0.0',
  ])
})

test('the details of a plan are below their step', () => {
  const plan = `Hash Join
  Hash Cond: (a.id = b.id)
  ->  Seq Scan on a
  ->  Hash
        Buckets: 1024
        ->  Seq Scan on b
              Filter: (size > 3)`
  expect(shown(plan, ['Filter: (size > 3)'])).toEqual([
    'Hash Join',
    '  Hash',
    '    Seq Scan on b',
    '      Filter: (size > 3)',
  ])
})

test.each([
  ['a table', '+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n| 3 | 4 |\n+---+---+'],
  ['a list', '- a\n- b\n- c\n- d\n- e\n- f'],
  ['a history', '* 1a2b one\n| * 2b3c two\n|/\n* 3c4d three\n* 4d5e four\n* 5e6f five'],
])('%s is none', (_, text) => {
  expect(drawnTreeReader.read(text)).toBeUndefined()
})
