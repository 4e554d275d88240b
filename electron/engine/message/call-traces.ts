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
  /** Each layer's own milliseconds, by its place; NaN for those inside a refusal. */
  readonly layerMs: readonly number[]
}

interface ShownTrace extends CallTrace {
  /** Innermost first. */
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
  of(callId: string): ShownTrace | undefined
  ofResult(resultId: string): ShownTrace | undefined
  lastOf(sessionId: string): ShownTrace | undefined
}

interface Way {
  readonly id: string
  /** Numbers alone: V8 keeps them in the array, and allocates none. */
  readonly layerMs: number[]
  /** Layer that ended last, with everything inside. */
  innerMs: number
  serverMs: number | undefined
  /** Layer entered last. */
  outcome: Promise<ToolOutcome> | undefined
  /** Until the outermost layer ends. */
  isOpen: boolean
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
  /** Outermost first. */
  let names: readonly string[] = []

  const add = (made: CallTrace): void => {
    const argsSize = sizeOf(made.arguments) + sizeOf(made.shapedArguments)
    const sentSize = sizeOf(made.sent)
    let [trace, size] = [made, argsSize + sentSize]
    if (argsSize > MOST_OF_ONE) {
      trace = { ...trace, arguments: undefined, shapedArguments: undefined }
      size -= argsSize
    }
    if (sentSize > MOST_OF_ONE) {
      trace = { ...trace, sent: undefined }
      size -= sentSize
    }
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
  /** Until the layer at this place ends. */
  const measure = (way: Way, index: number, started: number, outcome: Promise<ToolOutcome>): void => {
    const end = (): void => {
      if (!way.isOpen) return
      const took = clock() - started
      way.layerMs[index] = took - way.innerMs
      way.innerMs = took
      if (index > 0) return
      way.isOpen = false
      ways.delete(way.id)
    }
    // Before the callers' reactions, which run in order of registration.
    outcome.then(end, end)
  }
  const shown = (trace: CallTrace | undefined): ShownTrace | undefined => {
    if (!trace) return undefined
    const layers = new Map<string, number>()
    for (const [index, name] of [...names.entries()].reverse()) {
      const ms = trace.layerMs[index]
      if (ms !== undefined && !Number.isNaN(ms)) layers.set(name, ms)
    }
    return { ...trace, layers }
  }
  const latest = (isWanted: (trace: CallTrace) => boolean): ShownTrace | undefined => {
    addEnded()
    return shown([...traces.values()].findLast(({ trace }) => isWanted(trace))?.trace)
  }

  return {
    keepTrace: (next) =>
      async function keepTrace(call) {
        const way = ways.get(call.id)
        let outcome: ToolOutcome | undefined
        try {
          return (outcome = await next(call))
        } finally {
          end({
            id: call.id,
            sessionId: call.sessionId,
            arguments: call.arguments,
            shapedArguments: outcome?.shapedArguments,
            sent: outcome?.result,
            resultId: outcome?.compression?.resultId,
            serverMs: way?.serverMs,
            compressionMs: outcome?.compression?.milliseconds,
            quarantineId: outcome?.quarantineId,
            layerMs: way?.layerMs ?? [],
          })
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
    timedLayers: (layers) => {
      names = Object.keys(layers)
      const noMs = names.map(() => Number.NaN)
      const begin = (id: string, index: number): Way => {
        const isOpen = index === 0
        const layerMs = noMs.slice()
        const way: Way = { id, layerMs, innerMs: 0, serverMs: undefined, outcome: undefined, isOpen }
        if (isOpen) ways.set(id, way)
        return way
      }
      return Object.values(layers).map((layer, index): Interceptor => (next) => {
        const inner = layer(next)
        // Without a closure: V8 would allocate its context for each call, also where the layer does nothing.
        return (call) => {
          const started = clock()
          const way = ways.get(call.id) ?? begin(call.id, index)
          const outcome = inner(call)
          // The inner layer's promise: this layer did nothing.
          if (outcome === way.outcome && index > 0) {
            way.layerMs[index] = 0
            return outcome
          }
          way.outcome = outcome
          measure(way, index, started, outcome)
          return outcome
        }
      })
    },
    of: (callId) => {
      addEnded()
      return shown(traces.get(callId)?.trace)
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
