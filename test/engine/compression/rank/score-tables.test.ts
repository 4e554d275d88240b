import { expect, test } from 'vitest'
import { makeUnits } from '../../../../electron/engine/text/blocks/make-units.ts'
import { parseBlocks } from '../../../../electron/engine/text/blocks/parse-blocks.ts'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'
import { scoreUnits } from '../../../../electron/engine/compression/rank/score-units.ts'

const harbours = ['Amsund', 'Borvik', 'Cravel', 'Dunmoor', 'Eskel', 'Farnby', 'Gaunt', 'Hollin']
const table = `# Harbours

| Name | Berths |
|---|---|
${harbours.map((name, i) => `| ${name} | ${20 + ((i * 7) % 11)} |`).join('\n')}
`

const bestRows = (goal: string): readonly string[] => {
  const document = makeUnits(parseBlocks(table))
  const values = scoreUnits(document, parseGoal(goal))
  return document.units
    .map(({ role, text }, i) => ({ role, text, value: values[i] ?? 0 }))
    .filter(({ role }) => role === 'row')
    .sort((a, b) => b.value - a.value)
    .map(({ text }) => harbours.find((name) => text.includes(name)) ?? '')
}

test('the rows beside a named one come next where the goal asks what is before or after it', () => {
  expect(bestRows('which harbour comes just before Eskel?').slice(0, 3).toSorted()).toEqual([
    'Dunmoor',
    'Eskel',
    'Farnby',
  ])
})

test('without such a word the named row alone comes first', () => {
  const [first, ...rest] = bestRows('how many berths does Eskel have?')
  expect(first).toBe('Eskel')
  expect(rest[0]).toBe('Amsund')
})

test('the row at the end of a column that the goal asks for comes first', () => {
  const [first] = bestRows('which harbour has the most berths?')
  expect(first).toBe('Dunmoor')
  expect(bestRows('the least berths?')[0]).toBe('Amsund')
})
