import { countTokens } from '../text/tokens/count-tokens.ts'
import { firstTokens } from '../text/tokens/first-tokens.ts'
import { keyOf } from './specific-strings.ts'
import type { Shortened, Shortener } from './shortener.ts'

const MARK = '\n[…]\n'

const counted = (text: string): Shortened => ({ text, tokens: countTokens(text) })

/** What apps do themselves: the beginning and the end, at the size of Sluice's form. */
export const headAndTail: Shortener = {
  name: 'beginning and end',
  shorten: ({ text }, own) => {
    if (!own) return undefined
    const half = Math.floor(own.tokens / 2)
    const head = firstTokens(text, half)
    // As many characters of the end as its share of the tokens.
    return counted(`${head}${MARK}${text.slice(-Math.max(1, head.length))}`)
  },
}

/** Lines at random, at the size of Sluice's form: what is held by chance. Equal for the same text. */
export const randomLines: Shortener = {
  name: 'lines by chance',
  shorten: ({ text }, own) => {
    if (!own) return undefined
    const lines = text.split('\n')
    const order = lines
      .map((line, index) => ({ index, rank: keyOf(`${index} ${line}`, 0, 60) % 1_000_003 }))
      .toSorted((one, other) => one.rank - other.rank)
    const chosen = new Set<number>()
    let room = own.tokens
    for (const { index } of order) {
      const size = countTokens(lines[index] ?? '') + 1
      if (size > room) continue
      chosen.add(index)
      room -= size
      if (room < 8) break
    }
    return counted(lines.filter((_, index) => chosen.has(index)).join('\n'))
  },
}
