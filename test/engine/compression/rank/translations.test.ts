import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'
import { englishOf, englishWithin } from '../../../../electron/engine/compression/rank/translations.ts'
import { foldWord } from '../../../../electron/engine/text/words/char-classes.ts'
import { isUnspaced, LANGUAGES } from '../../../../electron/engine/text/words/word-lists.ts'

const data = JSON.parse(
  readFileSync(new URL('../../../../resources/words/translations.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, string>>>>

describe('resources/words/translations.json', () => {
  test('has every language that goals are read in, but English', () => {
    expect(Object.keys(data).toSorted()).toEqual(LANGUAGES.filter((each) => each !== 'en').toSorted())
  })

  test.each(Object.keys(data))('each word of %s finds its English words', (language) => {
    const rows = Object.entries(data[language] ?? {}).flatMap(([english, words]) =>
      words.split(' ').map((word) => ({ word, english })),
    )
    for (const { word, english } of rows) {
      expect(english, word).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)*$/)
      const found = isUnspaced(language)
        ? englishWithin(word, language).flatMap(([, words]) => words)
        : englishOf(foldWord(word), language)
      expect(found, word).toEqual(expect.arrayContaining(english.split(' ')))
    }
  })
})

const finds = (goal: string, word: string): boolean => {
  const parsed = parseGoal(goal)
  return parsed.termsOf(word).some((id) => parsed.terms[id]?.kind === 'synonym')
}

test.each([
  ['welcher Server ist abgestürzt', 'crashed'],
  ['wie viel Speicherplatz ist noch frei', 'disk'],
  ['quelle est la version du paquet', 'packages'],
  ['¿por qué falló la conexión?', 'connection'],
  ['почему упал сервер', 'crash'],
  ['hangi sunucunun bağlantısı koptu', 'server'],
  ['どのパッケージのバージョンか', 'version'],
  ['哪个服务器崩溃了', 'crash'],
])('"%s" also searches for "%s"', (goal, word) => {
  expect(finds(goal, word)).toBe(true)
})

test('the longest known word at the beginning or the end of a longer one counts', () => {
  expect(englishOf('bankkonto', 'de')).toEqual(englishOf('konto', 'de'))
  expect(englishOf('kontoregisseur', 'de')).toEqual(englishOf('regisseur', 'de'))
})

test('a word of the language itself counts as itself, and English goals have no translations', () => {
  const parsed = parseGoal('welche Fehler hat das Programm')
  expect(parsed.termsOf('fehler').map((id) => parsed.terms[id]?.kind)).toContain('stem')
  expect(englishOf('fehler', 'en')).toEqual([])
})
