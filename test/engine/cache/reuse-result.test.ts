import { expect, test } from 'vitest'
import { CACHED, readingWorld } from '../../helpers/reading-world.ts'

test('a result is used again until its time is over, to the millisecond, and not when the clock was set back', async () => {
  const start = Date.UTC(2026, 10, 23)
  let clock = start
  const { connect, reached } = await readingWorld(
    { cache: { ...CACHED, ttlSeconds: 60 } },
    { now: () => clock },
  )
  const { text } = await connect()
  const first = await text('read')
  clock = start + 60_000 - 1
  expect(await text('read')).toBe(first)
  expect(reached()).toHaveLength(1)
  clock = start + 60_000
  const second = await text('read')
  expect(second).not.toBe(first)
  expect(reached()).toHaveLength(2)
  clock = start + 120_000 + 1
  expect(await text('read')).not.toBe(second)
  clock = start - 1
  await text('read')
  expect(reached()).toHaveLength(4)
})
