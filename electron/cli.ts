#!/usr/bin/env node
import { keepCompiledCode } from './cli/compile-cache.ts'
import { giveMemoryBack } from './cli/give-memory-back.ts'
import { signalsOf } from './cli/handed-over.ts'
import { homeFolder } from './cli/home-folder.ts'
import { handOver } from './cli/node-version.ts'

// Import only what every Node supports: the rest needs Node 24 to load.
const older = handOver({
  version: process.versions.node,
  execPath: process.execPath,
  argv: process.argv.slice(1),
  from: import.meta.url,
})
if (older === undefined) {
  const signals = signalsOf(process)
  giveMemoryBack({
    args: process.argv.slice(2),
    env: process.env,
    platform: process.platform,
    isElectron: 'electron' in process.versions,
    replace: (env) =>
      process.execve?.(
        process.execPath,
        [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
        env,
      ),
  })
  // Only in the build: sources change, and tests must leave nothing behind.
  const isBuilt = import.meta.url.endsWith('.js')
  if (isBuilt) keepCompiledCode({ env: process.env, platform: process.platform, homeDir: homeFolder() })
  const { runOnThisProcess } = await import('./cli/run-on-this-process.ts')
  await runOnThisProcess(signals)
} else {
  process.exitCode = await older
}
