import { SluiceError } from '../engine/ground/errors.ts'

/** For a file that the user named. */
export const unwritableFile = (path: string, cause: unknown): SluiceError =>
  new SluiceError('BAD_INPUT', `${path} can't be written. Name another file.`, { cause })
