import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as fc from '../helpers/properties.ts'
import { SEED } from '../helpers/rounds.ts'

const root = join(import.meta.dirname, '../..')
const OWN = 'test/helpers/properties.ts'

it('tests get fast-check from one module, which knows the seed and the number of inputs', () => {
  const importing = globSync('test/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) =>
      /(?:from|import|import\()\s*['"]fast-check/.test(readFileSync(join(root, path), 'utf8')),
    )
  expect(importing).toEqual([OWN])
})

it('CI tries the same inputs every time', () => {
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^export SLUICE_SEED=\d+$/m)
})

it.runIf(SEED !== undefined)('a given seed is that of each check, and the same inputs follow from it', () => {
  const draw = (): number[] => {
    const drawn: number[] = []
    fc.assert(
      fc.property(fc.integer(), (value) => {
        drawn.push(value)
      }),
    )
    return drawn
  }
  expect(draw()).toEqual(draw())
  expect(fc.check(fc.property(fc.nat(), () => false)).seed).toBe(SEED)
})
