import { join } from 'node:path'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { createEvents } from '../../electron/engine/ground/events.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { createLedger } from '../../electron/engine/ledger/ledger.ts'

const DAY_MS = 86_400_000

export interface LedgerNames {
  readonly clients: readonly string[]
  readonly servers: readonly string[]
  readonly tools: readonly string[]
}

const plainNames: LedgerNames = {
  clients: ['claude', 'cursor', 'code'],
  servers: Array.from({ length: 12 }, (_, index) => `server-${index}`),
  tools: Array.from({ length: 40 }, (_, index) => `tool-${index}`),
}

/** Three months of a busy user. */
export function fillLedger(
  dataDir: string,
  rows: number,
  { clients, servers, tools }: LedgerNames = plainNames,
): void {
  const database = openDatabase({ path: join(dataDir, 'sluice.db'), logger: silentLogger, now: Date.now })
  const ledger = createLedger({ database, events: createEvents(silentLogger) })
  const now = Date.now()
  const of = (names: readonly string[], n: number): string => names[n % names.length] ?? ''
  database.transaction(() => {
    for (let n = 0; n < rows; n++) {
      const isLarge = n % 3 === 0
      ledger.recordCall({
        id: `call-${n}`,
        at: now - Math.floor((n / rows) * 90 * DAY_MS),
        client: of(clients, n),
        session: `session-${n % 500}`,
        server: of(servers, n),
        tool: of(tools, n),
        outcome: n % 50 === 0 ? 'error' : 'ok',
        tokensBefore: isLarge ? 5_000 + (n % 9_000) : 200,
        tokensAfter: isLarge ? 950 : 200,
        tokensAdded: 4,
        strategy: isLarge ? ['json', 'log', 'html', 'text'][n % 4] : undefined,
        resultId: isLarge ? `r_${n}` : undefined,
        ms: n % 300,
        cached: false,
        note: undefined,
      })
    }
  })
  database.close()
}
