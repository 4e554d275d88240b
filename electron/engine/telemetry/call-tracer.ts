import type { ToolCall, ToolOutcome, TraceContext } from '../message/call.ts'

/** `server`: the client's request to Sluice. `client`: Sluice's request to the server. */
export type SpanSide = 'server' | 'client'

export type Ended =
  | { readonly outcome: ToolOutcome; readonly error?: never }
  | { readonly outcome?: never; readonly error: unknown }

export interface CallSpan {
  readonly context: TraceContext
  end(ended: Ended): void
}

/** As spans and metrics. */
export interface CallTracer {
  start(side: SpanSide, call: ToolCall): CallSpan
  close(): Promise<void>
}
