import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gather } from '../../../electron/engine/screens/gather.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('passes the first item at once, those of the pause together and in order, and the next after a pause at once', () => {
  const batches: number[][] = []
  const { add } = gather<number>(50, (items) => batches.push(items))
  add(1)
  expect(batches).toEqual([[1]])
  add(2)
  add(3)
  vi.advanceTimersByTime(49)
  expect(batches).toEqual([[1]])
  vi.advanceTimersByTime(1)
  expect(batches).toEqual([[1], [2, 3]])
  vi.advanceTimersByTime(120)
  add(4)
  expect(batches).toEqual([[1], [2, 3], [4]])
})

it('passes nothing after it was stopped', () => {
  const batches: number[][] = []
  const { add, stop } = gather<number>(20, (items) => batches.push(items))
  add(1)
  add(2)
  stop()
  vi.advanceTimersByTime(1_000)
  expect(batches).toEqual([[1]])
})
