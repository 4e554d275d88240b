import { expect, test } from 'vitest'
import { asList, findByStem } from '../../../../electron/engine/text/words/find-by-stem.ts'
import { stemOf } from '../../../../electron/engine/text/words/stem.ts'
import synonyms from '../../../../resources/words/synonyms.json' with { type: 'json' }

const list = asList(['running policies', 'went ran', 'rung policy2'])
const wordsOf = (word: string, where: 'anywhere' | 'first') =>
  findByStem(list, stemOf(word), where).map((found) => found.word)

test('words are found by the stem of any of their forms, irregular ones too', () => {
  expect(wordsOf('runs', 'anywhere').toSorted()).toEqual(['ran', 'running'])
  expect(wordsOf('gone', 'anywhere')).toEqual(['went'])
  expect(wordsOf('policy', 'anywhere')).toEqual(['policies'])
  expect(wordsOf('unknown', 'anywhere')).toEqual([])
})

test('only at the beginnings of lines, with the line', () => {
  expect(findByStem(list, stemOf('runs'), 'first')).toMatchObject([
    { word: 'running', line: 'running policies' },
  ])
})

test('every word of a long list is found by its stem', () => {
  const long = asList(synonyms.groups)
  const words = [...new Set(synonyms.groups.flatMap((group) => group.split(' ')))]
  const isFound = (word: string) =>
    findByStem(long, stemOf(word), 'anywhere').some((found) => found.word === word)
  expect(words.filter((word) => !isFound(word))).toEqual([])
})
