import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScreensWorld } from '../../helpers/screens-world.ts'
import { startScreensWorld } from '../../helpers/screens-world.ts'
import { testServer } from '../../helpers/upstream.ts'

/** Of the latest of so many calls: each is on record some time after its answer. */
async function latestOf(world: ScreensWorld, count: number): Promise<{ id: string; resultId: string }> {
  const ids = async () => (await world.http.activity.list({})).calls.map(({ resultId }) => resultId)
  await expect.poll(ids).toHaveLength(count)
  const [call] = (await world.http.activity.list({})).calls
  return { id: call?.id ?? '', resultId: call?.resultId ?? '' }
}
const kept = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'results')).filter((name) => name.endsWith('.sent.zst'))

test('what the model got is shown after a restart, with the figures of its call, and goes with its original', async () => {
  const servers = { one: testServer('big-result') }
  const first = await startScreensWorld(servers)
  const ask = await first.connect('one')
  const args = { bytes: 60_000 }
  // A repeated call gets more: shortened again with today's settings it would be another text.
  await ask('tools/call', { name: 'log', arguments: args })
  const answer = await ask('tools/call', { name: 'log', arguments: args })
  const { id, resultId } = await latestOf(first, 2)
  await expect.poll(() => kept(first.dataDir)).toEqual([`${resultId}.sent.zst`])
  await first.engine.close()

  const again = await startScreensWorld(servers, {}, { dataDir: first.dataDir })
  const row = await again.http.activity.get({ id })
  const compared = await again.http.results.compare({ id: resultId })
  expect(compared).toMatchObject({
    sentIs: 'kept',
    tokensBefore: row.tokensBefore,
    tokensAfter: row.tokensAfter,
  })
  expect(JSON.stringify(answer['content'])).toContain(JSON.stringify(compared.sent).slice(1, -1))
  expect(JSON.stringify(row.sent)).toContain(JSON.stringify(compared.sent).slice(1, -1))

  const smaller = await again.http.results.shorten({ id: resultId, budget: 200, goal: 'error' })
  expect(smaller.sentIs).toBe('again')
  expect(smaller.tokensAfter).toBeLessThanOrEqual(200)
  expect(smaller.passages.map(({ isKept }) => isKept)).toContain(false)

  await again.http.results.delete({ id: resultId })
  expect(kept(again.dataDir)).toEqual([])
})
