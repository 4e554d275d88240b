import { expect, test } from 'vitest'
import { createIds } from '../../../electron/engine/ground/ids.ts'

test('ids are different, of one form, and begin with what they are for', () => {
  const newId = createIds()
  const ids = Array.from({ length: 2_000 }, () => newId('c'))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^c_[\w-]{12}$/.test(id))).toEqual([])
})
