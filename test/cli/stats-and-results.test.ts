import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { createLedger } from '../../electron/engine/ledger/ledger.ts'
import type { CallRow } from '../../electron/engine/ledger/call-row.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { ResultStore } from '../../electron/engine/results/store.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const now = Date.now()
const DAY = 86_400_000

function openData() {
  const dataDir = temporaryFolder()
  const database = openDatabase({ path: join(dataDir, 'sluice.db'), logger: silentLogger, now: () => now })
  return { dataDir, database, ledger: createLedger({ database }) }
}

const call = (id: string, fields: Partial<CallRow>): CallRow => ({
  id,
  at: now,
  client: 'cursor',
  session: 's',
  server: 'files',
  tool: 'read',
  outcome: 'ok',
  tokensBefore: 14_246,
  tokensAfter: 283,
  tokensAdded: 0,
  strategy: 'json',
  resultId: undefined,
  ms: 1,
  cached: false,
  note: undefined,
  ...fields,
})

test.each([
  ['stats', 'noise', Buffer.from('this is no database at all, '.repeat(400))],
  ['results list', 'noise', Buffer.from('this is no database at all, '.repeat(400))],
  ['quarantine list', 'half', undefined],
  ['stats', 'half', undefined],
])('sluice %s says that the database is damaged (%s), and leaves it as it is', async (command, _, bytes) => {
  const { dataDir, database, ledger } = openData()
  for (let i = 0; i < 400; i++) ledger.recordCall(call(String(i), {}))
  database.close()
  const path = join(dataDir, 'sluice.db')
  const whole = readFileSync(path)
  const damaged = bytes ?? whole.subarray(0, Math.floor(whole.length / 8192) * 4096)
  writeFileSync(path, damaged)
  const { code, stderr, stdout } = await runHere([...command.split(' '), '--data-dir', dataDir])
  expect(stdout).toBe('')
  expect(code).toBe(1)
  expect(stderr).toContain(`${path} is damaged`)
  expect(stderr).toContain('start Sluice: it keeps the damaged file under another name')
  expect(readFileSync(path).equals(damaged)).toBe(true)
  expect(readdirSync(dataDir).filter((name) => name.includes('damaged'))).toEqual([])
})

describe('sluice stats', () => {
  test('today and 7 days, by tool and by server, net', async () => {
    const { dataDir, database, ledger } = openData()
    ledger.recordCall(call('1', {}))
    ledger.recordCall(
      call('2', {
        at: now - 3 * DAY,
        tool: 'list\u001b[2J',
        tokensBefore: 5000,
        tokensAfter: 1000,
        outcome: 'error',
      }),
    )
    ledger.recordCall(call('3', { at: now - 30 * DAY, tool: 'long ago' }))
    await ledger.recordAddition({
      at: now,
      client: 'cursor',
      session: 's',
      server: undefined,
      what: 'tools',
      tokens: 963,
    })
    database.close()

    const { code, stdout } = await runHere(['stats', '--data-dir', dataDir])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^today +1 +14,246 +283 +963 +0 +13,000 +91 %$/m)
    expect(stdout).toMatch(/^7 days +2 +19,246 +1,283 +963 +0 +17,000 +88 %$/m)
    expect(stdout).toMatch(/^files +read +1 +14,246/m)
    expect(stdout).toContain('Calls that failed: 1, were refused: 0')
    expect(stdout).not.toContain('long ago')
    expect(stdout).not.toContain('\u001b')

    const json = await runHere(['stats', '--json', '--data-dir', dataDir])
    expect(JSON.parse(json.stdout)).toMatchObject({
      today: { totals: { net: 13_000 } },
      week: { totals: { net: 17_000 } },
    })
  })

  test('100 % is saved only where nothing was sent, in the report, too', async () => {
    const { dataDir, database, ledger } = openData()
    ledger.recordCall(call('1', { tokensBefore: 5_436_028, tokensAfter: 3_346 }))
    database.close()
    const { stdout } = await runHere(['stats', '--data-dir', dataDir])
    expect(stdout).toMatch(/^today +1 +5,436,028 +3,346 +0 +0 +5,432,682 +99 %$/m)
    const report = await runHere(['report', '--data-dir', dataDir])
    expect(report.stdout).toContain('net, 99 % of what servers answered')
  })

  test('without data it says so, and makes none', async () => {
    const dataDir = join(temporaryFolder(), 'none')
    const { code, stdout } = await runHere(['stats', '--data-dir', dataDir])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No calls in the last 7 days.\n' })
    expect(existsSync(dataDir)).toBe(false)
  })

  test('reads beside a running engine that writes', async () => {
    const { dataDir, database, ledger } = openData()
    ledger.recordCall(call('1', {}))
    database.transaction(() => ledger.recordCall(call('2', {})))
    const { code, stdout } = await runHere(['stats', '--json', '--data-dir', dataDir])
    database.close()
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ today: { totals: { calls: 2 } } })
  })

  test('a database of a newer Sluice is left alone, with a sentence', async () => {
    const { dataDir, database } = openData()
    database.prepare("INSERT INTO migrations (version, name, applied) VALUES (999, 'later', 0)").run()
    database.close()
    const { code, stderr } = await runHere(['stats', '--data-dir', dataDir])
    expect(code).toBe(1)
    expect(stderr).toMatch(/was written by a newer Sluice/)
  })
})

