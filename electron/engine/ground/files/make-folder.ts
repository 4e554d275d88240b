import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { explainFileFailure } from './explain-file-failure.ts'

/** For this user only. Stepwise, because Node's recursive form never returns below /proc. Throws STORE_FAILED. */
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
    // Created by another process meanwhile; anything else here isn't a folder.
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    const above = dirname(path)
    if (code !== 'ENOENT' || above === path || statSync(above, { throwIfNoEntry: false })) throw error
    makeStep(above)
    mkdirSync(path, { mode: 0o700 })
  }
}
