import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'
import { phrasesIn } from '../../../../electron/engine/compression/rank/phrases.ts'
import { stemOf } from '../../../../electron/engine/text/words/stem.ts'

const data = JSON.parse(
  readFileSync(new URL('../../../../resources/words/phrases.json', import.meta.url), 'utf8'),
) as readonly string[]
const rows = data.map((line) => line.split(': '))

describe('resources/words/phrases.json', () => {
  test('each phrase is found whole, with the words that it stands for', () => {
    for (const [phrase = '', meaning = ''] of rows) {
      expect(phrase).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)+$/)
      const [found, ...others] = phrasesIn(phrase.split(' '))
      expect(others, phrase).toEqual([])
      expect(found?.meaning, phrase).toEqual(meaning.split(' '))
    }
  })

  test('no phrase stands for a word of its own', () => {
    for (const [phrase = '', meaning = ''] of rows) {
      const own = new Set(phrase.split(' ').map((word) => stemOf(word)))
      expect(
        meaning.split(' ').filter((word) => own.has(stemOf(word))),
        phrase,
      ).toEqual([])
    }
  })
})

const meansIn = (goal: string, word: string): boolean => {
  const parsed = parseGoal(goal)
  return parsed.termsOf(word).some((id) => parsed.terms[id]?.kind === 'synonym')
}

test('a phrase is found in any of its forms and around fillers', () => {
  expect(meansIn('which plugins were turned off', 'disabled')).toBe(true)
  expect(meansIn('who turned it off', 'disabled')).toBe(true)
  expect(meansIn('which plugins turn blue and get off', 'disabled')).toBe(false)
})

test('the longest phrase counts, and its words have no synonyms of their own', () => {
  expect(phrasesIn('it ran out of memory'.split(' ')).map(({ text }) => text)).toEqual([
    ['run', 'out', 'memory'].map((word) => stemOf(word)).join(' '),
  ])
  expect(meansIn('what ran out of memory', 'oom')).toBe(true)
  expect(meansIn('what ran out of memory', 'execute')).toBe(false)
  expect(meansIn('what ran yesterday', 'execute')).toBe(true)
})
