/** Distinguishes clients named by wrapping from those with the same self-reported name. */
export interface ClientNames {
  /** A client came with a name that wrapping wrote (`--client`). */
  isNamed(name: string): void
  /** Name of a self-reported client; changed if wrapping gave that name to another. */
  ofItself(name: string): string
}

/**
 * Stored results, placeholders and releases belong to client names. `wrapped`: names written by wrapping, read with
 * the first self-reported client.
 */
export function createClientNames(wrapped: () => Iterable<string>): ClientNames {
  let names: Set<string> | undefined
  const known = (): Set<string> => (names ??= new Set(wrapped()))
  return {
    isNamed: (name) => void known().add(name),
    ofItself: (name) => (known().has(name) ? `${name} (not wrapped)` : name),
  }
}
