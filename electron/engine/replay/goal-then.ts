import { goalOfCall, requestOfCall } from '../message/goal-of-call.ts'
import { stringIn, type JsonObject } from '../protocol/json-rpc.ts'

/** What the user asked, from their latest prompts and the words of a command. */
export type RequestOf = (prompts: readonly string[], words: string | undefined) => string | undefined

export interface GoalThen {
  readonly goal: string | undefined
  readonly request: string | undefined
}

/** What was known of the goal when the result came, as for a live call. */
export function goalThen(prompts: readonly string[], input: JsonObject, requestOf: RequestOf): GoalThen {
  const command = stringIn(input, 'command') || undefined
  const call = {
    goal: stringIn(input, '_sluice_goal') || undefined,
    arguments: input,
    request: requestOf(prompts, command),
  }
  return { goal: goalOfCall(call), request: requestOfCall(call) }
}
