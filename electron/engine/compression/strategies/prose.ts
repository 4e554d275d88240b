import { allocate } from '../allocate.ts'
import { bm25 } from '../relevance/bm25.ts'
import { countTerms } from '../relevance/count-terms.ts'
import { parseGoal } from '../relevance/goal.ts'
import type { Strategy } from '../strategy.ts'

/** Paragraphs that fit the goal; without one, the first of them. */
export const proseStrategy: Strategy = {
  name: 'prose',
  kinds: ['prose', 'markdown', 'html', 'table', 'log', 'code', 'diff', 'file-list', 'test-report', 'json'],
  compress({ text, goal, budget, lossless }) {
    if (lossless === true) return undefined
    const parts = text.split(/\n+/).filter((part) => part.trim() !== '')
    const query = goal === undefined ? undefined : parseGoal(goal)
    const scores =
      query === undefined
        ? undefined
        : bm25(
            parts.map((part) => countTerms(part, query)),
            query,
          ).scores
    const units = parts.map((part, i) => ({
      text: part,
      value: (scores?.[i] ?? 1) + 0.001 * (1 - i / parts.length),
    }))
    const result = allocate(units, { budget: budget - 10 })
    if (result.taken.length === 0) return undefined
    return {
      text: result.text,
      omitted: `${parts.length - result.taken.length} of ${parts.length} paragraphs`,
      lossless: false,
    }
  },
}
