import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmod, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { explainFileFailure } from '../../ground/files/explain-file-failure.ts'
import { makeFolder } from '../../ground/files/make-folder.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/**
 * 32 random bytes in base64url, created once in `token`, for this user only. Concurrent processes get the same.
 * Rejects with STORE_FAILED.
 */
export async function readAccessToken(dataDir: string): Promise<string> {
  const path = join(dataDir, 'token')
  const known = await readToken(path)
  if (known) return known
  makeFolder(dataDir)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    await rm(draft, { force: true })
    throw explainFileFailure(error, `The access token ${path} can't be written`)
  }
  try {
    // Unlike a rename, a link never replaces another process's token.
    await link(draft, path)
  } catch {
    // Exists or damaged, or no hard links here.
    if (!(await readToken(path))) await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  return (await readToken(path)) ?? readAccessToken(dataDir)
}

async function readToken(path: string): Promise<string | undefined> {
  const token = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (!TOKEN.test(token)) return undefined
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
  return token
}

/** In constant time. */
export function isSameToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
