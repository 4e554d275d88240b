import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For one test run, because it starts more than a thousand processes of a few dozen programs. In the run's own
 * folder: nothing may remain.
 */
export function setup(): (() => void) | undefined {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  process.env['NODE_COMPILE_CACHE'] = folder
  // An ending process may write into it.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** For processes that get no environment, or their own: a server in TypeScript takes twice as long to start without. */
export function compiledCode(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}
