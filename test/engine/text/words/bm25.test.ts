import { describe, expect, test } from 'vitest'
import { bm25, type Scorable } from '../../../../electron/engine/text/words/bm25.ts'
import { countTerms } from '../../../../electron/engine/text/words/count-terms.ts'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'

const goal = parseGoal('red tractor')
const units = (...texts: string[]): Scorable[] => texts.map((text) => countTerms(text, goal))
const scores = (list: readonly Scorable[]) => [...bm25(list, goal).scores]

describe('bm25', () => {
  test('rare words weigh more than frequent ones', () => {
    const [rare = 0, frequent = 0] = scores(
      units('tractor here', 'red here', 'red there', 'red more', 'nothing'),
    )
    expect(rare).toBeGreaterThan(frequent)
  })

  test('shorter texts win where words are equal', () => {
    const [short = 0, long = 0] = scores(
      units('a tractor', `a tractor ${'and other words '.repeat(20)}`, 'none'),
    )
    expect(short).toBeGreaterThan(long)
  })

  test('a word in the context counts, for less than in the unit itself', () => {
    const [own, , other] = units('tractor', 'tractor', 'field')
    const list = [own, { ...other, context: own?.counts }, other].filter(
      (unit) => unit !== undefined,
    ) as Scorable[]
    const [inside = 0, above = 0, nowhere = 0] = scores(list)
    expect(inside).toBeGreaterThan(above)
    expect(above).toBeGreaterThan(nowhere)
  })

  test('a synonym counts for more where the word itself is nowhere', () => {
    const asked = parseGoal('remove')
    const scoreOf = (...texts: string[]) =>
      bm25(
        texts.map((text) => countTerms(text, asked)),
        asked,
      ).scores[0] ?? 0
    expect(scoreOf('delete it', 'other')).toBeGreaterThan(2 * scoreOf('delete it', 'remove it'))
  })

  test('no units, no score', () => {
    expect(scores([])).toEqual([])
  })
})
