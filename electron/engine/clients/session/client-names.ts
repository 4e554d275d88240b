/** Separates names written by wrapping from equal self-reported names. */
export interface ClientNames {
  /** A client used a name written by wrapping (`--client`). */
  isNamed(name: string): void
  ofItself(name: string): string
}

/**
 * Stored results, placeholders and releases belong to client names. `wrapped`: written by wrapping; read with the
 * first self-reported client.
 */
export function createClientNames(wrapped: () => Iterable<string>): ClientNames {
  let names: Set<string> | undefined
  const known = (): Set<string> => (names ??= new Set(wrapped()))
  return {
    isNamed: (name) => void known().add(name),
    ofItself: (name) => (known().has(name) ? `${name} (not wrapped)` : name),
  }
}
