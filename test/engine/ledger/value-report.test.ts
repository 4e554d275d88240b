import { describe, expect, test } from 'vitest'
import { Settings } from '../../../shared/settings.ts'
import { describeWorth } from '../../../shared/describe-worth.ts'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { createLedger } from '../../../electron/engine/ledger/ledger.ts'
import { priceOfClients } from '../../../electron/engine/ledger/model-of-client.ts'
import { valueReport } from '../../../electron/engine/ledger/value-report.ts'
import { createPrices } from '../../../electron/engine/prices/create-prices.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const now = (): number => Date.parse('2026-11-25T12:00:00Z')
const ALL = { from: 0, to: 10_000 }

function openWorld(settings: unknown = {}, chosen?: string) {
  const database = openDatabase({ path: ':memory:', logger: silentLogger, now })
  const ledger = createLedger({ database })
  const prices = createPrices({ dataDir: temporaryFolder(), now, logger: silentLogger })
  if (chosen !== undefined) prices.choose(chosen)
  let count = 0
  const call = (fields: Partial<CallRow>): void =>
    ledger.recordCall({
      id: `c${count++}`,
      at: 100,
      client: 'claude-code',
      session: 's',
      server: 'files',
      tool: 'read',
      outcome: 'ok',
      tokensBefore: 0,
      tokensAfter: 0,
      tokensAdded: 0,
      strategy: 'json',
      resultId: undefined,
      ms: 1,
      cached: false,
      note: undefined,
      ...fields,
    })
  const turn = (at: number, fields: { model?: string; isCompacted?: boolean; session?: string } = {}) =>
    ledger.recordTurns([{ session: 's', client: 'claude-code', at, ...fields }])
  const value = async (range = ALL) =>
    valueReport(await ledger.report(range), priceOfClients(Settings.parse(settings), prices))
  return { ledger, call, turn, value }
}

const opus = { clients: { 'claude-code': { model: 'claude-opus-5.5' } } }

