import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
export const CLI_SOURCE = join(root, 'electron/cli.ts')
export const CLI_BUILD = join(root, 'dist/electron/cli.js')

/** Sources of the build. */
const FOLDERS = ['electron', 'shared', 'renderer', 'resources']
const FILES = ['vite.config.ts', 'package.json', 'package-lock.json']

/** Whether a build exists and none of its sources changed since. */
export function isBuildFresh(): boolean {
  if (!existsSync(CLI_BUILD)) return false
  const built = statSync(CLI_BUILD).mtimeMs
  const isOlder = (path: string): boolean => statSync(path).mtimeMs <= built
  return (
    FILES.every((file) => isOlder(join(root, file))) &&
    FOLDERS.every(
      (folder) =>
        isOlder(join(root, folder)) &&
        readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).every((entry) =>
          isOlder(join(entry.parentPath, entry.name)),
        ),
    )
  )
}
