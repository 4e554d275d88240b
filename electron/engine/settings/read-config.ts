import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { SluiceError } from '../ground/errors.ts'
import { explainFileFailure } from '../ground/files/explain-file-failure.ts'

/** A large setup has some thousand bytes; parsing more than this stops everything for a while. */
const MOST_BYTES = 16_000_000

/** Undefined if missing. What exists and can't be read isn't taken for missing: throws SETTINGS_INVALID. */
export function readConfig(path: string): string | undefined {
  const refuse = (why: string): never => {
    throw new SluiceError('SETTINGS_INVALID', `${path} can't be read: ${why}`)
  }
  try {
    const stats = statSync(path)
    if (!stats.isFile() && !stats.isDirectory())
      refuse('it is not a regular file. Put your settings into one with this name.')
    if (stats.size > MOST_BYTES && stats.isFile())
      refuse(
        `it has ${stats.size} bytes, and settings at most ${MOST_BYTES}. See what was written into it, and shorten it.`,
      )
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof SluiceError) throw error
    if (codeOf(error) !== 'ENOENT') {
      const { message } = explainFileFailure(error, `${path} can't be read`)
      throw new SluiceError('SETTINGS_INVALID', message, { cause: error })
    }
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      refuse(
        `it is a link to ${readlinkSync(path)}, which is not there. Bring that file back, or remove the link.`,
      )
    return undefined
  }
}

/** As `readConfig`; undefined also for what it refuses, because a later read names the reason. */
export function readConfigOrNothing(path: string): string | undefined {
  try {
    return readConfig(path)
  } catch {
    return undefined
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
