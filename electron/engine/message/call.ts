import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ToolPolicy } from '../../../shared/settings.ts'

/** W3C trace context, as it travels in `_meta` of a request. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
}

/** One `tools/call` on its way to a server. Immutable: an interceptor passes a changed copy on. */
export interface ToolCall {
  /** One id for this call in log, ledger and events. */
  readonly id: string
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
  /** The server's own name for the tool. */
  readonly tool: string
  readonly arguments: JsonObject | undefined
  /** What the client answered to questions that the server asked with its last result (MCP 2026-07-28). */
  readonly inputResponses?: unknown
  /** The tool's definition as last listed, where it is known. */
  readonly definition: JsonObject | undefined
  /** Why the user's approvals do not cover this call; undefined where they do. */
  readonly refusal?: string | undefined
  readonly policy: ToolPolicy
  /**
   * Names what else a server's answer may depend on: how the server was started, for whom, and what it was told of the
   * client. Undefined where the call is one of a kind, and its result of no use to another.
   */
  readonly asker?: string | undefined
  /** The same call was made moments ago: the result may be this many times as long as usual. */
  readonly escalation?: number
  /** What the model said it is looking for; set by shape-arguments. */
  readonly goal: string | undefined
  /** The model asked for the stored original; set by shape-arguments. */
  readonly bypass: boolean
  /** What the client said of its trace, or the span of Sluice's own that this call is part of by now. */
  readonly traceContext?: TraceContext | undefined
  readonly signal: AbortSignal
}

/** What compression did to one result. Tokens are o200k_base. */
export interface CompressionTrace {
  readonly resultId: string | undefined
  readonly strategy: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly milliseconds: number
  /** Why the original passed although it was over the threshold. */
  readonly skipped: string | undefined
  /** What the ledger says of a shortened result: why the model's words did not go out, for example. */
  readonly note?: string | undefined
  /** How many times as long as usual the result was allowed to be. */
  readonly escalation?: number
  /** Another form of this result would be better (a model was late): it is not used again. */
  readonly provisional?: boolean
}

/** A call's result and what each layer did to it. Layers add their own field; the ledger reads them. */
export interface ToolOutcome {
  /** CallToolResult of MCP, with every unknown field. */
  readonly result: JsonObject
  readonly compression?: CompressionTrace
  /** The server was not asked for this call: the result is that of an earlier one, or of one at the same time. */
  readonly cached?: boolean
  /** When it was asked, in Unix milliseconds. */
  readonly cachedAt?: number
  readonly refusedBy?: string
  readonly quarantineId?: string
  /** The result was too large to be scanned whole: what leaves must be scanned instead. */
  readonly tooLargeToScan?: boolean
}

export type CallTool = (call: ToolCall) => Promise<ToolOutcome>
export type Interceptor = (next: CallTool) => CallTool

/** Wraps `innermost` in the interceptors; the first one listed is the outermost. */
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
 * The same around another innermost function for each call, without wrapping again: the call carries it inwards. The innermost
 * function runs at most once per call. It throws for a layer that calls it again, which then acts as it does on any failure:
 * guards refuse, savings return the result they have.
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
