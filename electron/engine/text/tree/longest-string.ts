import { lengthOf } from './find-leaves.ts'
import type { JsonLeaves } from './find-leaves.ts'

/** Characters that one value may have when there are many to show. */
const USUAL = 1200
const PER_TOKEN_OF_ONE = 2
/** Characters per token of prose inside of JSON, on the low side. */
const PER_TOKEN = 3.2

/**
 * How many characters of a string are printed at the most: some where many values compete, all the room there is where
 * a few long texts are most of the document.
 */
export function longestShown(leaves: JsonLeaves, budget: number): number {
  const room = budget * PER_TOKEN
  const usual = Math.min(USUAL, budget * PER_TOKEN_OF_ONE)
  const long: number[] = []
  let rest = 0
  for (let leaf = 0; leaf < leaves.count && rest < room; leaf++) {
    const length = lengthOf(leaves, leaf)
    if (length > usual) long.push(length)
    rest += Math.min(length, usual) + 10
  }
  if (rest >= room || long.length === 0) return usual
  // Shares the room out: what short ones leave goes to the longer ones.
  let left = room - (rest - long.length * usual)
  long.sort((a, b) => a - b)
  for (const [index, length] of long.entries()) {
    const share = left / (long.length - index)
    if (length > share) return Math.floor(share)
    left -= length
  }
  return long.at(-1) ?? usual
}
