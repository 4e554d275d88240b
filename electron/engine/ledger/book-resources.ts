import { createIds } from '../ground/ids.ts'
import type { CompressionTrace } from '../message/call.ts'
import type { Read } from '../message/layers.ts'
import type { Records } from './records.ts'
import { noteOf } from './record-call.ts'
import { RESOURCES_READ } from '../../../shared/resources-read.ts'

/** After the answer: a row as of a call, because a shortened resource saves tokens, and what is fetched back later costs some. */
export function createResourceBooking(options: {
  readonly record: Records['record']
  readonly defer: (work: () => void) => void
  /** Unix milliseconds. */
  readonly now: () => number
}): (read: Read, trace: CompressionTrace, ms: number) => void {
  const { record, defer, now } = options
  const newId = createIds(now)
  return ({ clientName, sessionId, serverId }, trace, ms) => {
    const at = Math.round(now() - ms)
    defer(() =>
      record({
        id: newId('c'),
        at,
        client: clientName,
        session: sessionId,
        server: serverId,
        tool: RESOURCES_READ,
        outcome: 'ok',
        tokensBefore: trace.tokensBefore,
        tokensAfter: trace.tokensAfter,
        tokensAdded: 0,
        strategy: trace.strategy,
        resultId: trace.resultId,
        ms: Math.round(ms * 1000) / 1000,
        cached: false,
        note: noteOf(trace, {}),
      }),
    )
  }
}
