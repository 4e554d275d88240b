import { setImmediate } from 'node:timers/promises'
import type { ToolCall } from '../message/call.ts'
import { createLater } from '../ground/later.ts'
import type { RootLogger } from '../ground/logger.ts'
import { countTokens } from '../text/tokens/count-tokens.ts'
import { countAllOf } from '../work/count-tokens-of.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import { createListingBookkeeper } from './book-listings.ts'
import { recordCall } from './record-call.ts'
import { createResourceBooking } from './book-resources.ts'
import type { Records } from './records.ts'

const BOOKED_AFTER_MS = 5

/** After their answers. */
export function createBooking(
  options: Pick<Records, 'begin' | 'record' | 'ledger'> & {
    readonly workers: Pick<WorkerPool, 'run'>
    readonly logger: RootLogger
    /** The context of the AI app that makes a call; undefined where it isn't known. */
    readonly agentOf: (call: ToolCall) => string | undefined
    /** Unix milliseconds. */
    readonly now: () => number
  },
) {
  const { begin, record, workers, logger, agentOf, now } = options
  const later = createLater(BOOKED_AFTER_MS)
  const listings = createListingBookkeeper(options)
  return {
    /** Unawaited work. Must not throw. */
    defer: later.add,
    onListed: listings.onListed,
    onToolsDescribed: listings.onToolsDescribed,
    recordCall: recordCall({
      begin,
      record,
      defer: later.add,
      countAll: countAllOf(workers),
      countTokens,
      logger,
      clean: (text) => logger.cleanText(text),
      contextOf: (call) => call.context ?? agentOf(call) ?? call.sessionId,
      now,
      clock: () => performance.now(),
    }),
    onShortenedResource: createResourceBooking({ record, defer: later.add, now }),
    finish: async (): Promise<void> => {
      await setImmediate()
      await later.flush()
      await listings.finish()
    },
  }
}
