import { expect, test } from 'vitest'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { createLedger } from '../../../electron/engine/ledger/ledger.ts'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { suggestPolicy } from '../../../electron/engine/ledger/tool-needs.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { runHere } from '../../helpers/run-here.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { join } from 'node:path'

test('exploration and repetition count as need, by result, and doctor suggests what would suit', async () => {
  const folder = temporaryFolder()
  const database = openDatabase({ path: join(folder, 'sluice.db'), logger: silentLogger, now: Date.now })
  const ledger = createLedger({ database })
  const at = Date.now() - 1000
  let calls = 0
  const call = (tool: string, resultId: string, more: Partial<CallRow> = {}): void =>
    ledger.recordCall({
      id: `c${calls++}`,
      at,
      client: 'c',
      session: 's',
      server: 'docs',
      tool,
      outcome: 'ok',
      tokensBefore: 20_000,
      tokensAfter: 1000,
      tokensAdded: 0,
      strategy: 'json',
      resultId,
      ms: 1,
      cached: false,
      note: undefined,
      ...more,
    })
  const fetch = (resultId: string, tokens: number): void =>
    void ledger.recordFetch({ at, client: 'c', resultId, tool: 'proxy_read', tokens })
  for (const n of [1, 2, 3]) {
    call('always', `a${n}`)
    call('never', `n${n}`)
    call('whole', `w${n}`, { tokensBefore: 3000 })
    fetch(`w${n}`, 1500)
  }
  fetch('a1', 900)
  fetch('a1', 900)
  fetch('a2', 600)
  // The third was not explored: the call was repeated immediately.
  call('always', 'a3', { note: 'escalation: 2x', tokensAfter: 2000 })
  fetch('n1', 50)

  const needs = await ledger.needs({ from: 0, to: Date.now() })
  expect(needs.map(({ tool, results, again }) => [tool, results, again])).toEqual([
    ['always', 3, 3],
    ['never', 3, 1],
    ['whole', 3, 3],
  ])
  expect(needs.map((need) => suggestPolicy(need)?.compression)).toEqual([
    { maxOutputTokens: 2500 },
    undefined,
    { strategy: 'off' },
  ])
  database.close()
  const { stdout } = await runHere(['doctor', '--offline', '--data-dir', folder])
  expect(stdout).toContain('tool always')
  expect(stdout).toContain('Set its compression.maxOutputTokens to 2500.')
  expect(stdout).not.toContain('tool never')
})
