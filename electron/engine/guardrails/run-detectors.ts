import { messageOf } from '../ground/errors.ts'
import type { Definition, Detector, Finding } from './detector.ts'

export type DetectorInput =
  | { readonly text: string; readonly definition?: never }
  | { readonly definition: Definition; readonly text?: never }

export interface RunDetectorsOptions {
  /** Per detector. A synchronous one can't be interrupted; both findings and timeout count. */
  readonly timeLimitMs: number
  readonly now: () => number
}

/** In detector order. Throwing, invalid findings or a timeout add 'detector-failed'. */
export async function runDetectors(
  detectors: readonly Detector[],
  input: DetectorInput,
  options: RunDetectorsOptions,
): Promise<Finding[]> {
  const found = await Promise.all(detectors.map((detector) => runOne(detector, input, options)))
  return found.flat()
}

async function runOne(
  detector: Detector,
  input: DetectorInput,
  { timeLimitMs, now }: RunDetectorsOptions,
): Promise<readonly Finding[]> {
  const start = now()
  const failed = (what: string): Finding => ({
    detector: detector.name,
    kind: 'detector-failed',
    score: 1,
    start: 0,
    end: 0,
    reason: `The detector "${detector.name}" ${what}, so nobody has looked at this text.`,
  })
  try {
    const answer =
      input.text === undefined ? detector.scanDefinition(input.definition) : detector.scanText(input.text)
    const findings = answer instanceof Promise ? await beforeTimeout(answer, timeLimitMs) : answer
    if (findings === TOO_LATE) return [failed(`gave no answer within ${timeLimitMs} ms`)]
    if (!Array.isArray(findings)) return [failed('gave an answer that is not a list of findings')]
    const late = now() - start > timeLimitMs
    return late ? [...findings, failed(`took longer than ${timeLimitMs} ms`)] : findings
  } catch (error) {
    return [failed(`failed (${messageOf(error)})`)]
  }
}

const TOO_LATE = Symbol('too late')

async function beforeTimeout<T>(answer: Promise<T>, timeLimitMs: number): Promise<T | typeof TOO_LATE> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<typeof TOO_LATE>((resolve) => {
    timer = setTimeout(() => resolve(TOO_LATE), timeLimitMs)
  })
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}
