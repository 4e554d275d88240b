import type { ClientFiles } from './client-files.ts'

/** The folder's name, with a number where it is taken. */
export function freeFolder(files: Pick<ClientFiles, 'facts'>, folder: string): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? folder : `${folder}-${number}`
    if (!files.facts(candidate)) return candidate
  }
}
