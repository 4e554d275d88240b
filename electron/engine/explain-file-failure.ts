import { messageOf, SluiceError } from './errors.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to. Give it, or use another data folder (--data-dir)',
  EPERM: 'the system does not allow it. Use another data folder (--data-dir)',
  EROFS: 'the file system is read-only. Use another data folder (--data-dir)',
  ENOSPC: 'the disk is full. Make room, then try again',
  EDQUOT: "this user's share of the disk is used up. Make room, then try again",
  ENOTDIR: 'a part of this path is a file. Use another data folder (--data-dir)',
  EEXIST: 'something that is no folder stands there. Use another data folder (--data-dir)',
  ENOENT: 'the system has no such place. Use another data folder (--data-dir)',
  EISDIR: 'it is a folder. Remove it, or use another data folder (--data-dir)',
}

/** Whether an error is the file system's refusal, which has a plain reason. */
export const isFileFailure = (
  error: unknown,
): error is NodeJS.ErrnoException & { code: string; path: string } =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code in REASONS &&
  'path' in error &&
  typeof error.path === 'string'

/** STORE_FAILED: what could not be done, why, and what to do; `what` names the file or folder. */
export function explainFileFailure(error: unknown, what: string): SluiceError {
  const reason = isFileFailure(error) ? REASONS[error.code] : undefined
  return new SluiceError('STORE_FAILED', `${what}: ${reason ?? messageOf(error)}.`, { cause: error })
}
