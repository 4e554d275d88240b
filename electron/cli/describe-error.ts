import { messageOf, SluiceError } from '../engine/ground/errors.ts'
import {
  explainFileFailure,
  isDatabaseFailure,
  isFileFailure,
} from '../engine/ground/files/explain-file-failure.ts'

/** What `replaceFile` and a fresh database append before they rename. */
const BESIDE = /\.(?:[0-9a-f]{12}\.tmp|new-[0-9a-f-]{36})$/

/** Sluice's own errors are complete; others are faults whose stack --verbose shows. */
export function describeError(error: unknown, verbose: boolean): string {
  if (verbose && error instanceof Error && error.stack !== undefined) {
    return error.cause === undefined
      ? error.stack
      : `${error.stack}\ncaused by ${describeError(error.cause, true)}`
  }
  if (isFileFailure(error)) {
    const path = error.path.replace(BESIDE, '')
    return explainFileFailure(error, `${path} can't be used`).message
  }
  const hint =
    error instanceof SluiceError || isDatabaseFailure(error) ? '' : ' (--verbose shows where this comes from)'
  return `${messageOf(error)}${hint}`
}
