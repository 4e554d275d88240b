import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeFolder } from './remove-folder.ts'

/** Removed at the running test's end, or by `whenDone`. */
export function temporaryFolder(whenDone: (end: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  whenDone(() => removeFolder(folder))
  return folder
}
