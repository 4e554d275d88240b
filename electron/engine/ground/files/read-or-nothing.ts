import { readFileSync } from 'node:fs'

/** Undefined for what can't be read. */
export function readOrNothing(path: string | URL): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
