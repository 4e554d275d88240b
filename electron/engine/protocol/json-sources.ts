export const SOURCES = Symbol('sluice.sources')

/** Source texts of one object's or list's members, where JavaScript writes them differently. */
export interface Sources {
  /** By key or index: the value and its source text. */
  readonly written: ReadonlyMap<string, readonly [value: unknown, text: string]>
  /** Source key order, if JavaScript's differs. */
  readonly order: readonly string[] | undefined
}

export interface Noted {
  [SOURCES]?: Sources
}

/** Enumerable, so that spreading copies it; JSON, structured clones and Object.keys ignore symbols. */
export function setSources(container: object, sources: Sources): void {
  ;(container as Noted)[SOURCES] = sources
}
