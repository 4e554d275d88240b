import { expect, test } from 'vitest'
import { createIds } from '../../../electron/engine/ground/ids.ts'

test('ids are different, of one form, begin with what they are for, and are in the order of their times', () => {
  let now = Date.UTC(2026, 10, 26)
  const newId = createIds(() => now)
  const ids = Array.from({ length: 2_000 }, (_, index) => {
    now += index % 3
    return newId('c')
  })
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^c_[\w-]{19}$/.test(id))).toEqual([])
  const times = ids.map((id) => id.slice(0, 9))
  expect(times).toEqual(times.toSorted((one, other) => (one < other ? -1 : 1)))
})
