/** `npm ci` has just built what `npm test` needs; building twice takes half a minute. */
import { spawnSync } from 'node:child_process'
import { isBuildFresh } from './fresh-build.ts'

if (!isBuildFresh()) {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit', shell: true })
  process.exitCode = status ?? 1
}
