import { describe, expect, test } from 'vitest'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'

describe('the order that a goal asks for', () => {
  test.each([
    ['the highest mountain', 'max', 'number', true],
    ['the steepest slope', 'max', 'number', true],
    ['peak of memory', 'max', 'number', false],
    ['least busy worker', 'min', 'number', true],
    ['the newest release', 'max', 'date', true],
    ['the oldest release', 'min', 'date', true],
    ['the eldest player', 'min', 'date', true],
    ['the last line', 'max', 'place', true],
    ['Quel est le plus petit fichier ?', 'min', 'number', true],
    ['самый большой файл', 'max', 'number', true],
    ['la consulta más larga', 'max', 'number', true],
    ['die längste Abfrage', 'max', 'number', true],
    ['最長のクエリ', 'max', 'number', true],
    ['Wann war das Konto am weitesten im Minus?', 'min', 'number', true],
    ['le compte le plus à découvert', 'min', 'number', true],
  ] as const)('%s', (text, end, of, isCertain) => {
    expect(parseGoal(text).order).toEqual({ end, of, isCertain })
  })

  test.each(['which test fails', 'the manifest of a request', 'at least 3 replicas', 'more than 500 rows'])(
    '%s: none',
    (text) => expect(parseGoal(text).order).toBeUndefined(),
  )

  test('another word for the same end changes only that term', () => {
    const shape = (text: string) => {
      const { order, words, terms } = parseGoal(text)
      const rest = words.filter((word) => word !== text.split(' ')[1])
      return { order, rest, kept: terms.filter(({ kind }) => kind === 'stem').map(({ text: term }) => term) }
    }
    for (const word of ['largest', 'biggest', 'greatest', 'maximum', 'hugest'])
      expect(shape(`the ${word} pod by memory`)).toEqual(shape('the highest pod by memory'))
  })
})

test.each([
  ['more than 500 rows', '>', 500],
  ['at least 3 replicas', '>=', 3],
  ['over 2.5 seconds', '>', 2.5],
  ['fewer than 1,200 rows', '<', 1200],
  ['latency <= 20', '<=', 20],
  ['plus de 500 lignes', '>', 500],
  ['500行を超えるもの', '>', 500],
] as const)('"%s" compares', (text, operator, value) => {
  expect(parseGoal(text).comparisons).toMatchObject([{ operator, value }])
})

test('a limit has its unit, where it is one of time or size', () => {
  expect(parseGoal('slower than 2.5 seconds').comparisons).toEqual([
    { operator: '>', value: 2.5, unit: 'seconds' },
  ])
  expect(parseGoal('more than 500 rows').comparisons).toEqual([{ operator: '>', value: 500 }])
})

test('a question tells the type of its answer and the unit of its measure', () => {
  expect([...parseGoal('how many pods run').askedTypes]).toEqual(['number'])
  expect([...parseGoal('why does it restart').askedTypes]).toEqual(['reason'])
  expect([...parseGoal('où est le fichier').askedTypes]).toEqual(['path'])
  expect(parseGoal('the slowest query').unitWords.has('ms')).toBe(true)
  expect(parseGoal('what takes most room').unitWords.has('bytes')).toBe(true)
  expect(parseGoal('the largest file').unitWords.has('ms')).toBe(false)
})

test.each([
  ['combien de paquets a chaque licence', true],
  ['how many packages are there', false],
])('"%s" asks for counts of each: %s', (text, asksForEach) => {
  expect(parseGoal(text)).toMatchObject({ asksForEach })
})

test.each(['pytest', 'vitest', 'doctest', 'speedtest'])('%s is a name, no superlative', (tool) => {
  expect(parseGoal(`${tool} version`).order).toBeUndefined()
})
