import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For one run of the tests Node keeps what it has compiled, since they start more than a thousand processes of the same few
 * dozen programs. It keeps it in a folder of the run's own: nothing may stay behind.
 */
export function setup(): (() => void) | undefined {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  process.env['NODE_COMPILE_CACHE'] = folder
  // A process that is still ending may write into it.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** What a process needs of this in an environment of its own. */
export function compiledCode(): { NODE_COMPILE_CACHE?: string } {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}
