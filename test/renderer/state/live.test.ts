import { expect, onTestFinished, test, vi } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import type { CallFilter } from '../../../shared/api/activity.ts'
import { becomePageOf } from '../../helpers/page-of-engine.ts'
import { startScreensWorld } from '../../helpers/screens-world.ts'
import { testServer } from '../../helpers/upstream.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const inScope = <T>(work: () => T): T => {
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  return scope.run(work) as T
}
const until = (condition: () => boolean): Promise<void> => waitFor(() => expect(condition()).toBe(true), 20)

test('one stream tells of calls, badges, servers and settings; lists put new calls in front, once, where they fit', async () => {
  const world = await startScreensWorld({ one: testServer('big-result') })
  const page = becomePageOf(world.engine)
  vi.resetModules()
  const { followLive, isOnline, onLive, onReopened } = await import('../../../renderer/state/live.ts')
  const { useActivity } = await import('../../../renderer/state/activity.ts')
  const { useFirstStart } = await import('../../../renderer/state/first-start.ts')
  const heard: string[] = []
  const filter = ref<CallFilter>({})
  const shortened = ref<CallFilter>({ only: 'shortened' })
  const { all, few, first } = inScope(() => {
    followLive()
    for (const kind of ['badges', 'calls', 'server', 'settings'] as const)
      onLive(kind, () => heard.push(kind))
    onReopened(() => heard.push('reopened'))
    return { all: useActivity(filter), few: useActivity(shortened), first: useFirstStart() }
  })
  await until(() => isOnline.value && heard.includes('badges') && all.first.data.value !== undefined)

  const ask = await world.connect('one')
  for (const text of ['a', 'b']) await ask('tools/call', { name: 'echo', arguments: { text } })
  await ask('tools/call', { name: 'log', arguments: { bytes: 60_000 } })
  await until(() => all.calls.value.length === 3)
  expect(all.calls.value.map(({ tool }) => tool)).toEqual(['log', 'echo', 'echo'])
  expect(few.calls.value.map(({ tool }) => tool)).toEqual(['log'])
  await all.first.reload()
  await nextTick()
  expect(all.calls.value).toHaveLength(3)

  world.engine.settings.update([{ path: ['logLevel'], value: 'warn' }])
  await until(() => heard.includes('settings'))
  expect(new Set(heard)).toEqual(new Set(['badges', 'calls', 'server', 'settings']))

  // A hidden page drops its stream, and reconnects when visible.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  page.setVisibility('hidden')
  await vi.advanceTimersByTimeAsync(11_000)
  vi.useRealTimers()
  const before = heard.length
  const witness: string[] = []
  const watching = new AbortController()
  onTestFinished(() => watching.abort())
  const stream = await world.port.overview.live(undefined, { signal: watching.signal })
  void (async () => {
    for await (const item of stream) if (item.kind === 'calls') witness.push('unseen')
  })().catch(() => {})
  await ask('tools/call', { name: 'echo', arguments: { text: 'unseen' } })
  // Another, visible page is notified.
  await until(() => witness.includes('unseen'))
  expect(heard).toHaveLength(before)
  expect(isOnline.value).toBe(true)
  page.setVisibility('visible')
  await until(() => heard.includes('reopened'))
  await until(() => all.calls.value.length === 4)

  // The first savings list some calls, and add up all.
  const saved = first.kept.value
  expect(saved).toBeGreaterThan(0)
  for (const text of ['c', 'd', 'e', 'f', 'g']) await ask('tools/call', { name: 'echo', arguments: { text } })
  await until(() => all.calls.value.length === 9)
  expect(first.calls.value.map(({ tool }) => tool)).toEqual(Array.from({ length: 5 }, () => 'echo'))
  expect(first.kept.value).toBe(saved)
})

test('a query keeps its last good answer when a later one fails, and says why', async () => {
  const world = await startScreensWorld({ one: testServer('big-result') })
  becomePageOf(world.engine)
  vi.resetModules()
  const { useQuery } = await import('../../../renderer/state/query.ts')
  const { api } = await import('../../../renderer/api.ts')
  const server = ref('one')
  const query = inScope(() => useQuery(() => api.servers.get({ server: server.value }), [server]))
  await until(() => query.data.value?.id === 'one')
  server.value = 'two'
  await until(() => query.failure.value !== '')
  expect(query.failure.value).toContain('There is no server "two"')
  expect(query.data.value?.id).toBe('one')
  server.value = 'one'
  await until(() => query.failure.value === '')
})
