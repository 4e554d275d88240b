import { describe, expect, test } from 'vitest'
import { engineWorld } from '../helpers/engine-world.ts'
import { testServer } from '../helpers/upstream.ts'

/** Two clients of one engine don't delay each other. */

const BIG = { bytes: 60_000 }

async function twoClients() {
  const world = await engineWorld({ s: testServer('big-result') }, {})
  const [busy, other] = [await world.connect({ name: 'busy' }), await world.connect({ name: 'other' })]
  const idOf = async ({ call }: typeof busy): Promise<string> =>
    /r_[0-9a-f]+/.exec(await call('log', BIG))?.[0] ?? ''
  return { busy, other, busyId: await idOf(busy), otherId: await idOf(other) }
}

describe('proxy_run', () => {
  test('scripts that never end hold up no exploration of another client, nor their own client’s', async () => {
    const { busy, other, busyId, otherId } = await twoClients()
    let ended = 0
    const forEver = Array.from({ length: 8 }, () =>
      busy
        .call('proxy_run', { id: busyId, code: 'for (;;);', timeout_ms: 30_000 })
        .catch(String)
        .finally(() => ended++),
    )
    expect(await other.call('proxy_search', { id: otherId, pattern: 'ERROR' })).toContain('matches')
    expect(await other.call('proxy_search', { id: otherId, patern: 'ERROR' })).toContain('unknown argument')
    expect(await other.call('proxy_read', { id: otherId })).not.toBe('')
    expect(await busy.call('proxy_explore', { id: busyId })).not.toBe('')
    expect(await other.call('json', BIG)).toContain('[Compressed')
    expect(ended).toBe(0)
    await busy.close()
    await Promise.all(forEver)
  })

  test('another client’s script waits for one run at the most', async () => {
    const { busy, other, busyId, otherId } = await twoClients()
    const done: string[] = []
    const forEver = Array.from({ length: 4 }, () =>
      busy
        .call('proxy_run', { id: busyId, code: 'for (;;);', timeout_ms: 500 })
        .then(() => done.push('busy')),
    )
    const run = other.call('proxy_run', { id: otherId, code: '6 * 7' })
    expect(await run.finally(() => done.push('other'))).toContain('42')
    await Promise.all(forEver)
    expect(done.indexOf('other')).toBeLessThanOrEqual(1)
  })

  test('so many scripts of one client wait; a further one is refused at once, with words that help', async () => {
    const { busy, busyId } = await twoClients()
    const run = () => busy.call('proxy_run', { id: busyId, code: 'for (;;);', timeout_ms: 30_000 })
    const waiting = Array.from({ length: 9 }, () => run().catch(String))
    expect(await run()).toMatch(/not started: 8 others .* wait .* proxy_filter or proxy_search/s)
    await busy.close()
    await Promise.all(waiting)
  })
})
