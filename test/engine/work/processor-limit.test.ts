import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limitProcessorTime } from '../../../electron/engine/work/processor-limit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** `used` returns the current `thread.used`. */
function limit(thread: { used: number }, used = () => Promise.resolve(thread.used)) {
  const over: string[] = []
  const stop = limitProcessorTime({ limitMs: 5_000, used, onOver: (why) => over.push(why) })
  return { over, stop, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

describe('a limit of processor time', () => {
  it('counts what the thread used since the beginning, not what the clock says', async () => {
    const thread = { used: 70_000 }
    const { over, pass } = limit(thread)
    for (let second = 1; second < 100; second++) {
      thread.used += 49
      await pass(1_000)
    }
    expect(over).toEqual([])
    thread.used += 5_000
    await pass(1_000)
    expect(over).toEqual(['it used more than 5000 ms of processor time'])
    await pass(60_000)
    expect(over).toHaveLength(1)
  })

  it('ends what stands still, or gives no answer any more', async () => {
    const still = limit({ used: 1 })
    const silent = limit({ used: 1 }, () => new Promise(() => {}))
    await still.pass(20_000)
    expect([still.over, silent.over]).toEqual([[], []])
    await still.pass(60_000)
    expect([still.over, silent.over]).toEqual([['it stood still'], ['it stood still']])
  })

  it('takes a thread that is not running yet for one that has used nothing', async () => {
    let isRunning = false
    const { over, pass } = limit({ used: 0 }, () =>
      isRunning ? Promise.resolve(100) : Promise.reject(new Error('not running')),
    )
    await pass(2_000)
    isRunning = true
    await pass(2_000)
    expect(over).toEqual([])
  })

  it('is silent once it was stopped', async () => {
    const thread = { used: 0 }
    const { over, stop, pass } = limit(thread)
    thread.used = 9_000
    stop()
    await pass(100_000)
    expect(over).toEqual([])
  })
})
