import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { createLedger } from '../../../electron/engine/ledger/ledger.ts'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { LIST_ROW, OWN_SERVER } from '../../../electron/engine/ledger/ledger-entries.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { SCREENS_CLIENT } from '../../../shared/screens-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const NOON = Date.UTC(2026, 2, 1, 12)
const HOUR = 3_600_000
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER }

function open() {
  const database = openDatabase({
    path: `${temporaryFolder()}/sluice.db`,
    logger: silentLogger,
    now: () => NOON,
  })
  onTestFinished(() => database.close())
  const events = createEvents(silentLogger)
  return { database, events, ledger: createLedger({ database, events }) }
}

let lastId = 0
const call = (fields: Partial<CallRow> = {}): CallRow => ({
  id: `call-${String(++lastId).padStart(6, '0')}`,
  at: NOON,
  client: 'cursor',
  session: 's1',
  server: 'files',
  tool: 'read',
  outcome: 'ok',
  tokensBefore: 1000,
  tokensAfter: 100,
  tokensAdded: 0,
  strategy: 'json',
  resultId: undefined,
  ms: 1.5,
  cached: false,
  note: undefined,
  ...fields,
})

describe('createLedger', () => {
  test('keeps a call as it was, tells of it once, and gives the youngest first', async () => {
    const { ledger, events } = open()
    const told: CallRow[] = []
    events.on('call-recorded', (row) => told.push(row))
    const first = call({ resultId: 'r_1', cached: true, note: 'why', outcome: 'error' })
    const second = call({ at: NOON + 1, strategy: undefined })
    ledger.recordCall(first)
    ledger.recordCall(second)
    expect(await ledger.recentCalls(10)).toEqual([second, first])
    expect(await ledger.recentCalls(1)).toEqual([second])
    expect(told).toEqual([first, second])
  })

  test('an empty ledger reports zeros', async () => {
    const { totals, byTool } = await open().ledger.report(ALL)
    expect(totals).toEqual({
      calls: 0,
      errors: 0,
      refused: 0,
      cancelled: 0,
      cached: 0,
      before: 0,
      after: 0,
      added: 0,
      fetched: 0,
      net: 0,
    })
    expect(byTool).toEqual([])
  })

  test('savings are net: what Sluice added and what was fetched later is taken off', async () => {
    const { ledger } = open()
    ledger.recordCall(call({ resultId: 'r_1', tokensAdded: 10 }))
    await ledger.recordFetch({ at: NOON, client: 'cursor', resultId: 'r_1', tool: 'proxy_read', tokens: 300 })
    await ledger.recordFetch({
      at: NOON,
      client: 'cursor',
      resultId: 'r_1',
      tool: 'proxy_search',
      tokens: 50,
    })
    await ledger.recordAddition({
      at: NOON,
      client: 'cursor',
      session: 's1',
      server: undefined,
      what: 'tools',
      tokens: 200,
    })
    const { totals } = await ledger.report(ALL)
    expect(totals).toMatchObject({ calls: 1, before: 1000, after: 100, added: 210, fetched: 350, net: 340 })
  })

  test('where Sluice cost more than it saved, the figure is negative', async () => {
    const { ledger } = open()
    ledger.recordCall(call({ tokensBefore: 50, tokensAfter: 50, strategy: undefined }))
    await ledger.recordAddition({
      at: NOON,
      client: 'cursor',
      session: 's1',
      server: undefined,
      what: 'tools',
      tokens: 900,
    })
    expect((await ledger.report(ALL)).totals.net).toBe(-900)
  })

  test('groups by server, tool, client and strategy; every grouping adds up to the totals', async () => {
    const { ledger } = open()
    ledger.recordCall(call({ resultId: 'r_1' }))
    ledger.recordCall(call({ tool: 'list', tokensAfter: 400, strategy: 'file-list', client: 'claude' }))
    ledger.recordCall(
      call({ server: 'web', tool: 'read', tokensBefore: 10, tokensAfter: 10, strategy: undefined }),
    )
    await ledger.recordFetch({ at: NOON, client: 'claude', resultId: 'r_1', tool: 'proxy_read', tokens: 70 })
    await ledger.recordFetch({
      at: NOON,
      client: 'claude',
      resultId: 'r_gone',
      tool: 'proxy_read',
      tokens: 5,
    })
    await ledger.recordAddition({
      at: NOON,
      client: 'claude',
      session: 's',
      server: 'web',
      what: 'parameters',
      tokens: 7,
    })
    await ledger.recordAddition({
      at: NOON,
      client: 'claude',
      session: 's',
      server: undefined,
      what: 'tools',
      tokens: 20,
    })
    const report = await ledger.report(ALL)

    expect(report.byServer.map(({ server, net }) => [server, net])).toEqual([
      ['files', 900 - 70 + 600],
      ['(no call on record)', -5],
      ['web', -7],
      [OWN_SERVER, -20],
    ])
    expect(report.byTool).toContainEqual(
      expect.objectContaining({ server: 'files', tool: 'read', fetched: 70, net: 830 }),
    )
    expect(report.byTool).toContainEqual(expect.objectContaining({ server: 'web', tool: LIST_ROW, added: 7 }))
    expect(report.byClient.map(({ client, net }) => [client, net])).toEqual([
      ['cursor', 900],
      ['claude', 600 - 70 - 5 - 7 - 20],
    ])
    expect(report.byStrategy).toContainEqual(
      expect.objectContaining({ strategy: 'json', calls: 1, net: 830 }),
    )
    for (const groups of [report.byServer, report.byTool, report.byClient, report.byStrategy]) {
      expect(groups.reduce((sum, { net }) => sum + net, 0)).toBe(report.totals.net)
      expect(groups.reduce((sum, { calls }) => sum + calls, 0)).toBe(3)
    }
  })

  test('one result that two calls led to is fetched once', async () => {
    const { ledger } = open()
    ledger.recordCall(call({ resultId: 'r_1' }))
    ledger.recordCall(call({ resultId: 'r_1', tool: 'again' }))
    await ledger.recordFetch({ at: NOON, client: 'cursor', resultId: 'r_1', tool: 'proxy_read', tokens: 70 })
    const { totals, byTool } = await ledger.report(ALL)
    expect(totals.fetched).toBe(70)
    expect(byTool.map(({ tool, fetched }) => [tool, fetched])).toEqual([
      ['again', 0],
      ['read', 70],
    ])
  })

  test('a range has its beginning but not its end', async () => {
    const { ledger } = open()
    for (const at of [NOON - 1, NOON, NOON + 5, NOON + 10]) {
      ledger.recordCall(call({ at }))
      await ledger.recordFetch({ at, client: 'c', resultId: 'x', tool: 't', tokens: 1 })
      await ledger.recordAddition({ at, client: 'c', session: 's', server: 'x', what: 'w', tokens: 1 })
    }
    expect((await ledger.report({ from: NOON, to: NOON + 10 })).totals).toMatchObject({
      calls: 2,
      fetched: 2,
      added: 2,
    })
  })

  test('counts outcomes and answers from the cache', async () => {
    const { ledger } = open()
    for (const outcome of ['ok', 'error', 'refused', 'cancelled', 'cancelled'] as const) {
      ledger.recordCall(call({ outcome, cached: outcome === 'ok' }))
    }
    expect((await ledger.report(ALL)).totals).toMatchObject({
      calls: 5,
      errors: 1,
      refused: 1,
      cancelled: 2,
      cached: 1,
    })
  })

  test('names are data, whatever they look like', async () => {
    const { ledger } = open()
    const name = `'; DROP TABLE calls; --`
    ledger.recordCall(call({ client: name, server: name, tool: '__proto__', strategy: 'constructor' }))
    const { byTool, byClient } = await ledger.report(ALL)
    expect(byTool).toMatchObject([{ server: name, tool: '__proto__', calls: 1 }])
    expect(byClient).toMatchObject([{ client: name }])
  })

  test('forgets what is older than it should keep', async () => {
    const { ledger } = open()
    for (const at of [NOON - HOUR, NOON]) {
      ledger.recordCall(call({ at }))
      await ledger.recordFetch({ at, client: 'c', resultId: 'x', tool: 't', tokens: 1 })
    }
    expect(await ledger.forgetBefore(NOON)).toBe(1)
    expect((await ledger.report(ALL)).totals).toMatchObject({ calls: 1, fetched: 1 })
  })
})

