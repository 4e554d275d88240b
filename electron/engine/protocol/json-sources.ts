export const SOURCES = Symbol('sluice.sources')

/** Where JavaScript writes members differently. */
export interface Sources {
  readonly written: ReadonlyMap<string, readonly [value: unknown, text: string]>
  /** If JavaScript's differs. */
  readonly order: readonly string[] | undefined
}

export interface Noted {
  [SOURCES]?: Sources
}

/** Spreading copies it; JSON, structured clones and Object.keys ignore it. */
export function setSources(container: object, sources: Sources): void {
  ;(container as Noted)[SOURCES] = sources
}
