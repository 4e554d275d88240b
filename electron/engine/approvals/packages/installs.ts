/** An installed version with its content hash, if recorded. */
export interface Install {
  readonly version: string
  readonly integrity?: string
}

/** Package managers' folders and file access. No network. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homeDir: string
  readonly tempDir: string
  /** Undefined for what can't be read. */
  text(path: string): string | undefined
  /** Names in a folder, sorted; empty for what is none. */
  names(folder: string): readonly string[]
}

/** What is installed for each of these specifiers, in their order. */
export type FindInstalls = (
  specifiers: readonly string[],
  machine: Machine,
) => { readonly name: string; readonly installs: readonly Install[] }[]
