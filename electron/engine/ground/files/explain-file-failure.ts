import { basename } from 'node:path'
import { messageOf, SluiceError } from '../errors.ts'

const FULL = 'the disk is full. Make room, then try again'
const FULL_OR_SHARE = "the disk is full, or this user's share of it is used up. Make room, then try again"

const NOT_ALLOWED =
  'it may not be written to or opened. Give this user the right to, or use another data folder (--data-dir)'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to. Give it, or use another data folder (--data-dir)',
  EPERM: 'the system does not allow it. Use another data folder (--data-dir)',
  EROFS: 'the file system is read-only. Use another data folder (--data-dir)',
  ENOSPC: FULL,
  EDQUOT: "this user's share of the disk is used up. Make room, then try again",
  ENOTDIR: 'a part of this path is a file. Use another data folder (--data-dir)',
  EEXIST: 'a file with this name exists, and it is not a folder. Use another data folder (--data-dir)',
  ENOENT: 'the system has no such place. Use another data folder (--data-dir)',
  EISDIR: 'it is a folder. Move it away, or use another data folder (--data-dir)',
  ENAMETOOLONG: 'its name is longer than the system allows. Use another data folder (--data-dir)',
  ELOOP: 'its links lead to each other. Correct them, or use another data folder (--data-dir)',
}

/** Full disk: FULL, IOERR_WRITE and IOERR_SHMSIZE, also for a used-up quota. */
const SQLITE_REASONS: Readonly<Record<number, string>> = {
  13: FULL,
  778: FULL_OR_SHARE,
  4874: FULL_OR_SHARE,
}

/** If the extended code isn't listed. */
const DATABASE_REASONS: Readonly<Record<number, string>> = {
  8: NOT_ALLOWED,
  10: 'the disk reports a fault. See that it works and has room, then try again',
  14: NOT_ALLOWED,
}

const databaseReason = (error: unknown): string | undefined => {
  const code = sqliteCodeOf(error) ?? 0
  return SQLITE_REASONS[code] ?? DATABASE_REASONS[code & 0xff]
}

/** SQLite's errors name neither file nor remedy: adds both for file system causes and keeps the code. */
export function explainingDatabase<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = databaseReason(error)
    if (reason !== undefined && error instanceof Error && !('path' in error)) {
      error.message = `${basename(path)} in Sluice's data folder can't be used: ${reason}. (SQLite: ${error.message})`
      Object.assign(error, { path })
    }
    throw error
  }
}

export const isDatabaseFailure = (error: unknown): boolean =>
  error instanceof Error && 'path' in error && databaseReason(error) !== undefined

/** Node's errors of writing, unlike those of opening, name no file. */
export function namingFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path })
    throw error
  }
}

/** With a known reason. */
export const isFileFailure = (
  error: unknown,
): error is NodeJS.ErrnoException & { code: string; path: string } =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code in REASONS &&
  'path' in error &&
  typeof error.path === 'string'

const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'])

/** By the system's or SQLite's code (READONLY, CANTOPEN, full disk). */
export function isUnwritable(error: unknown): boolean {
  if (isFileFailure(error)) return UNWRITABLE.has(error.code)
  const code = sqliteCodeOf(error)
  return code !== undefined && ([8, 14].includes(code & 0xff) || code in SQLITE_REASONS)
}

export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) || (sqliteCodeOf(error) ?? 0) in SQLITE_REASONS

/** Extended; undefined for other errors. */
export const sqliteCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined

export function explainFileFailure(error: unknown, what: string): SluiceError {
  const reason = REASONS[codeOf(error)] ?? databaseReason(error) ?? messageOf(error).replace(/\.$/, '')
  return new SluiceError('STORE_FAILED', `${what}: ${reason}.`, { cause: error })
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
