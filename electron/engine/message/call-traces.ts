import type { CallTool, Interceptor, ToolOutcome } from './call.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

interface CallTrace {
  readonly id: string
  readonly sessionId: string
  readonly arguments: JsonObject | undefined
  /** What the server got in their place, where settings of the tool changed them. */
  readonly shapedArguments?: JsonObject | undefined
  /** Undefined for failed calls and results too large to keep. */
  readonly sent: JsonObject | undefined
  readonly resultId: string | undefined
  readonly serverMs: number | undefined
  readonly compressionMs: number | undefined
  readonly quarantineId: string | undefined
  /** Each layer's own milliseconds, in order of completion. */
  readonly layers: ReadonlyMap<string, number>
}

export interface CallTraces {
  /**
   * In memory. Inside what restores real values for a client and outside what restores them for a server: both are
   * masked there.
   */
  readonly keepTrace: Interceptor
  readonly timed: (innermost: CallTool) => CallTool
  /** Outermost first; names as in docs/architecture.md. */
  readonly timedLayers: (layers: Readonly<Record<string, Interceptor>>) => Interceptor[]
  of(callId: string): CallTrace | undefined
  ofResult(resultId: string): CallTrace | undefined
  lastOf(sessionId: string): CallTrace | undefined
}

interface Way {
  readonly layers: Map<string, number>
  /** Layer that ended last, with everything inside. */
  innerMs: number
  serverMs: number | undefined
  /** Layer entered last. */
  outcome: Promise<ToolOutcome> | undefined
}

const MOST_CALLS = 500
const DROPPED_AT_ONCE = 50
/** Characters of one call's arguments or result, and of all. */
const MOST_OF_ONE = 200_000
const MOST_TOGETHER = 10_000_000

export interface CallTracesOptions {
  /** Monotonic milliseconds. */
  readonly clock: () => number
  /** After the answer. */
  readonly defer: (work: () => void | Promise<void>) => void
  /** What the model got of a stored result; masked as in `keepTrace`. */
  readonly keepSent?: (resultId: string, sent: { callId: string; result: JsonObject }) => Promise<void>
}

export function createCallTraces({ clock, defer, keepSent }: CallTracesOptions): CallTraces {
  const traces = new Map<string, { trace: CallTrace; size: number }>()
  const ways = new Map<string, Way>()
  let together = 0
  /** Not yet in `traces`: measuring would delay their answers. */
  let ended: CallTrace[] = []

  const add = ({ arguments: args, shapedArguments, sent, ...rest }: CallTrace): void => {
    const [argsSize, sentSize] = [sizeOf(args) + sizeOf(shapedArguments), sizeOf(sent)]
    const trace = {
      ...rest,
      arguments: argsSize <= MOST_OF_ONE ? args : undefined,
      shapedArguments: argsSize <= MOST_OF_ONE ? shapedArguments : undefined,
      sent: sentSize <= MOST_OF_ONE ? sent : undefined,
    }
    const size = (trace.arguments ? argsSize : 0) + (trace.sent ? sentSize : 0)
    traces.set(trace.id, { trace, size })
    together += size
    // In batches: finding the oldest takes longer than dropping it.
    if (traces.size < MOST_CALLS + DROPPED_AT_ONCE && together <= MOST_TOGETHER) return
    for (const [id, oldest] of traces) {
      if (traces.size <= MOST_CALLS && together <= MOST_TOGETHER) break
      traces.delete(id)
      together -= oldest.size
    }
  }
  const addEnded = (): void => {
    const waiting = ended
    ended = []
    for (const trace of waiting) add(trace)
  }
  const end = (trace: CallTrace): void => {
    if (ended.push(trace) === 1) defer(addEnded)
    const { id: callId, resultId, sent: result } = trace
    if (keepSent && resultId !== undefined && result && !isRepeat(result) && sizeOf(result) <= MOST_OF_ONE)
      defer(() => keepSent(resultId, { callId, result }))
  }
  const latest = (isWanted: (trace: CallTrace) => boolean): CallTrace | undefined => {
    addEnded()
    return [...traces.values()].findLast(({ trace }) => isWanted(trace))?.trace
  }

  return {
    keepTrace: (next) =>
      async function keepTrace(call) {
        const way = ways.get(call.id)
        const layers = way?.layers ?? new Map<string, number>()
        const facts = { id: call.id, sessionId: call.sessionId, arguments: call.arguments, layers }
        try {
          const outcome = await next(call)
          end({
            ...facts,
            sent: outcome.result,
            shapedArguments: outcome.shapedArguments,
            resultId: outcome.compression?.resultId,
            serverMs: way?.serverMs,
            compressionMs: outcome.compression?.milliseconds,
            quarantineId: outcome.quarantineId,
          })
          return outcome
        } catch (error) {
          const nothing = { sent: undefined, resultId: undefined, compressionMs: undefined }
          end({ ...facts, ...nothing, serverMs: way?.serverMs, quarantineId: undefined })
          throw error
        }
      },
    timed: (innermost) => async (call) => {
      const started = clock()
      try {
        return await innermost(call)
      } finally {
        // A cancelled call may still be answered; its time is unused.
        const way = ways.get(call.id)
        if (way) way.serverMs = way.innerMs = clock() - started
      }
    },
    timedLayers: (layers) =>
      Object.entries(layers).map(([name, layer], index): Interceptor => (next) => {
        const inner = layer(next)
        return (call) => {
          const started = clock()
          const known = ways.get(call.id)
          const way: Way = known ?? { layers: new Map(), innerMs: 0, serverMs: undefined, outcome: undefined }
          if (!known && index === 0) ways.set(call.id, way)
          const outcome = inner(call)
          // The inner layer's promise: this layer did nothing.
          if (outcome === way.outcome && index > 0) {
            way.layers.set(name, 0)
            return outcome
          }
          way.outcome = outcome
          const measure = (): void => {
            if (!ways.has(call.id)) return
            const took = clock() - started
            way.layers.set(name, took - way.innerMs)
            way.innerMs = took
            if (index === 0) ways.delete(call.id)
          }
          // Before the callers' reactions, which run in order of registration.
          outcome.then(measure, measure)
          return outcome
        }
      }),
    of: (callId) => {
      addEnded()
      return traces.get(callId)?.trace
    },
    ofResult: (resultId) => latest((trace) => trace.resultId === resultId),
    lastOf: (sessionId) => latest((trace) => trace.sessionId === sessionId),
  }
}

/** The form that it refers to was kept before. */
const isRepeat = ({ _meta: meta }: JsonObject): boolean => isJsonObject(meta) && 'sluice/repeat' in meta

/** Approximate characters; stops beyond what is kept. */
function sizeOf(value: unknown): number {
  let size = 0
  const open: unknown[] = [value]
  while (open.length > 0 && size <= MOST_OF_ONE) {
    const current = open.pop()
    if (typeof current === 'string') size += current.length
    else if (typeof current === 'object' && current !== null) {
      size += 2
      if (Array.isArray(current)) {
        size += current.length
        if (size <= MOST_OF_ONE) for (const item of current as unknown[]) open.push(item)
        continue
      }
      // `Object.entries` would allocate an array per field on every call.
      for (const key in current) {
        size += key.length
        if (size > MOST_OF_ONE) return size
        open.push((current as JsonObject)[key])
      }
    } else size += 4
  }
  return size
}
