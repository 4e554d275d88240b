import { describe, expect, test } from 'vitest'
import { readRecords } from '../../../../electron/engine/compression/records/read-records.ts'
import { scoreOutline } from '../../../../electron/engine/compression/records/score-outline.ts'
import { recordsStrategy } from '../../../../electron/engine/compression/strategies/records.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import { sourceOf } from '../../../../electron/engine/text/tree/json-document.ts'

const outline = (lines: readonly string[], budget: number): string =>
  recordsStrategy.compress({ text: lines.join('\n'), goal: undefined, budget })?.text ?? ''

/** The worth of the first value whose source has `words`, without a goal. */
function worthIn(lines: readonly string[]): (words: string) => number {
  const reading = readText(lines.join('\n'))
  if (reading === undefined) throw new Error('The sample has no records.')
  const leaves = findLeaves(reading.document)
  const read = readRecords(leaves)
  const scores = scoreOutline(read, reading.commentedOut)
  const sources = Array.from(read.items.leafOf, (leaf) => sourceOf(leaves.document, leaves.nodes[leaf] ?? 0))
  return (words) => scores[sources.findIndex((source) => source.includes(words))] ?? Number.NaN
}

describe('settings without a goal', () => {
  const inForce = ['port = 5480', 'zone = north', 'spindles = 14', 'ledger = daily']
  const off = Array.from(
    { length: 120 },
    (_, n) => `#${'abcdefgh'[n % 8]}option${n} = 'error or a failed step of part ${n}'`,
  )
  const lines = inForce.flatMap((setting, i) => [...off.slice(30 * i, 30 * i + 30), setting])

  test('what is in force comes before defaults behind the sign of a comment', () => {
    const shown = outline(['# Settings of the mill', ...lines], 220)
    for (const setting of inForce) expect(shown).toContain(setting)
  })

  test('a file without settings in force shows those that are off', () => {
    expect(outline(['# Settings of the mill', ...off], 300).match(/^#\w+option/gm)?.length).toBeGreaterThan(5)
  })

  test('a comment about failures is not a failure', () => {
    const settings = Array.from({ length: 12 }, (_, n) => `part${n}.size = ${n * 7}`)
    const worth = worthIn([
      '# Settings of the mill',
      '',
      '# The steps write a fatal error.',
      ...settings,
      '',
      '# The steps write a daily ledger.',
      'last = 8',
    ])
    expect(worth('fatal error')).toBeLessThanOrEqual(worth('daily ledger'))
  })
})

test('descriptions that speak of errors are worth less than a state that does', () => {
  const about = ['moves grain', 'grinds flour', 'sieves bran', 'weighs sacks']
  const rows = Array.from(
    { length: 90 },
    (_, n) =>
      `part-${n},${n % 12 === 5 ? 'finds errors' : about[n % 4]} of unit ${n},${n === 71 ? 'failed' : 'ok'}`,
  )
  const worth = worthIn(['name,about,state', ...rows])
  expect(worth('failed')).toBeGreaterThan(worth('finds errors of unit 17') + 2)
})
