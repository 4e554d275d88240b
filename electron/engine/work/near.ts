import { jobSize } from './job-size.ts'

/**
 * The largest input, in characters, bytes and values (job-size.ts), of which a job is done where it is asked for. That takes a
 * millisecond or two, as does the way to a worker thread; what is larger would hold up every other client. Figures of each:
 * docs/measurements.md.
 */
const LARGEST_NEAR = {
  scan: 10_000,
  'measure-texts': 20_000,
  'measure-structured': 20_000,
  'find-personal-data': 20_000,
  'check-answer': 50_000,
  'pack-result': 200_000,
  'unpack-result': 200_000,
  reveal: 500_000,
  // What is read in a worker has to come back whole.
  parse: 1_000_000,
} as const

export type NearJob = keyof typeof LARGEST_NEAR

/** Whether a job is done here, and not in a worker thread. `input`: its size where that is known. */
export function isNear(job: NearJob, input: number | object): boolean {
  const largest = LARGEST_NEAR[job]
  return (typeof input === 'number' ? input : jobSize(input, largest + 1)) <= largest
}

/** For what looks for large parts itself. */
export const largestNear = (job: NearJob): number => LARGEST_NEAR[job]
