import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { gather } from '../../../electron/engine/screens/gather.ts'

it('passes the first item at once, those of the pause together and in order, and the next after a pause at once', async () => {
  const batches: number[][] = []
  const { add } = gather<number>(50, (items) => batches.push(items))
  add(1)
  expect(batches).toEqual([[1]])
  add(2)
  add(3)
  expect(batches).toEqual([[1]])
  await expect.poll(() => batches).toEqual([[1], [2, 3]])
  await wait(120)
  add(4)
  expect(batches).toEqual([[1], [2, 3], [4]])
})

it('passes nothing after it was stopped', async () => {
  const batches: number[][] = []
  const { add, stop } = gather<number>(20, (items) => batches.push(items))
  add(1)
  add(2)
  stop()
  await wait(60)
  expect(batches).toEqual([[1]])
})
