import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** `npm run test:packages`: also packs for other systems, which takes too long for `npm test`. */
const root = resolve(import.meta.dirname, '../..')
const { status } = spawnSync(
  process.execPath,
  [resolve(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/packaging'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SLUICE_TEST_PACKAGES: 'all' },
  },
)
process.exitCode = status ?? 1
