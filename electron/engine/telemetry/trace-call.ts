import type { Interceptor, ToolCall, ToolOutcome } from '../message/call.ts'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import type { CallSpan, CallTracer, SpanSide } from './call-tracer.ts'

export interface TraceCallOptions {
  /** Undefined if nothing is traced. */
  readonly tracer: () => CallTracer | undefined
  readonly logger: Logger
}

/** Passed on as context, so that the server's spans become children. Fails open. */
export const traceCall =
  (side: SpanSide, { tracer, logger }: TraceCallOptions): Interceptor =>
  (next) => {
    const spanned = async (call: ToolCall, span: CallSpan): Promise<ToolOutcome> => {
      const end = (ended: Parameters<CallSpan['end']>[0]): void => attempt(logger, () => span.end(ended))
      try {
        const outcome = await next({ ...call, traceContext: span.context })
        end({ outcome })
        return outcome
      } catch (error) {
        end({ error })
        throw error
      }
    }
    return function traceCall(call) {
      const span = attempt(logger, () => tracer()?.start(side, call))
      return span ? spanned(call, span) : next(call)
    }
  }

function attempt<Value>(logger: Logger, action: () => Value): Value | undefined {
  try {
    return action()
  } catch (error) {
    logger.error('A call could not be traced; the call itself is not affected.', { cause: messageOf(error) })
    return undefined
  }
}
