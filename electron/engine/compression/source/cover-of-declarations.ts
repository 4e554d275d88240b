import { partCounter } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'
import type { AskedType } from '../rank/intent.ts'
import type { Chunk } from './chunk-source.ts'
import type { Definition } from './definition.ts'

/** What a declaration's value answers. */
const OF_VALUES: readonly AskedType[] = ['number', 'default', 'date', 'version', 'address']
/** A name and its literal: "LIMIT = 20", "timeout: Int = 5", "'retries' => 3", "#define SIZE 10". */
const DECLARATION =
  /(?:^|[\s(,\\])["']?[A-Za-z_$][\w$.-]*["']?\??\s*(?::\s?[\w$<>?[\], .|]{1,60})?(?:=>|:=|=|:)\s*[[{(]?\s*(?:["'`\d.-]|true\b|false\b|[A-Z_]\w+)|#\s*define\s+\w+\s+["'\d(-]/
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\s*define)|--)/
const LONGEST_LINE = 300
const LONGEST_COMMENT = 600
/** Weight of a term that is nowhere. */
const ABSENT = 0.3

/** By chunk: the share of the goal in its best declaration outside of functions, with the comment above. Undefined where no value is asked for. */
export function coverOfDeclarations(
  text: string,
  chunks: readonly Chunk[],
  definitions: readonly Definition[],
  goal: Goal,
): Float64Array | undefined {
  if (!OF_VALUES.some((type) => goal.askedTypes.has(type))) return undefined
  const count = partCounter(text, goal)
  const frequencies = new Float64Array(goal.terms.length)
  const found: { readonly chunk: number; readonly counts: readonly number[] }[] = []
  chunks.forEach((chunk, i) => {
    count(chunk.start, chunk.end).counts?.forEach((times, term) => {
      if (times > 0) frequencies[term]!++
    })
    const owner = definitions[chunk.owner]
    if (owner?.kind === 'function' && chunk.start > owner.start) return
    for (const [start, end] of declarationsIn(text, chunk)) {
      const { counts } = count(start, end)
      if (counts !== undefined) found.push({ chunk: i, counts })
    }
  })
  let mass = 0
  const weights = goal.terms.map(({ kind, weight: given }, term) => {
    if (kind === 'alike' || kind === 'order' || kind === 'joined') return 0
    const n = frequencies[term]!
    const weight = given * Math.log(1 + (chunks.length - n + 0.5) / (n + 0.5)) * (n > 0 ? 1 : ABSENT)
    mass += weight
    return weight
  })
  const covers = new Float64Array(chunks.length)
  for (const { chunk, counts } of found) {
    let sum = 0
    for (let term = 0; term < weights.length; term++) if ((counts[term] ?? 0) > 0) sum += weights[term]!
    covers[chunk] = Math.max(covers[chunk]!, sum / (mass || 1))
  }
  return covers
}

function* declarationsIn(text: string, { start, end: stop }: Chunk): Generator<readonly [number, number]> {
  let comment = -1
  for (let at = start; at < stop;) {
    const next = text.indexOf('\n', at)
    const end = next < 0 || next > stop ? stop : next
    const line = text.slice(at, Math.min(end, at + LONGEST_LINE))
    if (COMMENT.test(line)) {
      if (comment < 0) comment = at
    } else {
      if (DECLARATION.test(line)) yield [comment < 0 || at - comment > LONGEST_COMMENT ? at : comment, end]
      comment = -1
    }
    at = end + 1
  }
}
