import type { CallTool, Interceptor } from './call.ts'
import type { JsonObject } from './protocol/json-rpc.ts'

/** What one call was, beyond its row in the ledger. Personal data that is masked stands here as its stand-ins. */
export interface CallTrace {
  readonly id: string
  readonly sessionId: string
  readonly arguments: JsonObject | undefined
  /** What the model got; undefined for a failed call, and for a result too large to be kept here. */
  readonly sent: JsonObject | undefined
  readonly resultId: string | undefined
  readonly serverMs: number | undefined
  readonly compressionMs: number | undefined
  readonly quarantineId: string | undefined
  /** Milliseconds that each layer took by itself, by its name, in the order in which they ended. */
  readonly layers: ReadonlyMap<string, number>
}

export interface CallTraces {
  /**
   * Keeps arguments and result of the latest calls, in memory only. Its place is inside of what restores real values for
   * a client and outside of what restores them for a server: there both are masked.
   */
  readonly keepTrace: Interceptor
  /** Takes the server's share of the time. */
  timed(innermost: CallTool): CallTool
  /** The layers, outermost first, each with its own share of the time taken; names are those of docs/architecture.md. */
  timedLayers(layers: Readonly<Record<string, Interceptor>>): Interceptor[]
  of(callId: string): CallTrace | undefined
  /** The latest call whose result is kept under this id. */
  ofResult(resultId: string): CallTrace | undefined
  lastOf(sessionId: string): CallTrace | undefined
}

const MOST_CALLS = 500
/** Characters of one call's arguments or result, and of all together. */
const MOST_OF_ONE = 200_000
const MOST_TOGETHER = 10_000_000

/** `clock`: monotonic milliseconds. */
export function createCallTraces({ clock }: { clock: () => number }): CallTraces {
  const traces = new Map<string, { trace: CallTrace; size: number }>()
  const serverMs = new Map<string, number>()
  /** Of calls under way. Layers outside of keepTrace write on into a map that a trace has already. */
  const layersOf = new Map<string, Map<string, number>>()
  let together = 0

  const add = (trace: CallTrace): void => {
    const size = sizeOf(trace.arguments) + sizeOf(trace.sent)
    traces.set(trace.id, { trace, size })
    together += size
    for (const [id, oldest] of traces) {
      if (traces.size <= MOST_CALLS && together <= MOST_TOGETHER) break
      traces.delete(id)
      together -= oldest.size
    }
  }
  const latest = (isWanted: (trace: CallTrace) => boolean): CallTrace | undefined =>
    [...traces.values()].findLast(({ trace }) => isWanted(trace))?.trace

  return {
    keepTrace: (next) =>
      async function keepTrace(call) {
        const layers = layersOf.get(call.id) ?? new Map<string, number>()
        const facts = { id: call.id, sessionId: call.sessionId, arguments: ifSmall(call.arguments), layers }
        const took = (): number | undefined => {
          const ms = serverMs.get(call.id)
          serverMs.delete(call.id)
          return ms
        }
        try {
          const outcome = await next(call)
          add({
            ...facts,
            sent: ifSmall(outcome.result),
            resultId: outcome.compression?.resultId,
            serverMs: took(),
            compressionMs: outcome.compression?.milliseconds,
            quarantineId: outcome.quarantineId,
          })
          return outcome
        } catch (error) {
          const nothing = { sent: undefined, resultId: undefined, compressionMs: undefined }
          add({ ...facts, ...nothing, serverMs: took(), quarantineId: undefined })
          throw error
        }
      },
    timed: (innermost) => async (call) => {
      const started = clock()
      try {
        return await innermost(call)
      } finally {
        if (layersOf.has(call.id)) serverMs.set(call.id, clock() - started)
      }
    },
    timedLayers: (layers) =>
      Object.entries(layers).map(([name, layer], index): Interceptor => (next) => {
        const within = new Map<string, number>()
        const timedLayer = layer(async (call) => {
          const started = clock()
          try {
            return await next(call)
          } finally {
            // A call that was given up may still be answered; nobody asks for its time then.
            if (layersOf.has(call.id)) within.set(call.id, clock() - started)
          }
        })
        return async (call) => {
          const started = clock()
          if (index === 0) layersOf.set(call.id, new Map())
          try {
            return await timedLayer(call)
          } finally {
            layersOf.get(call.id)?.set(name, clock() - started - (within.get(call.id) ?? 0))
            within.delete(call.id)
            if (index === 0) layersOf.delete(call.id)
          }
        }
      }),
    of: (callId) => traces.get(callId)?.trace,
    ofResult: (resultId) => latest((trace) => trace.resultId === resultId),
    lastOf: (sessionId) => latest((trace) => trace.sessionId === sessionId),
  }
}

const ifSmall = (value: JsonObject | undefined): JsonObject | undefined =>
  sizeOf(value) <= MOST_OF_ONE ? value : undefined

/** About how many characters a value has; stops counting when it is more than is ever kept. */
function sizeOf(value: unknown): number {
  let size = 0
  const open: unknown[] = [value]
  while (open.length > 0 && size <= MOST_OF_ONE) {
    const current = open.pop()
    if (typeof current === 'string') size += current.length
    else if (typeof current === 'object' && current !== null) {
      size += 2
      for (const [key, inner] of Object.entries(current)) {
        size += key.length
        open.push(inner)
      }
    } else size += 4
  }
  return size
}
