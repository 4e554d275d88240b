import { Vault, type NextNumber } from './vault.ts'

export interface ClientVaults {
  /** Known to the client, hidden from servers. */
  readonly hiddenFromServers: Vault
  /** Known to servers, hidden from the model. Separate, because an echo would reveal the other's. */
  readonly hiddenFromModel: Vault
}

export interface Vaults {
  /** Kept until this session has ended. */
  open(clientName: string, sessionId: string): ClientVaults
  current(clientName: string): ClientVaults | undefined
  all(): Vault[]
  /** With a client's last session. */
  endSession(sessionId: string): void
}

/** Not per connection: a wrapped client has one per server, and placeholders must mean the same on all. */
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
