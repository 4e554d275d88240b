import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ToolPolicy } from '../../../shared/settings.ts'

/** W3C trace context in a request's `_meta`. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
}

/** Immutable: interceptors pass on changed copies. */
export interface ToolCall {
  /** One id in log, ledger and events. */
  readonly id: string
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
  /** The server's name for the tool. */
  readonly tool: string
  readonly arguments: JsonObject | undefined
  /** Answers to the elicitations in the server's last result (MCP 2026-07-28). */
  readonly inputResponses?: unknown
  /** As last listed, if known. */
  readonly definition: JsonObject | undefined
  /** Why approvals don't cover this call; undefined if they do. */
  readonly refusal?: string | undefined
  readonly policy: ToolPolicy
  /**
   * What else an answer may depend on: the server's start, its user, the client capabilities announced. Undefined if
   * not reusable.
   */
  readonly asker?: string | undefined
  /** A repeat within moments: the result may be this many times as long. */
  readonly escalation?: number
  /** What the model looks for; set by shape-arguments. */
  readonly goal: string | undefined
  /** The model wants the stored original; set by shape-arguments. */
  readonly bypass: boolean
  /** The client's trace, or Sluice's own span around this call. */
  readonly traceContext?: TraceContext | undefined
  readonly signal: AbortSignal
}

/** Tokens are o200k_base. */
export interface CompressionTrace {
  readonly resultId: string | undefined
  readonly strategy: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly milliseconds: number
  /** Why the original passed although over the threshold. */
  readonly skipped: string | undefined
  /** For example why a summary wasn't used. */
  readonly note?: string | undefined
  /** How many times as long as usual the result could be. */
  readonly escalation?: number
  /** A better form was possible (a model was late): this one isn't reused. */
  readonly provisional?: boolean
}

/** Layers add their fields; the ledger reads them. */
export interface ToolOutcome {
  /** MCP's CallToolResult with unknown fields. */
  readonly result: JsonObject
  readonly compression?: CompressionTrace
  /** From an earlier or concurrent call. */
  readonly cached?: boolean
  /** When the server was called, in Unix milliseconds. */
  readonly cachedAt?: number
  readonly refusedBy?: string
  readonly quarantineId?: string
  /** Too large to scan whole: the output must be scanned instead. */
  readonly tooLargeToScan?: boolean
}

export type CallTool = (call: ToolCall) => Promise<ToolOutcome>
export type Interceptor = (next: CallTool) => CallTool

/** The first interceptor is the outermost. */
const compose = (interceptors: readonly Interceptor[], innermost: CallTool): CallTool =>
  interceptors.reduceRight((next, interceptor) => interceptor(next), innermost)

const CARRIED = Symbol('innermost')
/** Shared by all copies of a call. */
interface Carried {
  readonly innermost: CallTool
  isMade: boolean
}
type Carrying = ToolCall & { readonly [CARRIED]?: Carried }

/**
 * Composed once for any innermost function, which the call carries inwards. It runs at most once per call and throws
 * on a second run; the layer then acts as on any failure: guards refuse, savings return their result.
 */
export function composeOnce(interceptors: readonly Interceptor[]): (innermost: CallTool) => CallTool {
  const whole = compose(interceptors, async (call: Carrying) => {
    const carried = call[CARRIED]
    if (!carried) throw new Error(`A layer replaced the call of ${call.tool} instead of changing a copy.`)
    if (carried.isMade) throw new Error(`A layer made the call of ${call.tool} a second time.`)
    carried.isMade = true
    return carried.innermost(call)
  })
  return (innermost) => (call) => {
    const carrying: Carrying = { ...call, [CARRIED]: { innermost, isMade: false } }
    return whole(carrying)
  }
}
