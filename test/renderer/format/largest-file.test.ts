import { expect, test } from 'vitest'
import { largestFile } from '../../../renderer/format/largest-file.ts'

test('the largest file that is worth shortening', () => {
  const list = [
    { path: 'a.md', bytes: 900 },
    { path: 'b/lock.json', bytes: 90_000 },
    { path: 'c.log', bytes: 30_000 },
  ]
  expect(largestFile(JSON.stringify(list))).toBe('b/lock.json')
  expect(largestFile(JSON.stringify(list.slice(0, 1)))).toBeUndefined()
})

test.each(['no list', '{}', '[1, {"path": 3}]'])('none in %s', (text) => {
  expect(largestFile(text)).toBeUndefined()
})
