/** Tells clients apart that wrapping named from those that only call themselves so. */
export interface ClientNames {
  /** A client came with a name that wrapping wrote (`--client`). */
  isNamed(name: string): void
  /** The name of a client that has only its own word for it: another one where wrapping gave that name to somebody else. */
  ofItself(name: string): string
}

/**
 * Kept results, stand-ins and what was released belong to a client by its name. `wrapped` gives the names that wrapping has
 * written; it is asked when the first client comes that names itself.
 */
export function createClientNames(wrapped: () => Iterable<string>): ClientNames {
  let names: Set<string> | undefined
  const known = (): Set<string> => (names ??= new Set(wrapped()))
  return {
    isNamed: (name) => void known().add(name),
    ofItself: (name) => (known().has(name) ? `${name} (not wrapped)` : name),
  }
}
