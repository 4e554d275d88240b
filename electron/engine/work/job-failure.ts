import { SluiceError } from '../ground/errors.ts'
import type { Job } from './pool-thread.ts'

export const failed = (job: string, why: string, cause?: unknown): SluiceError =>
  new SluiceError('WORKER_FAILED', `The background job "${job}" failed: ${inWords(why)}.`, {
    data: { job },
    cause,
  })

/** V8's message says nothing of the data. */
const inWords = (why: string): string =>
  why.includes('Maximum call stack size exceeded') ? 'its data is nested too deeply' : why

/** Small values cross faster than a lookup. */
export const keepsFrom = ({ options, lane }: Job, lanes: number): boolean =>
  options.keeps === true && (lane > 0 || lanes === 1)
