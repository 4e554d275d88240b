export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homeDir: string
  readonly tempDir: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly version: string
}
