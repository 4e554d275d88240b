import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'
import { codeWordsOf, hintsOf, synonymsOf } from '../../../../electron/engine/compression/rank/synonyms.ts'

const data = JSON.parse(
  readFileSync(new URL('../../../../resources/words/synonyms.json', import.meta.url), 'utf8'),
) as { readonly groups: readonly string[]; readonly code: readonly string[] }

describe('resources/words/synonyms.json', () => {
  test('each row has at least two different words, and no row is part of another', () => {
    const rows = data.groups.map((group) => new Set(group.split(' ')))
    for (const [i, row] of rows.entries()) {
      expect(data.groups[i]).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)+$/)
      expect(row.size).toBe(data.groups[i]?.split(' ').length)
      const larger = rows.filter((other, k) => k !== i && row.isSubsetOf(other))
      expect(larger, data.groups[i]).toEqual([])
    }
  })

  test('each word of a row finds the others', () => {
    for (const group of data.groups) {
      const words = group.split(' ')
      for (const word of words)
        expect([...synonymsOf(word)]).toEqual(expect.arrayContaining(words.filter((each) => each !== word)))
    }
  })

  test('words of programmers are found in goals about source code only', () => {
    for (const group of data.code) {
      expect(group).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)+$/)
      const words = group.split(' ')
      for (const word of words)
        expect([...codeWordsOf(word)]).toEqual(expect.arrayContaining(words.filter((each) => each !== word)))
    }
    expect(parseGoal('the stack grows', true).termsOf('lifo')).not.toEqual([])
    expect(parseGoal('the stack grows').termsOf('lifo')).toEqual([])
  })

  test('a hint points from a question to its answer, not back', () => {
    expect([...hintsOf('who')]).toContain('author')
    expect([...hintsOf('author')]).not.toContain('who')
  })
})

test("a word's synonyms are one term, and words of order have none", () => {
  const { terms } = parseGoal('the biggest folder')
  expect(terms.filter(({ kind }) => kind === 'synonym').map(({ text }) => text)).toEqual(['folder~'])
  const wide = parseGoal('remove the folder')
  const [remove] = wide.termsOf('delete')
  expect(remove).toBeDefined()
  expect(wide.termsOf('purge')).toContain(remove)
  expect(wide.termsOf('directory')).not.toContain(remove)
})
