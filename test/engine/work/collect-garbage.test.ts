import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { collectGarbage, collectWhenIdle } from '../../../electron/engine/work/collect-garbage.ts'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'

test('what nobody holds any more is gone, and programs see nothing of the way', async () => {
  const left = new WeakRef({ text: 'x' })
  // A weakly referenced value read in this turn stays alive until the turn ends.
  await new Promise((resolve) => setImmediate(resolve))
  await collectGarbage()
  expect(left.deref()).toBeUndefined()
  expect(globalThis.gc).toBeUndefined()
})

test('a process that has collected its garbage ends when it has nothing else to do', async () => {
  const source = new URL('../../../electron/engine/work/collect-garbage.ts', import.meta.url)
  const script = `import { collectGarbage } from ${JSON.stringify(source.href)}; await collectGarbage()`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 100_000,
  })
  expect(await run).toMatchObject({ stdout: '' })
})

test('an engine that has come to rest collects once, and again after the next calls', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const events = createEvents(silentLogger)
  let collected = 0
  const end = collectWhenIdle(events, { idleMs: 150, collect: () => void collected++ })
  const open = (): void => events.emit('session-opened', { sessionId: 's', client: 'c' })
  vi.advanceTimersByTime(200)
  expect(collected).toBe(0)
  for (let calls = 0; calls < 6; calls++) {
    open()
    vi.advanceTimersByTime(149)
    expect(collected).toBe(0)
  }
  vi.advanceTimersByTime(1)
  expect(collected).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(collected).toBe(1)
  open()
  vi.advanceTimersByTime(150)
  expect(collected).toBe(2)
  open()
  end()
  vi.advanceTimersByTime(10_000)
  expect(collected).toBe(2)
})
