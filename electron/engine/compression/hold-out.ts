import { createHash } from 'node:crypto'
import type { Interceptor, ToolCall, ToolOutcome } from '../message/call.ts'
import { sortedJson } from '../settings/server-hash.ts'

/** Why a result passed whole. */
export const HELD_OUT = 'hold-out: passed whole'

/** One of N calls, by its session, tool and arguments: the same call of a session is always treated alike, so that its repetition gives the same bytes. */
function isHeldOut({ sessionId, serverId, tool, arguments: args, policy }: ToolCall): boolean {
  const text = sortedJson([sessionId, serverId, tool, args ?? {}])
  const hash = createHash('sha256').update(text).digest().readUIntBE(0, 6)
  return hash % policy.compression.holdOut === 0
}

/** Marks calls whose results pass whole, and results of both groups for the ledger. Fails open: without an experiment. */
export const holdOut: Interceptor = (next) => {
  const inTrial = async (call: ToolCall): Promise<ToolOutcome> => {
    const isHeld = canBeHashed(call) && isHeldOut(call)
    const outcome = await next(isHeld ? { ...call, isHeldOut: true } : call)
    const { compression } = outcome
    if (compression === undefined) return outcome
    if (isHeld && compression.skipped?.endsWith(HELD_OUT)) return { ...outcome, trial: 'held' }
    return compression.skipped === undefined ? { ...outcome, trial: 'shortened' } : outcome
  }
  return function holdOut(call) {
    const { holdOut: oneOf, strategy } = call.policy.compression
    return oneOf === 0 || strategy === 'off' || call.bypass ? next(call) : inTrial(call)
  }
}

/** Arguments nested too deeply for recursion are in no experiment. */
function canBeHashed({ arguments: args }: ToolCall): boolean {
  try {
    sortedJson(args ?? {})
    return true
  } catch {
    return false
  }
}