describe('what saved tokens are worth', () => {
  test('without turns: once, as written; of an unknown client: tokens, no money', async () => {
    const { call, value } = openWorld(opus)
    call({ tokensBefore: 1_100_000, tokensAfter: 100_000 })
    call({ client: 'cursor', tokensBefore: 500_000, tool: 'other' })
    const report = await value()
    expect(report.totals).toMatchObject({
      net: 1_500_000,
      worth: { dollars: 5, priced: 1_000_000, later: 0 },
    })
    expect(report.byClient.map(({ client, worth }) => [client, worth.dollars, worth.priced])).toEqual([
      ['claude-code', 5, 1_000_000],
      ['cursor', 0, 0],
    ])
    expect(report.byTool.find(({ tool }) => tool === 'other')?.worth.priced).toBe(0)
    expect(describeWorth(report.totals, report.known, String)).toBe(
      'At list price, for 1000000 of 1500000 net tokens; of the rest the model isn’t known. Each token counts once, as written: later turns of the clients aren’t known.',
    )
  })

  test('the first turn after a result writes it, each later one until a compaction reads it', async () => {
    const { call, turn, value } = openWorld()
    await turn(50, { model: 'claude-opus-5-5' })
    call({ at: 100, tokensBefore: 1_000_000 })
    for (const at of [110, 120, 130]) await turn(at)
    await turn(140, { isCompacted: true })
    await turn(150)
    call({ at: 160, tool: 'last', tokensBefore: 1_000_000 })
    await turn(170)
    const report = await value()
    const worths = Object.fromEntries(report.byTool.map(({ tool, worth }) => [tool, worth]))
    expect(worths['read']).toMatchObject({ later: 2_000_000, priced: 1_000_000 })
    expect(worths['read']?.dollars).toBeCloseTo(5 + 2 * 0.2, 10)
    expect(worths['last']?.dollars).toBeCloseTo(5, 10)
    expect(report.known).toEqual({ turns: 7, sessions: 1, sessionsWithTurns: 1 })
    expect(describeWorth(report.totals, report.known, String)).toMatch(
      /^At list price\. Each token counts once as written, and as read in later turns .*: 7 turns, 1 of 1 sessions\.$/,
    )
    // A report of the past doesn't change with later turns.
    const early = await value({ from: 0, to: 125 })
    expect(early.totals.worth.dollars).toBeCloseTo(5 + 0.2, 10)
  })

  test('what Sluice adds and what is fetched back is taken off, by the same rules', async () => {
    const { ledger, call, turn, value } = openWorld()
    await ledger.recordAddition({
      at: 10,
      client: 'claude-code',
      session: 's',
      server: undefined,
      what: 'tools',
      tokens: 100_000,
    })
    await turn(50, { model: 'claude-opus-5.5' })
    call({ at: 100, tokensBefore: 1_000_000, tokensAdded: 10_000, resultId: 'r_1' })
    await turn(110)
    await ledger.recordFetch({
      at: 120,
      client: 'claude-code',
      resultId: 'r_1',
      tool: 'proxy_read',
      tokens: 200_000,
    })
    await turn(130, { isCompacted: true })
    await turn(140)
    const { totals, byStrategy } = await value()
    expect(totals.net).toBe(1_000_000 - 10_000 - 200_000 - 100_000)
    // Definitions stay in the prompt of each of the four turns: written at the first, read three times.
    const listed = byStrategy.find(({ strategy }) => strategy === '(tool list)')
    expect(listed?.worth.dollars).toBeCloseTo(-0.1 * 5 - 3 * 0.1 * 0.2, 10)
    // The result was written once and left with the compaction; the parameter was output, too.
    const rest = 0.99 * 5 - 0.01 * 20 - 0.2 * 5
    expect(totals.worth.dollars).toBeCloseTo(-0.1 * 5 - 3 * 0.1 * 0.2 + rest, 10)
  })

  test('what was fetched back is written at the next turn, and read at each later one', async () => {
    const { ledger, call, turn, value } = openWorld()
    await turn(50, { model: 'claude-opus-5.5' })
    call({ at: 100, resultId: 'r_2' })
    const fetch = { client: 'claude-code', resultId: 'r_2', tool: 'proxy_read', tokens: 100_000 }
    await ledger.recordFetch({ ...fetch, at: 120 })
    for (const at of [130, 140, 150]) await turn(at)
    const { totals } = await value()
    expect(totals.worth).toMatchObject({ priced: -100_000, later: -200_000 })
    expect(totals.worth.dollars).toBeCloseTo(-0.1 * 5 - 2 * 0.1 * 0.2, 10)
  })

  test('every grouping has the same sum', async () => {
    const { call, turn, value } = openWorld(opus, 'gpt-5.5')
    await turn(1, { model: 'claude-fable-5.2', session: 't' })
    for (const [index, client] of ['claude-code', 'cursor', 'claude-code'].entries())
      call({
        client,
        server: `s${index}`,
        tokensBefore: 1000 * (index + 1),
        session: index === 2 ? 't' : 's',
      })
    const report = await value()
    for (const rows of [report.byServer, report.byTool, report.byClient, report.byStrategy, report.byProject])
      expect(rows.reduce((sum, { worth }) => sum + worth.dollars, 0)).toBeCloseTo(
        report.totals.worth.dollars,
        12,
      )
    expect(report.byModel.map(({ model }) => model).toSorted()).toEqual([
      'claude-fable-5.2',
      'claude-opus-5.5',
      'gpt-5.5',
    ])
  })

  test('a known model without a price is not priced as another', async () => {
    const { call, value } = openWorld({ clients: { 'claude-code': { model: 'llama-9' } } }, 'gpt-5.5')
    call({ tokensBefore: 1000 })
    const { totals, byModel } = await value()
    expect(totals.worth).toEqual({ dollars: 0, priced: 0, laterDollars: 0, later: 0 })
    expect(byModel).toEqual([{ model: '', price: undefined, worth: totals.worth }])
  })

  test('by the folder of the client', async () => {
    const { ledger, call, value } = openWorld(opus)
    await ledger.recordSession({ session: 's', at: 1, client: 'claude-code', project: '/home/me/shop' })
    call({ tokensBefore: 1000 })
    call({ tokensBefore: 500, session: 'unknown' })
    const { byProject } = await value()
    expect(byProject.map(({ project, net }) => [project, net])).toEqual([
      ['/home/me/shop', 1000],
      ['', 500],
    ])
  })
})
