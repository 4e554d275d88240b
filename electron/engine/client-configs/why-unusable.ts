import { messageOf } from '../ground/errors.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to, by the rights of the file or of its folder',
  EPERM: 'the system does not allow it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: "this user's share of the disk is used up",
  EBUSY: 'another program has it open',
  ELOOP: 'its links lead to each other',
  ENAMETOOLONG: 'its name is longer than the system allows',
  ENOTDIR: 'a part of this path is a file',
}

/** Of an AI app's file. */
export function whyUnusable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? messageOf(error)
}
