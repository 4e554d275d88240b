import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { SluiceError } from '../errors.ts'
import { explainFileFailure } from './explain-file-failure.ts'

/** So that what can't be read isn't taken for empty. A missing folder is empty. Throws STORE_FAILED. */
export function requireFolder(path: string): void {
  const refuse = (why: string): never => {
    throw new SluiceError('STORE_FAILED', `The data folder ${path} can't be used: ${why}`)
  }
  try {
    if (!statSync(path).isDirectory()) refuse('it is a file. Use another data folder (--data-dir).')
    accessSync(path, constants.R_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof SluiceError) throw error
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing) throw explainFileFailure(error, `The data folder ${path} can't be used`)
    if (lstatSync(path, { throwIfNoEntry: false }))
      refuse(
        'it is a link to a place that is not there. Correct the link, or use another data folder (--data-dir).',
      )
  }
}
