import type { Surroundings } from '../../ground/surroundings.ts'

/** With its content hash, if recorded. */
export interface Install {
  readonly version: string
  readonly integrity?: string
}

export interface PackageFiles extends Pick<Surroundings, 'env' | 'platform' | 'homeDir' | 'tempDir'> {
  /** Undefined if unreadable. */
  text(path: string): string | undefined
  /** Sorted; empty if not a folder. */
  names(folder: string): readonly string[]
}

/** In order of the specifiers. */
export type FindInstalls = (
  specifiers: readonly string[],
  machine: PackageFiles,
) => { readonly name: string; readonly installs: readonly Install[] }[]
