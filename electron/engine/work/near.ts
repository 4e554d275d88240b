import { jobSize } from './job-size.ts'

/**
 * For the calling thread, in characters, bytes and values (job-size.ts): a millisecond or two, like a worker's round
 * trip; more would block other clients. Measurements: docs/measurements.md.
 */
const LARGEST_NEAR = {
  scan: 16_000,
  'measure-texts': 20_000,
  'measure-structured': 20_000,
  'find-personal-data': 20_000,
  'check-answer': 50_000,
  'pack-result': 200_000,
  'unpack-result': 200_000,
  reveal: 500_000,
  // Must cross back whole.
  parse: 1_000_000,
} as const

export type NearJob = keyof typeof LARGEST_NEAR

/** `input`: its size if known. */
export function isNear(job: NearJob, input: number | object): boolean {
  const largest = LARGEST_NEAR[job]
  return (typeof input === 'number' ? input : jobSize(input, largest + 1)) <= largest
}

export const largestNear = (job: NearJob): number => LARGEST_NEAR[job]
