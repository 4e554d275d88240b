import { onTestFinished } from 'vitest'
import { ApprovalGate } from '../../electron/engine/approvals/approval-gate.ts'
import { pinMigrations } from '../../electron/engine/approvals/pin-migrations.ts'
import { PinStore } from '../../electron/engine/approvals/pin-store.ts'
import { pendingHash } from '../../electron/engine/approvals/pending-hash.ts'
import type { PendingChange } from '../../electron/engine/approvals/pin.ts'
import type { Offer } from '../../electron/engine/approvals/pinned-item.ts'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import type { ServerSettings } from '../../shared/settings.ts'

export const tool = (over: JsonObject = {}): JsonObject => ({
  name: 'search',
  title: 'Search',
  description: 'Finds things.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to find.' },
      options: {
        type: 'object',
        properties: {
          order: { type: 'string', enum: ['asc', 'desc'], default: 'asc', description: 'Which way.' },
        },
      },
    },
    required: ['query'],
  },
  outputSchema: { type: 'object', properties: { hits: { type: 'array', items: { type: 'string' } } } },
  annotations: { readOnlyHint: true },
  ...over,
})

export const baseOffer: Offer = {
  announced: {},
  instructions: 'Use search first.',
  tools: [tool(), { name: 'fetch', description: 'Fetches.', inputSchema: { type: 'object' } }],
  prompts: [{ name: 'ask', description: 'Asks.', arguments: [{ name: 'topic', description: 'Of what.' }] }],
  resources: [{ uri: 'file:///a', name: 'a' }],
  templates: [{ uriTemplate: 'file:///{path}', name: 'any' }],
}
export const settings: ServerSettings = { command: 'server', args: ['--x'], env: { TOKEN: 'secret' } }

/** Over a real store in memory, with one server. */
export function createGate(firstSight: 'ask' | 'trust' = 'ask') {
  let time = 1000
  const now = (): number => time++
  const database = openDatabase({ path: ':memory:', logger: silentLogger, now, migrations: pinMigrations })
  onTestFinished(() => database.close())
  const store = new PinStore(database, now)
  const asked: PendingChange[] = []
  let sight = firstSight
  let homeDir: string | undefined
  const gate = new ApprovalGate({
    store,
    firstSight: () => sight,
    resolvePackages: () => [],
    get homeDir() {
      return homeDir
    },
    logger: silentLogger,
    now,
    onPending: (_server, changes) => asked.push(...changes),
  })
  const check = (offer: Offer = baseOffer, launched: ServerSettings = settings, home?: string) => {
    homeDir = home
    return gate.check({ serverId: 'x', settings: launched, offer })
  }
  const approveAll = (): void => {
    const { identity } = check()
    store.approve(identity, new Set(store.pending(identity).map(pendingHash)), 'test')
  }
  const trust = (): void => void (sight = 'trust')
  /** As on a full disk: only reading works. */
  const setWritable = (isWritable: boolean): void =>
    void database.prepare(`PRAGMA query_only = ${isWritable ? 0 : 1}`).run()
  return { store, gate, check, approveAll, asked, trust, setWritable }
}
