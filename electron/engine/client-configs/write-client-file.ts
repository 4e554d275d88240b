import { SluiceError } from '../ground/errors.ts'
import { whyUnusable } from './why-unusable.ts'
import type { ClientFiles } from './client-files.ts'
import type { LoadedFile } from './load-client-file.ts'
import { hashOf } from './load-client-file.ts'

/** Writes nothing. */
export function checkWritable({ path, target, facts }: LoadedFile): void {
  if ((facts.mode & 0o222) !== 0) return
  throw new SluiceError(
    'CLIENT_FILE_UNWRITABLE',
    `${path === target ? path : `${target} (behind ${path})`} is marked read-only, so nothing was changed. Make it writable first.`,
  )
}

/**
 * Keeps mode and owner, and reads back. Throws CLIENT_FILE_CHANGED or CLIENT_FILE_UNWRITABLE, leaving the file as it
 * was or as another program left it.
 */
export function writeClientFile(file: LoadedFile, bytes: Uint8Array, files: ClientFiles): void {
  checkUnchanged(file, files)
  try {
    files.replace(file.target, bytes, file.facts)
  } catch (error) {
    throw new SluiceError(
      'CLIENT_FILE_UNWRITABLE',
      `${file.target} can't be written (${whyUnusable(error)}). If an app has it open, close the app and try again. Nothing was changed.`,
      { cause: error },
    )
  }
  if (hashOf(readAgain(file, files)) === hashOf(bytes)) return
  throw new SluiceError(
    'CLIENT_FILE_CHANGED',
    `Another program wrote to ${file.path} at the same moment, and its version is in effect now. Close the app that uses this file, then try again.`,
  )
}

export function checkUnchanged(file: LoadedFile, files: ClientFiles): void {
  if (hashOf(readAgain(file, files)) === file.hash) return
  throw new SluiceError(
    'CLIENT_FILE_CHANGED',
    `${file.path} was changed meanwhile, so nothing was written. Look at the change again.`,
  )
}

function readAgain({ path, target }: LoadedFile, files: ClientFiles): Uint8Array {
  try {
    return files.read(target)
  } catch (error) {
    throw new SluiceError('CLIENT_FILE_CHANGED', `${path} can't be read any more (${whyUnusable(error)}).`, {
      cause: error,
    })
  }
}
