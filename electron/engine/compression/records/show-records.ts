import type { Reading } from '../../text/readers/reading.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import { groupByPath } from '../../text/tree/columns.ts'
import { findLeaves } from '../../text/tree/find-leaves.ts'
import { parseGoal } from '../rank/goal.ts'
import { fitGoal } from '../tree/fit-goal.ts'
import { sayOmitted } from '../tree/say-omitted.ts'
import { fitPrefix } from './fit-prefix.ts'
import { findItems } from './items.ts'
import { createLeafTexts } from './leaf-texts.ts'
import { findNaming } from './naming.ts'
import { orderItems } from './order.ts'
import { prepareFeatures, scoreItems } from './rank-records.ts'

/** First token reserve for what is said of omissions. */
const RESERVE = 20
const ATTEMPTS = 3

export interface ShownRecords {
  readonly text: string
  readonly omitted: string
}

/** The leaves that fit the goal best, below what names them. Text and omissions share `budget` tokens. */
export function showRecords(reading: Reading, goal: string, budget: number): ShownRecords | undefined {
  const { document } = reading
  const leaves = findLeaves(document, reading.format === 'json')
  const columns = groupByPath(leaves)
  const items = findItems(leaves)
  const naming = findNaming(leaves, columns)
  const fitted = fitGoal(parseGoal(goal), document)
  const scores = scoreItems(prepareFeatures(items, columns, naming, fitted, reading.comments))
  const texts = createLeafTexts(reading, items)
  let reserve = RESERVE
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const steps = orderItems({ items, naming, scores, isTable: reading.format === 'table' })
    const shown = fitPrefix({ items, steps, budget: budget - reserve, print: reading.print, texts })
    if (shown === undefined) return undefined
    const omitted = sayOmitted(leaves, shown.chosen, shown.shortened)
    const said = countTokens(omitted)
    if (shown.tokens + said <= budget) return { text: shown.text, omitted }
    reserve = said + 2
  }
  return undefined
}
