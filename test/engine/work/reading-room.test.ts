import { expect, test } from 'vitest'
import { ReadingRoom, type Place } from '../../../electron/engine/work/reading-room.ts'

const mayReadOn = (place: Place, bytes: number): boolean => place.read(bytes) === undefined

test('small answers need no room, large ones wait until it has some', async () => {
  const room = new ReadingRoom({ mostBytes: 2_000_000 })
  const [first, second, third] = [room.place(), room.place(), room.place()]
  expect(mayReadOn(first, 1_500_000)).toBe(true)
  expect(mayReadOn(second, 300_000)).toBe(true)
  expect(mayReadOn(second, 600_000)).toBe(false)
  expect(mayReadOn(third, 200_000)).toBe(true)
  expect(mayReadOn(third, 201_000)).toBe(false)
  first.parse(1_600_000)
  // What is parsed ends by itself: nobody has to read on meanwhile.
  expect(second.waiting).toBeDefined()
  expect(mayReadOn(first, 0)).toBe(true)
  await Promise.all([second.waiting, third.waiting])
  expect(mayReadOn(second, 700_000)).toBe(true)
  expect(mayReadOn(third, 300_000)).toBe(true)
})

test('the first goes on, however large, and then the next', async () => {
  const room = new ReadingRoom({ mostBytes: 1_000_000 })
  const [first, second] = [room.place(), room.place()]
  for (const bytes of [900_000, 5_000_000, 50_000_000]) expect(mayReadOn(first, bytes)).toBe(true)
  const waiting = second.read(300_000)
  expect(waiting).toBeDefined()
  expect(mayReadOn(first, 60_000_000)).toBe(true)
  first.leave()
  await waiting
  expect(mayReadOn(second, 2_000_000)).toBe(true)
  // What has left doesn't count again.
  first.parse(60_000_000)
  expect(mayReadOn(room.place(), 100_000)).toBe(true)
  expect(second.waiting).toBeUndefined()
})

test('who stalls in mid-answer holds nobody up, and may go on later', async () => {
  const room = new ReadingRoom({ mostBytes: 1_000_000, stallMs: 5 })
  const [first, second, third] = [room.place(), room.place(), room.place()]
  expect(mayReadOn(first, 2_000_000)).toBe(true)
  const waiting = second.read(300_000)
  expect(waiting).toBeDefined()
  await waiting
  const after = third.read(300_000)
  expect(after).toBeDefined()
  expect(mayReadOn(first, 2_100_000)).toBe(true)
  first.leave()
  await after
})

test('who leaves waits no more', async () => {
  const room = new ReadingRoom({ mostBytes: 1_000_000 })
  const [first, second] = [room.place(), room.place()]
  first.parse(2_000_000)
  const waiting = second.read(300_000)
  second.leave()
  await waiting
  expect(mayReadOn(second, 900_000)).toBe(true)
})
