/** `npm ci` has just built what follows it. A build takes half a minute, and an engine that runs from it loses its files. */
import { spawnSync } from 'node:child_process'
import { isBuildFresh } from './fresh-build.ts'

if (!isBuildFresh()) {
  const { status } = spawnSync('npm run build --silent', { stdio: 'inherit', shell: true })
  process.exitCode = status ?? 1
}
