import { expect, it } from 'vitest'
import { logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'
import { readKinds } from '../../../../electron/engine/compression/lines/read-kinds.ts'

const countsOf = (lines: readonly string[]): number[] =>
  readKinds(lines.join('\n')).kinds.map(({ count }) => count)

it('lines that differ in one word are of one kind', () => {
  const users = ['ann', 'bob', 'cleo', 'dora', 'emil']
  expect(countsOf(users.map((user) => `session of ${user} is closed now`))).toEqual([5])
})

it('a unit is no word that lines share: their names tell them apart', () => {
  const names = ['MemTotal', 'MemFree', 'Buffers', 'Cached', 'Dirty', 'Mapped']
  expect(countsOf(names.map((name, i) => `${name}:   ${i * 77_000} kB`))).toEqual(names.map(() => 1))
})

it('a kind whose lines share no word is told by one of them', () => {
  const lines = Array.from({ length: 90 }, (_, i) => `   [${i}]: KB${2_849_600 + i * 7}`)
  const text = [
    'Hotfix(s):   90 Hotfix(s) Installed.',
    ...lines,
    'Network Card(s):   5 NIC(s) Installed.',
  ].join('\n')
  expect(logStrategy.compress({ text, goal: undefined, budget: 120 })?.text).toMatch(
    /×\d+ .*like +\[0\]: KB2849600/,
  )
})
