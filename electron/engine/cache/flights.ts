import type { CallTool, ToolCall, ToolOutcome } from '../message/call.ts'
import { RpcError } from '../protocol/json-rpc.ts'

interface Flight {
  readonly outcome: Promise<ToolOutcome>
  readonly sessionId: string
  readonly abort: AbortController
  /** Callers that want the outcome. */
  waiting: number
}

export interface Flights {
  /**
   * An identical call in progress, which is cancelled only when its last caller leaves. `isShared`: another call's
   * outcome.
   */
  join(key: string, call: ToolCall, make: CallTool): Promise<{ outcome: ToolOutcome; isShared: boolean }>
  leave(isMeant: (call: ToolCall) => boolean): void
}

export function createFlights(isForAll: (outcome: ToolOutcome) => boolean): Flights {
  const flights = new Map<string, { flight: Flight; call: ToolCall }>()

  const start = (key: string, call: ToolCall, make: CallTool): Flight => {
    const abort = new AbortController()
    const outcome = make({ ...call, signal: abort.signal })
    const flight: Flight = { outcome, sessionId: call.sessionId, abort, waiting: 0 }
    const entry = { flight, call }
    flights.set(key, entry)
    const end = (): void => {
      if (flights.get(key) === entry) flights.delete(key)
    }
    outcome.then(end, end)
    return flight
  }

  const join: Flights['join'] = async (key, call, make) => {
    call.signal.throwIfAborted()
    const known = flights.get(key)?.flight
    if (!known) return { outcome: await wait(start(key, call, make), call.signal), isShared: false }
    const shared = await wait(known, call.signal).catch((error: unknown) => {
      // Everyone shares the server's errors, but not failures of another session's connection or caller.
      const isOurs =
        error instanceof RpcError || (known.sessionId === call.sessionId && !known.abort.signal.aborted)
      if (call.signal.aborted || isOurs) throw error
      return undefined
    })
    if (shared === undefined) return join(key, call, make)
    if (isForAll(shared)) return { outcome: shared, isShared: true }
    return { outcome: await make(call), isShared: false }
  }

  return {
    join,
    leave: (isMeant) => {
      for (const [key, { call }] of flights) if (isMeant(call)) flights.delete(key)
    },
  }
}

async function wait(flight: Flight, signal: AbortSignal): Promise<ToolOutcome> {
  flight.waiting++
  const { promise: left, reject } = Promise.withResolvers<never>()
  const leave = (): void => {
    reject(signal.reason as Error)
    flight.waiting--
    if (flight.waiting === 0) flight.abort.abort(signal.reason)
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([flight.outcome, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
