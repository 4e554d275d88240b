import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { addToSums, HOUR_MS } from '../../electron/engine/ledger/call-sums.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { migrations } from '../../electron/engine/ground/database/migrations/migrations.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

const SUMS = 8
const old = {
  id: 'c_old',
  client: 'an app',
  session: 'old',
  server: 's',
  tool: 'huge',
  outcome: 'ok',
  tokensBefore: 5000,
  tokensAfter: 400,
  tokensAdded: 0,
  strategy: 'log',
  resultId: undefined,
  ms: 12,
  cached: false,
  note: undefined,
} as const

/** Every schema of sluice.db since it stores calls: all data stays. */
test.each(migrations.slice(1, -1).map(({ version }) => version))(
  'a data folder of an older Sluice, schema %i, keeps its record of calls and goes on',
  async (version) => {
    const folder = temporaryFolder()
    const path = join(writeConfig(join(folder, 'data'), {}), 'sluice.db')
    const database = openDatabase({
      path,
      logger: silentLogger,
      now: Date.now,
      migrations: migrations.slice(0, version),
    })
    database.close()
    const at = Date.now() - 2 * HOUR_MS
    const raw = new DatabaseSync(path)
    raw
      .prepare(
        `INSERT INTO calls (id, at, client, session, server, tool, outcome, tokens_before, tokens_after, strategy, ms)
         VALUES ('c_old', ?, 'an app', 'old', 's', 'huge', 'ok', 5000, 400, 'log', 12)`,
      )
      .run(at)
    // Since that schema each call is counted as it is written, and a report reads the sums of whole hours.
    if (version >= SUMS) addToSums(raw, [{ ...old, at }])
    raw.close()

    const ends: (() => Promise<void> | void)[] = []
    onTestFinished(async () => {
      for (const end of ends.reverse()) await end()
    })
    const { engine, connect } = await engineWorld(
      { s: testServer('misbehaving') },
      { approvals: { firstSight: 'trust' } },
      { folder, whenDone: (end) => void ends.push(end) },
    )
    const { call } = await connect()
    expect(await call('huge', { bytes: 60_000 })).toContain('proxy_')
    await expect.poll(() => engine.ledger.recentCalls(10)).toHaveLength(2)
    const [, first] = await engine.ledger.recentCalls(10)
    expect(first).toMatchObject({ id: 'c_old', tokensBefore: 5000, tokensAfter: 400, strategy: 'log' })
    const { totals } = await engine.ledger.report({ from: 0, to: Date.now() + 1000 })
    expect(totals.calls).toBe(2)
  },
)
