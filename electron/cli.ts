#!/usr/bin/env node
import { handOver } from './cli/node-version.ts'

// Only what every Node understands may be imported up here: the rest needs Node 24 just to be loaded.
const older = handOver({
  version: process.versions.node,
  execPath: process.execPath,
  argv: process.argv.slice(1),
  from: import.meta.url,
})
if (older === undefined) {
  const { runOnThisProcess } = await import('./cli/run-on-this-process.ts')
  await runOnThisProcess()
} else {
  process.exitCode = await older
}
