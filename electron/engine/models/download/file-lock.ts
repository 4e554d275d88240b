import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SluiceError } from '../../ground/errors.ts'

/**
 * Prevents another Sluice process from downloading the same model. Returns the release function; throws BAD_INPUT if
 * it is locked. Takes over locks of crashed processes.
 */
export function lockDownload(path: string, name: string): () => void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      if (isHeld(path)) {
        throw new SluiceError(
          'BAD_INPUT',
          `${name} is being downloaded by another Sluice process. Wait for it, or stop it there.`,
        )
      }
      rmSync(path, { force: true })
    }
  }
  throw new SluiceError('BAD_INPUT', `${name} is being downloaded by another Sluice process.`)
}

/** Whether a running process holds it. */
export function isHeld(path: string): boolean {
  let holder: number
  try {
    holder = Number(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
  try {
    process.kill(holder, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
