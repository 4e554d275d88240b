import { expect, test, vi } from 'vitest'
import { watchSleep } from '../../../electron/engine/servers/watch-sleep.ts'

test('sleep, and a clock that was set, are noticed by the two clocks', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const time = { now: 1_000_000, clock: 0 }
    const onWake = vi.fn()
    const stop = watchSleep({ now: () => time.now, clock: () => time.clock, onWake })
    const pass = (now: number, clock: number): number => {
      time.now += now
      time.clock += clock
      vi.advanceTimersByTime(20_000)
      return onWake.mock.calls.length
    }
    expect(pass(20_000, 20_000)).toBe(0)
    expect(pass(26_000, 26_000)).toBe(0)
    expect(pass(3_600_000, 20_000)).toBe(1)
    expect(pass(-3_600_000, 20_000)).toBe(2)
    expect(pass(3_600_000, 3_600_000)).toBe(3)
    stop()
    expect(pass(3_600_000, 20_000)).toBe(3)
  } finally {
    vi.useRealTimers()
  }
})
