#!/usr/bin/env node
import { availableParallelism, homedir } from 'node:os'
import { keepCompiledCode } from './cli/compile-cache.ts'
import { handOver } from './cli/node-version.ts'
import { startAnew } from './cli/start-anew.ts'

// Only what every Node understands may be imported up here: the rest needs Node 24 just to be loaded.
const older = handOver({
  version: process.versions.node,
  execPath: process.execPath,
  argv: process.argv.slice(1),
  from: import.meta.url,
})
if (older === undefined) {
  startAnew({
    args: process.argv.slice(2),
    nodeArgs: process.execArgv,
    env: process.env,
    platform: process.platform,
    isElectron: 'electron' in process.versions,
    cores: availableParallelism(),
    replace: (nodeArgs, env) =>
      process.execve?.(process.execPath, [process.execPath, ...nodeArgs, ...process.argv.slice(1)], env),
  })
  // Sources change all the time, and tests must leave nothing behind.
  const isBuilt = import.meta.url.endsWith('.js')
  if (isBuilt) keepCompiledCode({ env: process.env, platform: process.platform, homeDir: homedir() })
  const { runOnThisProcess } = await import('./cli/run-on-this-process.ts')
  await runOnThisProcess()
} else {
  process.exitCode = await older
}
