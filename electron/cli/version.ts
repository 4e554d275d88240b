import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function readVersion(folder: string = import.meta.dirname): string {
  const path = join(folder, 'package.json')
  if (existsSync(path)) {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (
      typeof manifest === 'object' &&
      manifest !== null &&
      'name' in manifest &&
      manifest.name === 'sluice'
    ) {
      return 'version' in manifest ? String(manifest.version) : 'unknown'
    }
  }
  return dirname(folder) === folder ? 'unknown' : readVersion(dirname(folder))
}
