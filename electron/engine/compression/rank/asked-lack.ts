import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { type Goal, parseGoal } from './goal.ts'
import { softenDenied } from './soften-denied.ts'

/** A goal as it is to be understood of this text. */
export function goalFor(goal: string, { document }: JsonLeaves): Goal {
  return softenDenied(parseGoal(goal), document.text)
}
