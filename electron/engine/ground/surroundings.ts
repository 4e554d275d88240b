/** What decides where programs keep their files. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homeDir: string
}

/** Only the entry points read it; all else gets it as an argument. */
export interface Surroundings extends Machine {
  readonly tempDir: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly version: string
}
