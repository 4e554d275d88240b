import { SluiceError } from '../ground/errors.ts'
import type { Job } from './pool-thread.ts'

export const failed = (job: string, why: string, cause?: unknown): SluiceError =>
  new SluiceError('WORKER_FAILED', `The background job "${job}" failed: ${inWords(why)}.`, {
    data: { job },
    cause,
  })

/** V8's own words say nothing of the data. */
const inWords = (why: string): string =>
  why.includes('Maximum call stack size exceeded') ? 'its data is nested too deeply' : why

/** A small value crosses sooner than it is looked for. */
export const keepsFrom = ({ options, lane }: Job, lanes: number): boolean =>
  options.keeps === true && (lane > 0 || lanes === 1)
