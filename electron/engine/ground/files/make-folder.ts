import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { explainFileFailure } from './explain-file-failure.ts'

/**
 * Makes a folder and those above it, closed to other users. Node's own recursive form never returns below /proc, so the
 * steps are taken one by one. Throws STORE_FAILED with a reason and a way out.
 */
export function makeFolder(path: string): void {
  try {
    makeStep(path)
  } catch (error) {
    throw explainFileFailure(error, `The folder ${path} can't be made`)
  }
}

function makeStep(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Another process may have made it in between; anything else that stands there is no folder.
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    const above = dirname(path)
    if (code !== 'ENOENT' || above === path || statSync(above, { throwIfNoEntry: false })) throw error
    makeStep(above)
    mkdirSync(path, { mode: 0o700 })
  }
}
