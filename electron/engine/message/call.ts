import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ToolPolicy } from '../../../shared/settings.ts'

/** W3C, in `_meta`. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
}

/** Of a call, to find the conversation of the AI app that makes it. */
export interface CallOrigin {
  /** The client's own name. */
  readonly introducedAs: string
  /** Of the program that connects, where it is known. */
  readonly folder: string | undefined
  readonly env: Readonly<Record<string, string>> | undefined
  /** The request's `_meta`. */
  readonly meta: JsonObject
}

/** Ways for an agent to read a kept result: a command of its shell, a file, an MCP tool. */
export type Reader = 'command' | 'file' | 'tool'

/** An app's own tool: its call is made already, and a hook hands over the output. */
export interface BuiltInCall {
  /** That work for its agent, shortest first. */
  readonly readers: readonly Reader[]
  /** Such as `sluice read`. */
  readonly command: string | undefined
  /** A form that saves less isn't worth a second look. */
  readonly leastSaved: { readonly tokens: number; readonly share: number }
  /** Of what the model would see without Sluice, where the app cuts the output itself. */
  readonly tokensOfCut?: number | undefined
}

/** Immutable: interceptors pass on changed copies. */
export interface ToolCall {
  readonly id: string
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
  /** The server's name. */
  readonly tool: string
  readonly arguments: JsonObject | undefined
  /** To elicitations in the server's last result (MCP 2026-07-28). */
  readonly inputResponses?: unknown
  /** As last listed, if known. */
  readonly definition: JsonObject | undefined
  readonly refusal?: string | undefined
  readonly policy: ToolPolicy
  /**
   * What else an answer may depend on: the server's start, its user, the client capabilities announced. Undefined if
   * not reusable.
   */
  readonly asker?: string | undefined
  readonly escalation?: number
  /** Of a budget that made its results shorter, such as `team from 70 %`. */
  readonly budgetStep?: string
  /** Passes whole, as one of N of an experiment. */
  readonly isHeldOut?: boolean
  readonly goal: string | undefined
  /** The user's, where the conversation is known. Never recorded. */
  readonly request?: string
  readonly origin?: CallOrigin
  /** Where arguments came from that named kept results. */
  readonly inserted?: readonly { readonly server: string; readonly tool: string; readonly id: string }[]
  readonly bypass: boolean
  readonly builtIn?: BuiltInCall | undefined
  /** The ledger's name of its context, where that isn't its session: a sub-agent has one of its own. */
  readonly context?: string | undefined
  readonly traceContext?: TraceContext | undefined
  /** A question with yes or no to the user of the client. */
  readonly askUser?: ((message: string) => Promise<'yes' | 'no' | 'cannot ask'>) | undefined
  readonly signal: AbortSignal
}

/** Tokens are o200k_base. */
export interface CompressionTrace {
  readonly resultId: string | undefined
  readonly strategy: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly milliseconds: number
  readonly skipped: string | undefined
  readonly note?: string | undefined
  /** Factor for the result's length. */
  readonly escalation?: number
  /** Why it is shorter than usual. */
  readonly budgetStep?: string
  /** A better form was possible (a model was late): not reused. */
  readonly provisional?: boolean
}

/** Layers add fields for the ledger. */
export interface ToolOutcome {
  /** CallToolResult with unknown fields. */
  readonly result: JsonObject
  readonly compression?: CompressionTrace
  /** From an earlier or concurrent call. */
  readonly cached?: boolean
  /** What settings of the tool made of the model's arguments, where it differs. */
  readonly shapedArguments?: JsonObject
  /** Of the server's call, in Unix milliseconds. */
  readonly cachedAt?: number
  readonly refusedBy?: string
  readonly quarantineId?: string
  /** Scan the output instead. */
  readonly tooLargeToScan?: boolean
  /** May give orders to the model, too uncertain for quarantine: gets a note. */
  readonly isMarked?: boolean
  /** Group of a hold-out. */
  readonly trial?: 'held' | 'shortened'
  /** Kept results, or parts of them, that the arguments named. */
  readonly inserted?: readonly string[]
  /** Another server's text was in the arguments. */
  readonly textFrom?: { readonly server: string; readonly tool: string }
  /** A key or password was in the arguments that neither the user nor this server had named. */
  readonly sentSecret?: boolean
}

export type CallTool = (call: ToolCall) => Promise<ToolOutcome>
export type Interceptor = (next: CallTool) => CallTool

/** Outermost first. */
const compose = (interceptors: readonly Interceptor[], innermost: CallTool): CallTool =>
  interceptors.reduceRight((next, interceptor) => interceptor(next), innermost)

const CARRIED = Symbol('innermost')
/** By all copies of a call. */
interface Carried {
  readonly innermost: CallTool
  isMade: boolean
  begin?: BeginEarly
}
type Carrying = ToolCall & { readonly [CARRIED]?: Carried }

/** True: work for other threads follows in this turn. */
type BeginEarly = (result: JsonObject) => boolean

/**
 * For a saving, whose work takes as long as the guard's: `begin` gets the result that the guard is about to scan. What it
 * makes may be shown or stored only once the layer has got the same result from `next`.
 */
export function onUnguarded(call: Carrying, begin: BeginEarly): void {
  const carried = call[CARRIED]
  if (carried) carried.begin = begin
}

export const beginUnguarded = (call: Carrying, result: JsonObject): boolean =>
  call[CARRIED]?.begin?.(result) ?? false

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
