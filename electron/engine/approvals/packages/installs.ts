/** With its content hash, if recorded. */
export interface Install {
  readonly version: string
  readonly integrity?: string
}

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homeDir: string
  readonly tempDir: string
  /** Undefined if unreadable. */
  text(path: string): string | undefined
  /** Sorted; empty if not a folder. */
  names(folder: string): readonly string[]
}

/** In order of the specifiers. */
export type FindInstalls = (
  specifiers: readonly string[],
  machine: Machine,
) => { readonly name: string; readonly installs: readonly Install[] }[]
