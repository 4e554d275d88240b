import { describe, expect, test } from 'vitest'
import { tableStrategy } from '../../../../electron/engine/compression/strategies/table.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const rivers = Array.from({ length: 120 }, (_, i) => ({
  name: `River ${String.fromCodePoint(65 + (i % 26))}${i}`,
  length: 100 + ((i * 7919) % 900),
  year: 1700 + ((i * 37) % 300),
  state: i === 77 ? 'Polluted' : 'Clean',
}))
const header = ['Name', 'Length (km)', 'First mapped', 'State']
const cells = rivers.map((river) => [river.name, String(river.length), String(river.year), river.state])
const csv = [header, ...cells].map((row) => row.join(',')).join('\n')
const tsv = csv.replaceAll(',', '\t')
const aligned = [header, ...cells].map((row) => row.map((cell) => cell.padEnd(16)).join('')).join('\n')
const markdown = [
  `| ${header.join(' | ')} |`,
  '|---|---|---|---|',
  ...cells.map((row) => `| ${row.join(' | ')} |`),
].join('\n')
const quoted = [header, ...cells.map((row) => [`"${row[0]}, ""the wet"""`, ...row.slice(1)])]
  .map((row) => row.join(','))
  .join('\r\n')

describeStrategyContract(tableStrategy, {
  texts: [csv, tsv, aligned, markdown, quoted],
  goals: ['which river is the longest', 'length of River D29', 'anything unusual?'],
})

describe.each(Object.entries({ csv, tsv, aligned, markdown }))('table as %s', (_, text) => {
  const compress = (goal: string | undefined, budget = 150) =>
    tableStrategy.compress({ text, goal, budget })?.text ?? ''
  const longest = rivers.reduce((a, b) => (b.length > a.length ? b : a))
  const oldest = rivers.reduce((a, b) => (b.year < a.year ? b : a))

  test('keeps the row that is asked for, under the header', () => {
    const short = compress('How long is River D29?')
    expect(short).toContain('River D29')
    expect(short).toMatch(/Name.*Length \(km\).*First mapped.*State/)
  })

  test('keeps the extremes of the column that a superlative asks for', () => {
    expect(compress('which river has the greatest length in km')).toContain(longest.name)
    expect(compress('which river was first mapped earliest')).toContain(oldest.name)
  })

  test('keeps the one row unlike the rest when something unusual is asked for', () => {
    expect(compress('is there anything unusual?')).toContain('Polluted')
  })

  test('says how many rows are missing', () => {
    const output = tableStrategy.compress({ text, goal: 'River D29', budget: 150 })
    expect(output?.omitted).toMatch(/^1\d\d of 120 rows/)
  })
})

describe('table: rows beside and like the one that is named', () => {
  const presidents = Array.from(
    { length: 60 },
    (_, i) => `${i + 1},Person ${String.fromCodePoint(65 + (i % 26))}${i},${1800 + i * 4},${(i * 7) % 23}`,
  )
  const text = ['No,Name,Elected,Votes', ...presidents].join('\n')
  const compress = (goal: string) => tableStrategy.compress({ text, goal, budget: 90 })?.text ?? ''

  test('after and before', () => {
    expect(compress('who came right after Person D29?')).toContain('Person E30')
    expect(compress('who was there before Person D29?')).toContain('Person C28')
  })

  test('the same value', () => {
    // 29 * 7 % 23 = 19 = 6 * 7 % 23
    expect(compress('who had the same number of votes as Person D29?')).toContain('Person G6')
  })

  test('a decade stands for its years', () => {
    expect(compress("who was elected in the 1990's?")).toMatch(/Person \w+,199\d/)
  })
})

test('long cells that the goal does not ask for are cut, so that more rows fit', () => {
  const note = 'a note that goes on and on without saying anything of interest to anybody at all '.repeat(6)
  const text = ['name,size,notes', ...Array.from({ length: 40 }, (_, i) => `item${i},${i * 3},${note}`)].join(
    '\n',
  )
  const short = tableStrategy.compress({ text, goal: 'size of item31', budget: 120 })?.text ?? ''
  expect(short).toMatch(/item31,93,a note that goes on[^\n]*…/)
  expect(tableStrategy.compress({ text, goal: 'notes of item31', budget: 150 })?.text).toContain(note.trim())
})