describe('sluice results', () => {
  test('lists what is kept and shows it exactly as it was', async () => {
    const { dataDir, database } = openData()
    const limits = () => ({ ttlMs: DAY, maxBytes: 1e9 })
    const store = new ResultStore({
      database,
      folder: join(dataDir, 'results'),
      logger: silentLogger,
      now: () => now,
      limits,
    })
    const text = 'first line\r\n\ttab \u00e9 \u{1f600}\u0000 last'
    const one = await store.put({
      owner: 'cursor',
      server: 'files',
      tool: 'read',
      result: { content: [{ type: 'text', text }] },
    })
    const two = await store.put({
      owner: 'claude',
      server: 'web',
      tool: 'shot',
      result: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'text', text: 'b' },
        ],
      },
    })
    database.close()

    const list = await runHere(['results', 'list', '--data-dir', dataDir])
    expect(list.stdout).toContain(one.id)
    expect(list.stdout).toContain(two.id)
    const mine = await runHere(['results', 'list', '--client', 'claude', '--json', '--data-dir', dataDir])
    expect(JSON.parse(mine.stdout)).toMatchObject([{ id: two.id, owner: 'claude', server: 'web' }])

    expect((await runHere(['results', 'show', one.id, '--data-dir', dataDir])).stdout).toBe(text)
    const mixed = await runHere(['results', 'show', two.id, '--data-dir', dataDir])
    expect(mixed).toMatchObject({
      code: 0,
      stdout: 'a\nb',
      stderr: 'Part 1 is image (image/png); --json prints it.\n',
    })
    expect((await runHere(['results', 'show', two.id, '--part', '2', '--data-dir', dataDir])).stdout).toBe(
      'b',
    )
    const whole = await runHere(['results', 'show', two.id, '--json', '--data-dir', dataDir])
    expect(JSON.parse(whole.stdout)).toMatchObject({ content: [{}, { data: 'AAAA' }, {}] })
  })

  test('an unknown id: what to do', async () => {
    const dataDir = join(temporaryFolder(), 'none')
    const { code, stderr } = await runHere(['results', 'show', 'r_none', '--data-dir', dataDir])
    expect(code).toBe(2)
    expect(stderr).toBe('sluice: No result "r_none" is kept. `sluice results list` shows all.\n')
    expect((await runHere(['results', 'list', '--data-dir', dataDir])).stdout).toBe('Nothing is kept.\n')
    expect(existsSync(dataDir) && readdirSync(dataDir)).toBe(false)
  })
})
