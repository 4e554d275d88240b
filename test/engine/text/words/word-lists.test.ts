import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'
import { foldWord } from '../../../../electron/engine/text/words/char-classes.ts'
import { wordsOf } from '../../../../electron/engine/text/words/scan-words.ts'
import { stemOf } from '../../../../electron/engine/text/words/stem.ts'
import {
  isUnspaced,
  LANGUAGES,
  patternOf,
  wordSet,
} from '../../../../electron/engine/text/words/word-lists.ts'

interface Row {
  readonly words: string
  readonly example?: string
  readonly counter?: string
}

const rowsOf = (name: string): [string, Row][] =>
  Object.entries(
    JSON.parse(
      readFileSync(new URL(`../../../../resources/words/${name}.json`, import.meta.url), 'utf8'),
    ) as Record<string, Row>,
  )

const spacedFor = (language: string, text: string): string =>
  isUnspaced(language) ? text.toLowerCase() : ` ${wordsOf(text).map(foldWord).join(' ')} `

/** Rows that are no patterns. */
const SETS = new Set(['function', 'frame', 'light', 'est', 'endings', 'letters', 'shared'])

describe.each(LANGUAGES)('words of %s', (language) => {
  const rows = rowsOf(language)

  test('every pattern finds its example and not its counter-example', () => {
    for (const [role, { example = '', counter }] of rows) {
      if (SETS.has(role)) continue
      const pattern = patternOf(language, role)
      expect(spacedFor(language, example), `${role}: ${example}`).toMatch(pattern ?? /^$/)
      if (counter !== undefined)
        expect(spacedFor(language, counter), `${role}: ${counter}`).not.toMatch(pattern ?? /^/)
    }
  })

  test('function words tell the language and are no content', () => {
    const row = rows.find(([role]) => role === 'function')?.[1]
    const goal = parseGoal(row?.example ?? '')
    expect(goal.language).toBe(language)
    expect(goal.words).toEqual(
      (row?.counter ?? '').split(' ').map((word) => (isUnspaced(language) ? word : foldWord(word))),
    )
  })

  test('words with the same base have one stem', () => {
    const row = rows.find(([role]) => role === 'endings')?.[1]
    if (row === undefined) return
    for (const pair of (row.example ?? '').split(' · ')) {
      const [one = '', other = ''] = pair.split(' ').map(foldWord)
      expect(stemOf(one, language), pair).toBe(stemOf(other, language))
    }
    const [one = '', other = ''] = (row.counter ?? '').split(' ').map(foldWord)
    expect(stemOf(one, language)).not.toBe(stemOf(other, language))
  })

  test('more function words change nothing', () => {
    if (isUnspaced(language) || language === 'en') return
    const row = rows.find(([role]) => role === 'function')?.[1]
    const goal = parseGoal(row?.example ?? '')
    const more = [...wordSet(language, 'function')].filter((word) => word.length > 1).slice(0, 12)
    expect(parseGoal(`${row?.example} ${more.join(' ')}`).words).toEqual(goal.words)
  })
})

test('every unit has an example', () => {
  for (const [name, row] of rowsOf('units')) {
    const { units = '' } = row as Row & { units?: string }
    for (const word of units.split(' '))
      expect(parseGoal(row.example ?? '').unitWords.has(word), name).toBe(true)
    expect([...parseGoal(row.counter ?? '').unitWords]).not.toEqual(expect.arrayContaining(units.split(' ')))
  }
})
