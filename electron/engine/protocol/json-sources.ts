export const SOURCES = Symbol('sluice.sources')

/** Source texts, where JavaScript writes members differently. */
export interface Sources {
  /** By key or index. */
  readonly written: ReadonlyMap<string, readonly [value: unknown, text: string]>
  /** Source key order, if JavaScript's differs. */
  readonly order: readonly string[] | undefined
}

export interface Noted {
  [SOURCES]?: Sources
}

/** Spreading copies it; JSON, structured clones and Object.keys ignore it. */
export function setSources(container: object, sources: Sources): void {
  ;(container as Noted)[SOURCES] = sources
}
