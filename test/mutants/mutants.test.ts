import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plantedIn, readFaults, root, whyNotPlantable } from './lists.ts'

test('every planted fault names a text that stands once in its file, and tests that exist', async () => {
  const faults = await readFaults()
  const problems = faults.flatMap((fault) => {
    const missing = fault.tests.filter((path) => !existsSync(join(root, path)))
    const problem =
      whyNotPlantable(fault) ?? (missing.length > 0 ? `no test file ${missing.join(', ')}` : undefined)
    return problem === undefined ? [] : [`${fault.area}/${fault.id}: ${problem}`]
  })
  expect(problems).toEqual([])
  const ids = faults.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('a replacement is taken literally', () => {
  const fault = { id: 'x', what: '', file: '', find: 'b', replace: '$&$1', tests: [] }
  expect(plantedIn('abc', fault)).toBe('a$&$1c')
})
