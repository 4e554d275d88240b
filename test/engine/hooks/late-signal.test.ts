import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lateSignal } from '../../../electron/engine/hooks/late-signal.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** An engine that gets this share of a processor. */
const withShare = (share: number) =>
  lateSignal({ limitMs: 250, used: () => 1_000 + performance.now() * share })

it('is late after its processor time, however slowly the machine gives it', async () => {
  const [alone, busy] = [withShare(1), withShare(0.25)]
  await vi.advanceTimersByTimeAsync(249)
  expect(alone.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect([alone.signal.aborted, busy.signal.aborted]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(800)
  expect(busy.signal.aborted).toBe(true)
})

it('is late before the app goes on by itself, and never once stopped', async () => {
  const [idle, stopped] = [withShare(0), withShare(0)]
  await vi.advanceTimersByTimeAsync(1_499)
  expect(idle.signal.aborted).toBe(false)
  stopped.stop()
  await vi.advanceTimersByTimeAsync(1)
  expect([idle.signal.aborted, stopped.signal.aborted]).toEqual([true, false])
  expect(vi.getTimerCount()).toBe(0)
})
