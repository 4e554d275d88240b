import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ToolCall } from './call.ts'

/** What a call looks for … */
const telling =
  /^(q|query|queries|question|questions|search|search_?terms?|terms?|text|pattern|regex|keywords?|topics?|filter|find|prompt|goal|title|symbol|selector|subject)$/i

/** … or only where. */
const locating = /^(path|file|file_?path|file_?name|name|uri|url)$/i

const LONGEST_GOAL = 400

function goalOfArguments(args: JsonObject | undefined): string | undefined {
  const goal = wordsUnder(args, telling) || wordsUnder(args, locating).replace(/\S*[\\/]/g, '')
  return goal === '' ? undefined : goal
}

function wordsUnder(args: JsonObject | undefined, names: RegExp): string {
  const words = Object.entries(args ?? {}).flatMap(([key, value]) => {
    if (!names.test(key)) return []
    if (typeof value === 'string') return [value]
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
  })
  return words.join(' ').slice(0, LONGEST_GOAL).trim()
}

/** Of a path or URI: lower case, without a dot. */
export const endingOf = (path: string): string | undefined =>
  /\.([a-z\d]{1,10})(?:[?#]\S*)?$/i.exec(path.slice(-LONGEST_GOAL))?.[1]?.toLowerCase()

/** Of the one file that a call's arguments name; undefined when they name none, or several kinds. */
export function endingOfCall({ arguments: args }: Pick<ToolCall, 'arguments'>): string | undefined {
  const endings = new Set<string>()
  for (const [key, value] of Object.entries(args ?? {})) {
    if (typeof value !== 'string' || !locating.test(key)) continue
    const ending = endingOf(value)
    if (ending !== undefined) endings.add(ending)
  }
  const [ending] = endings
  return endings.size === 1 ? ending : undefined
}

/** As the model says it, else what the arguments look for. */
export const goalOfCall = (call: Pick<ToolCall, 'goal' | 'arguments'>): string | undefined =>
  call.goal ?? goalOfArguments(call.arguments)

/** The user's, unless the model says its own goal. */
export const requestOfCall = (call: Pick<ToolCall, 'goal' | 'request'>): string | undefined =>
  call.goal === undefined ? call.request : undefined
