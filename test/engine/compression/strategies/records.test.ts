import { describe, expect, test } from 'vitest'
import { recordsStrategy } from '../../../../electron/engine/compression/strategies/records.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const machines = Array.from(
  { length: 60 },
  (_, n) => `m-${n};${n % 5};${n === 17 ? 'failed' : 'running'};${100 + n}`,
)
const table = ['machine;room;state;size', ...machines].join('\n')
const settings = Array.from(
  { length: 90 },
  (_, n) => `[part-${n}]\nport = ${8000 + n}\npath = /srv/${n}\n`,
).join('\n')

describeStrategyContract(recordsStrategy, {
  texts: [table, settings],
  goals: ['size of m-31', 'port of part-40'],
})

describe('records', () => {
  const compress = (text: string, goal: string | undefined, budget: number): string =>
    recordsStrategy.compress({ text, goal, budget })?.text ?? ''

  test('the record that is asked for, below its header or section', () => {
    expect(compress(table, 'size of m-31', 80)).toMatch(
      /^machine;room;state;size\n(?:.*\n)*m-31;1;running;131/,
    )
    expect(compress(settings, 'port of part-40', 80)).toMatch(/\[part-40\]\nport = 8040/)
  })

  test('lines that are no table, but read like one, keep their blanks', () => {
    const dump = Array.from(
      { length: 200 },
      (_, n) => `GRANT SELECT ON users_${n} TO name${n} WITH ${n % 3 === 0 ? 'free' : 'pro'} OPTION;`,
    )
    const shown = compress(dump.join('\n'), undefined, 200).split('\n')
    expect(shown.length).toBeGreaterThan(3)
    for (const line of shown) expect(dump).toContain(line)
  })

  test('a failing record, without a goal', () => {
    expect(compress(table, undefined, 150)).toContain('m-17;2;failed;117')
  })

  test('text without records is left to others', () => {
    expect(
      recordsStrategy.compress({
        text: 'A sentence, and no records at all; it goes on.\nAnother one.\n\n'.repeat(9),
        goal: undefined,
        budget: 100,
      }),
    ).toBeUndefined()
  })
})

test('a paragraph of keys is shown with its first line, also where another field names it better', () => {
  const text = Array.from({ length: 24 }, (_, n) =>
    [
      `Plant: ${['aster', 'borage', 'clover'][n % 3]}`,
      'State: growing well',
      `Height: ${n * 7 + 12}`,
      `File: beds/row-${n}/${['aster', 'borage', 'clover'][n % 3]}_${n}.txt`,
    ].join('\n'),
  ).join('\n\n')
  const shown = recordsStrategy.compress({ text, goal: 'largest height', budget: 150 })?.text ?? ''
  const paragraphs = shown.split('\n\n').filter((part) => part.includes('Height:'))
  expect(paragraphs.length).toBeGreaterThan(1)
  for (const each of paragraphs) expect(each).toMatch(/^Plant: /)
})
