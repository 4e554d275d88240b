import type { Interceptor, ToolCall } from '../message/call.ts'

export interface RetriesOptions {
  readonly keyOf: (call: ToolCall) => string | undefined
  /** Monotonic milliseconds. */
  readonly clock: () => number
}

interface Seen {
  readonly at: number
  readonly round: number
  readonly forgetAt: number
}

const MOST_REMEMBERED = 5_000

/**
 * A repeated call right after a shortened result missed something in it: each repetition gets more, up to the whole.
 * The goal is ignored, because models reword it. Concurrent calls aren't repetitions.
 */
export function createRetries({ keyOf, clock }: RetriesOptions) {
  const seen = new Map<string, Seen>()
  const tools = new Set<string>()

  const remember = (key: string, next: Seen): void => {
    const known = seen.get(key)
    seen.delete(key)
    seen.set(key, known && known.round > next.round ? { ...next, round: known.round } : next)
    for (const [old, { forgetAt }] of seen) {
      if (seen.size <= MOST_REMEMBERED && forgetAt > next.at) break
      seen.delete(old)
    }
  }

  const escalate: Interceptor = (next) =>
    async function escalate(call) {
      const { compression } = call.policy
      const windowMs = compression.escalationSeconds * 1000
      const isOff = windowMs === 0 || compression.escalationFactor === 1 || compression.strategy === 'off'
      if (isOff || call.bypass) return next(call)
      const isKnown = tools.size > 0 && tools.has(toolOf(call))
      const known = isKnown ? seen.get(keyOf(call) ?? '') : undefined
      const round = known && clock() - known.at <= windowMs ? known.round + 1 : 1
      const outcome = await next(round === 1 ? call : escalated(call, round))
      // Only a shortened result can have more.
      const key = outcome.compression === undefined ? undefined : keyOf(call)
      if (key !== undefined) {
        const at = clock()
        if (tools.size >= MOST_REMEMBERED) tools.clear()
        tools.add(toolOf(call))
        remember(key, { at, round, forgetAt: at + windowMs })
      }
      return outcome
    }

  return {
    escalate,
    forgetAll: () => {
      seen.clear()
      tools.clear()
    },
  }
}

const toolOf = ({ sessionId, serverId, tool }: ToolCall): string =>
  JSON.stringify([sessionId, serverId, tool])

function escalated(call: ToolCall, round: number): ToolCall {
  const { compression } = call.policy
  const times = Math.round((1 + (compression.escalationFactor - 1) * (round - 1)) * 100) / 100
  const maxOutputTokens = Math.min(Math.ceil(compression.maxOutputTokens * times), Number.MAX_SAFE_INTEGER)
  return {
    ...call,
    escalation: times,
    policy: { ...call.policy, compression: { ...compression, maxOutputTokens } },
  }
}
