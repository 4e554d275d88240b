import { expect, test } from 'vitest'
import { percentOf } from '../../shared/percent-of.ts'

test.each([
  [5_432_090, 5_436_028, 99],
  [10, 10, 100],
  [0, 10, 0],
  [995, 1000, 99],
  [2, 3, 67],
  [-15, 10, -150],
])('%d of %d is %d %%', (part, whole, percent) => expect(percentOf(part, whole)).toBe(percent))
