import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createKeepReady } from '../../../electron/engine/hooks/keep-ready.ts'
import type { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Notes what a pool would be asked. */
function watched() {
  const jobs: string[] = []
  let running = 0
  let most = 0
  const run = async (name: string): Promise<undefined> => {
    jobs.push(name)
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    return undefined
  }
  let prepared = 0
  const ready = createKeepReady({
    // Only what is asked of it matters here.
    workers: { run: run as WorkerPool['run'] },
    prepareGuard: () => void prepared++,
  })
  return { ready, jobs, most: () => most, prepared: () => prepared }
}

const loaded = (jobs: readonly string[]): Promise<void> =>
  waitFor(() => expect(jobs.filter((name) => name === 'compress')).toHaveLength(1))

it('loads with the first event, one job at a time, and once', async () => {
  const { ready, jobs, most, prepared } = watched()
  ready.used('s')
  ready.used('s')
  await loaded(jobs)
  expect(new Set(jobs)).toEqual(new Set(['scan-result', 'measure-texts', 'compress']))
  expect([most(), prepared()]).toEqual([1, 1])
  ready.stop()
})

it('stays loaded through a build of half an hour, and not for a session that has ended or was left', async () => {
  const { ready, jobs } = watched()
  const asked = (): number => jobs.splice(0).length
  ready.used('s')
  ready.used('t')
  await loaded(jobs)
  asked()
  ready.ended('t')
  await vi.advanceTimersByTimeAsync(30 * MINUTE)
  expect(asked()).toBe(90)
  ready.ended('s')
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(asked()).toBe(0)

  ready.used('left')
  await loaded(jobs)
  asked()
  await vi.advanceTimersByTimeAsync(61 * MINUTE)
  expect(asked()).toBeGreaterThan(170)
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(asked()).toBe(0)
})

it('loads when the endpoint opens, for a session that went on before, and lets go soon without one', async () => {
  const { ready, jobs } = watched()
  ready.opened()
  await loaded(jobs)
  await vi.advanceTimersByTimeAsync(11 * MINUTE)
  jobs.length = 0
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(jobs).toEqual([])
})
