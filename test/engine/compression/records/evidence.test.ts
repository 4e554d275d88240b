import { expect, test } from 'vitest'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'

const name = (i: number): string => `${['lamp', 'crate', 'winch', 'sail'][i % 4]}-${i}`
const leaf = (i: number): object => ({ version: `${1 + (i % 9)}.${i % 5}.0`, overridden: false })

/** Packages in packages, each with a version, as package managers list them. */
function tree(): unknown {
  const children = (i: number): object => ({
    ...Object.fromEntries(Array.from({ length: 8 }, (_, k) => [name(i * 8 + k), leaf(i + k)])),
    ...(i % 3 === 0 ? { mop: { version: '4.6.7', overridden: false } } : {}),
    ...(i === 17 ? { 'compare-version': leaf(i), 'node-version': leaf(i + 1) } : {}),
  })
  const all = Array.from({ length: 60 }, (_, i): [string, object] => [
    name(i),
    { ...leaf(i), dependencies: children(i) },
  ])
  return { name: 'harbour', dependencies: Object.fromEntries(all) }
}

test.each(['which version of mop is installed', 'mop version'])(
  'a word that names a field of all records is not looked for in their keys: %s',
  (goal) => {
    const shown = jsonStrategy.compress({ text: JSON.stringify(tree()), goal, budget: 150 })
    expect(shown?.text).toContain('"mop":{"version":"4.6.7"')
    expect(shown?.text).not.toContain('compare-version')
  },
)

/** A lock file: keys are paths of packages, some below others. */
const lock = (): unknown => {
  const entry = (i: number): object => ({
    version: `${1 + (i % 9)}.${i % 5}.0`,
    resolved: `https://packages.example/${i}`,
    licence: ['MIT', 'ISC'][i % 2],
    wants: { 'tide-clock': '^1.0.0', rope: '>=2' },
  })
  const paths = Array.from({ length: 120 }, (_, i) => `parts/${name(i)}`)
  paths.splice(30, 0, 'parts/crate-1/parts/mop', 'parts/@deck/mop', 'parts/node-version')
  paths.splice(90, 0, 'parts/mop')
  return { lockVersion: 3, packages: Object.fromEntries(paths.map((path, i) => [path, entry(i)])) }
}

test.each(['which version of mop is locked', 'licence of mop', 'mop version'])(
  'of keys that are paths the shortest that ends in the name is meant: %s',
  (goal) => {
    const shown = jsonStrategy.compress({ text: JSON.stringify(lock()), goal, budget: 100 })
    expect(shown?.text).toContain('"parts/mop":{"version":"1.0.0"')
  },
)
