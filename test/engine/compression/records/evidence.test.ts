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