describe('timeline', () => {
  test('hours, days and months are those of the time zone', async () => {
    const { ledger } = open()
    // 00:15 on 2 March in Kolkata (UTC+5:30) is 18:45 on 1 March in UTC.
    const night = Date.UTC(2026, 2, 1, 18, 45)
    ledger.recordCall(call({ at: night }))
    ledger.recordCall(call({ at: night - HOUR }))
    await ledger.recordFetch({ at: night + 1, client: 'c', resultId: 'x', tool: 't', tokens: 11 })
    await ledger.recordAddition({
      at: night + 2,
      client: 'c',
      session: 's',
      server: 'x',
      what: 'w',
      tokens: 1,
    })
    const read = async (unit: 'hour' | 'day' | 'month', zone: string) =>
      (await ledger.timeline(ALL, { unit, timeZone: zone })).points.map(({ label, calls, net }) => [
        label,
        calls,
        net,
      ])
    expect(await read('hour', 'Asia/Kolkata')).toEqual([
      ['2026-03-01 23:00', 1, 900],
      ['2026-03-02 00:00', 1, 888],
    ])
    expect(await read('day', 'Asia/Kolkata')).toEqual([
      ['2026-03-01', 1, 900],
      ['2026-03-02', 1, 888],
    ])
    expect(await read('day', 'UTC')).toEqual([['2026-03-01', 2, 1788]])
    expect(await read('month', 'UTC')).toEqual([['2026-03', 2, 1788]])
  })

  test('calls that were tried on the screens are in no point and no series', async () => {
    const { ledger } = open()
    ledger.recordCall(call({ client: SCREENS_CLIENT }))
    for (const by of ['server', 'tool', 'client', 'strategy'] as const)
      expect(await ledger.timeline(ALL, { unit: 'hour', timeZone: 'UTC', by })).toEqual({
        points: [],
        series: [],
      })
    ledger.recordCall(call({ client: 'cursor' }))
    const { points, series } = await ledger.timeline(ALL, { unit: 'hour', timeZone: 'UTC', by: 'client' })
    expect(points.map(({ calls }) => calls)).toEqual([1])
    expect(series.map(({ key }) => key)).toEqual(['cursor'])
  })
})
