import { messageOf, SluiceError } from '../engine/ground/errors.ts'
import {
  explainFileFailure,
  isDatabaseFailure,
  isFileFailure,
} from '../engine/ground/files/explain-file-failure.ts'

/** Sluice's own errors are complete; others are faults whose stack --verbose shows. */
export function describeError(error: unknown, verbose: boolean): string {
  if (verbose && error instanceof Error && error.stack !== undefined) {
    return error.cause === undefined
      ? error.stack
      : `${error.stack}\ncaused by ${describeError(error.cause, true)}`
  }
  if (isFileFailure(error)) return explainFileFailure(error, `${error.path} can't be used`).message
  const hint =
    error instanceof SluiceError || isDatabaseFailure(error) ? '' : ' (--verbose shows where this comes from)'
  return `${messageOf(error)}${hint}`
}
