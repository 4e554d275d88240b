import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './lists.ts'

export interface CopyOfTree {
  readonly folder: string
  remove(): void
}

/** The work tree without ignored files, with the same packages and build, in a temporary folder. */
export function copyOfTree(): CopyOfTree {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  for (const path of listed.toString('utf8').split('\0')) {
    // Git also lists uncommitted deletions.
    if (path === '' || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { preserveTimestamps: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  if (existsSync(join(root, 'dist')))
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, preserveTimestamps: true })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
