/**
 * Looks for rare faults: `npm run seeds -- [ROUNDS] [PATH …]` runs each test file with properties (or those whose path has one of
 * the given parts) with that many times the suite's inputs, from random seeds. Exits with 0 if nothing fails; a failure prints its seed.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const [times = '20', ...parts] = process.argv.slice(2)

/** Test modules by path, with those they import. */
const modules = globSync('test/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => {
    const imported = [...readFileSync(path, 'utf8').matchAll(/ from '(\.[^']+)'/g)]
    return { path, imports: imported.map(([, to = '']) => posix.join(posix.dirname(path), to)) }
  })

const withProperties = new Set(['test/helpers/properties.ts'])
for (const used of withProperties)
  for (const { path, imports } of modules) if (imports.includes(used)) withProperties.add(path)

const files = [...withProperties]
  .filter((path) => path.endsWith('.test.ts') && !path.startsWith('test/architecture/'))
  .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
console.log(`${files.length} files, ${times} times their inputs`)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', '--testTimeout=0', ...files],
  { stdio: 'inherit', env: { ...process.env, SLUICE_ROUNDS: times } },
)
process.exitCode = status ?? 1
