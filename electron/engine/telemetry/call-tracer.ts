import type { ToolCall, ToolOutcome, TraceContext } from '../message/call.ts'

/** `server`: the client's request, as Sluice answers it. `client`: Sluice's own request to the server behind it. */
export type SpanSide = 'server' | 'client'

export type Ended =
  | { readonly outcome: ToolOutcome; readonly error?: never }
  | { readonly outcome?: never; readonly error: unknown }

export interface CallSpan {
  /** For what follows from this span: its children, here and in the server. */
  readonly context: TraceContext
  end(ended: Ended): void
}

/** Records calls as spans and figures, and sends them on. */
export interface CallTracer {
  start(side: SpanSide, call: ToolCall): CallSpan
  /** Sends what is left, for a short time at the most. */
  close(): Promise<void>
}
