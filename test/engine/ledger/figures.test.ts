import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { changeableServer, simpleTool } from '../../helpers/changeable-server.ts'
import { engineWorld } from '../../helpers/engine-world.ts'
import { rawSession } from '../../helpers/raw-session.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/**
 * One rule for a call's figures, whatever happened to its result: "after" is what the client got, "before" adds what
 * was saved.
 */

const cleanups: (() => Promise<void> | void)[] = []
const whenDone = (end: () => Promise<void> | void): void => void cleanups.push(end)
const changeable = changeableServer([simpleTool('get')], {}, temporaryFolder(whenDone))
let world: Awaited<ReturnType<typeof engineWorld>>

beforeAll(async () => {
  world = await engineWorld(
    { s: changeable.server, off: { ...changeable.server, compression: { strategy: 'off' } } },
    { approvals: { firstSight: 'trust' } },
    { whenDone },
  )
})
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
})

/** What the client got for this result, and the call's row. */
async function call(serverId: string, result: JsonObject): Promise<{ got: JsonObject; row: CallRow }> {
  changeable.offer([simpleTool('get')], { gives: { 'tools/call': result } })
  const session = rawSession(world.engine.openSession, { scope: { kind: 'server', serverId } })
  await session.introduce()
  const recorded = new Promise<CallRow>((resolve) => {
    const stop = world.engine.events.on('call-recorded', (row) => {
      stop()
      resolve(row)
    })
  })
  const got = await session.request('tools/call', { name: 'get', arguments: { at: performance.now() } })
  const row = await recorded
  await session.close()
  return { got, row }
}

const tokensOf = ({ content, structuredContent }: JsonObject): number =>
  (content as { text: string }[]).reduce((sum, { text }) => sum + countTokens(text), 0) +
  (structuredContent === undefined ? 0 : countTokens(JSON.stringify(structuredContent)))

const text = (value: string): JsonObject => ({ type: 'text', text: value })
const rows = Array.from({ length: 600 }, (_, id) => ({ id, name: `Ship ${id}`, port: 'Kiel' }))
const report = Array.from({ length: 4000 }, (_, n) => `row ${n} of a long report with words ${n * 77}`).join(
  '\n',
)

test.each<[string, string, JsonObject]>([
  ['a structured half alone', 's', { content: [], structuredContent: { v: 'word '.repeat(300) } }],
  [
    'a short text beside a structured half',
    's',
    { content: [text('ok')], structuredContent: { rows: rows.slice(0, 9) } },
  ],
  [
    'a large structured half that is not shortened',
    'off',
    { content: [text('ok')], structuredContent: { rows } },
  ],
  ['a large text that is not shortened', 'off', { content: [text(report), text(`${report} end`)] }],
])('%s that passes whole counts as the client gets it, before and after', async (_, serverId, result) => {
  const { got, row } = await call(serverId, result)
  expect(got['content']).toEqual(result['content'])
  expect(got['structuredContent']).toEqual(result['structuredContent'])
  expect([row.tokensBefore, row.tokensAfter]).toEqual([tokensOf(result), tokensOf(result)])
})

test('a shortened one counts as the client gets it, too, and what was saved is no more than its smaller half', async () => {
  const result = { content: [text(JSON.stringify({ rows }, null, 1))], structuredContent: { rows } }
  const { got, row } = await call('s', result)
  expect(row.tokensAfter).toBe(tokensOf(got))
  const saved = row.tokensBefore - row.tokensAfter
  expect(saved).toBeGreaterThan(0)
  expect(saved).toBeLessThan(countTokens(JSON.stringify({ rows })))
})

test('a call that ends with its engine is counted before the engine ends', async () => {
  const own = await engineWorld(
    { off: { ...changeable.server, compression: { strategy: 'off' } } },
    { approvals: { firstSight: 'trust' } },
  )
  changeable.offer([simpleTool('get')], { gives: { 'tools/call': { content: [text(report)] } } })
  const session = rawSession(own.engine.openSession, { scope: { kind: 'server', serverId: 'off' } })
  await session.introduce()
  const heard: CallRow[] = []
  own.engine.events.on('call-recorded', (row) => void heard.push(row))
  await session.request('tools/call', { name: 'get', arguments: {} })
  await own.engine.close()
  expect(heard).toMatchObject([{ tokensAfter: countTokens(report) }])
})
