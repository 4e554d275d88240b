export const SOURCES = Symbol('sluice.sources')

/** How members of one object or list were written, where JavaScript would write them otherwise. */
export interface Sources {
  /** By key or index: the value that a text stands for, and the text. */
  readonly written: ReadonlyMap<string, readonly [value: unknown, text: string]>
  /** The keys as they came, where JavaScript has them in another order. */
  readonly order: readonly string[] | undefined
}

export interface Noted {
  [SOURCES]?: Sources
}

/** Enumerable, so that spreading copies it; JSON, structured clones and Object.keys pass symbols over. */
export function setSources(container: object, sources: Sources): void {
  ;(container as Noted)[SOURCES] = sources
}
