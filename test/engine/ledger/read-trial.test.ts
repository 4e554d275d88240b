import { expect, test } from 'vitest'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { createLedger } from '../../../electron/engine/ledger/ledger.ts'

test('both groups side by side: read back, repeated, the next call failed, later calls and turns', async () => {
  const database = openDatabase({ path: ':memory:', logger: silentLogger, now: () => 0 })
  const ledger = createLedger({ database })
  const call = (id: string, at: number, fields: Partial<CallRow> = {}): void =>
    ledger.recordCall({
      id,
      at,
      client: 'c',
      session: 's',
      server: 'files',
      tool: 'read',
      outcome: 'ok',
      tokensBefore: 5000,
      tokensAfter: 1000,
      tokensAdded: 0,
      strategy: 'json',
      resultId: `r_${id}`,
      ms: 1,
      cached: false,
      note: undefined,
      trial: 'shortened',
      ...fields,
    })
  const held = { trial: 'held', tokensAfter: 5000, resultId: undefined } as const
  call('a', 10)
  call('b', 20, { outcome: 'error', trial: undefined })
  call('c', 30, { note: 'escalation: 2x' })
  call('d', 40, held)
  call('e', 50, { ...held, session: 'other' })
  call('outside', 100)
  call('late', 95, { trial: undefined, session: 'another' })
  await ledger.recordTurns([5, 15, 35, 45].map((at) => ({ session: 's', client: 'c', at })))
  await ledger.recordFetch({ at: 45, client: 'c', resultId: 'r_c', tool: 'proxy_read', tokens: 100 })
  // After the range.
  await ledger.recordFetch({ at: 150, client: 'c', resultId: 'r_a', tool: 'proxy_read', tokens: 100 })
  const { held: whole, shortened } = await ledger.trial({ from: 0, to: 100 })

  expect(shortened).toMatchObject({
    results: 2,
    before: 10_000,
    after: 2000,
    fetched: { of: 2, value: 0.5 },
    repeated: { of: 2, value: 0.5 },
    nextFailed: { of: 2, value: 0.5 },
    laterCalls: { of: 2, value: 2 },
    laterTurns: { of: 2, value: 2.5 },
  })
  expect(shortened.fetched.low).toBeCloseTo(0.0945, 3)
  expect(whole).toMatchObject({
    results: 2,
    before: 10_000,
    after: 10_000,
    fetched: { of: 2, value: 0 },
    nextFailed: { of: 0, value: 0, low: 0, high: 1 },
    laterTurns: { of: 1, value: 1 },
  })
})
