import { Vault, type NextNumber } from './vault.ts'

export interface ClientVaults {
  /** What the client knows and servers must not see. */
  readonly hiddenFromServers: Vault
  /** What servers know and the model must not see. Apart from the other, or an echo would give it away. */
  readonly hiddenFromModel: Vault
}

export interface Vaults {
  /** The vaults of a call's client, kept at least until this session of it has ended. */
  open(clientName: string, sessionId: string): ClientVaults
  /** Those that there are already. */
  current(clientName: string): ClientVaults | undefined
  /** Every vault there is. */
  all(): Vault[]
  /** Forgets every value of a client whose last session this was. */
  endSession(sessionId: string): void
}

/**
 * Vaults by client and not by connection: wrapped, a client has one connection for each server, and what one server's
 * result hid has to mean the same to the next server.
 */
export function createVaults(nextNumber: NextNumber): Vaults {
  const clients = new Map<string, { vaults: ClientVaults; sessions: Set<string> }>()
  return {
    open: (clientName, sessionId) => {
      const known = clients.get(clientName) ?? {
        vaults: { hiddenFromServers: new Vault(nextNumber), hiddenFromModel: new Vault(nextNumber) },
        sessions: new Set(),
      }
      clients.set(clientName, known)
      known.sessions.add(sessionId)
      return known.vaults
    },
    current: (clientName) => clients.get(clientName)?.vaults,
    all: () =>
      [...clients.values()].flatMap(({ vaults }) => [vaults.hiddenFromServers, vaults.hiddenFromModel]),
    endSession: (sessionId) => {
      for (const [clientName, { sessions }] of clients) {
        if (sessions.delete(sessionId) && sessions.size === 0) clients.delete(clientName)
      }
    },
  }
}
