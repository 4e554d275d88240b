import { Command } from 'commander'
import { SluiceError } from '../engine/ground/errors.ts'
import type { CommandSetup } from './cli-context.ts'
import { createEngineLogger } from './create-logger.ts'
import { engineOptions } from './engine-options.ts'
import { untilStopped } from './until-stopped.ts'

/** A client that restarts finds it again. */
const IDLE_MS = 5_000

export const engineCommand = ({ context, common }: CommandSetup): Command =>
  new Command('engine')
    .description('Run the engine without screens until its last client has left; `sluice connect` starts it.')
    .addHelpText('after', '\n`sluice serve` and the desktop app take its place without losing a call.')
    .action(async () => {
      // The connector that starts this shows stderr to its client.
      const logger = createEngineLogger(context, common(), 'warn')
      const stopped = untilStopped(context)
      try {
        const { createEngine } = await import('../engine/engine.ts')
        const { launcherOf } = await import('./launcher.ts')
        const options = engineOptions(context, common(), logger)
        // What it tells agents to run has to be there.
        const engine = await createEngine({ ...options, launcher: launcherOf(context, common()) })
        try {
          const { over } = await engine.listenQuietly(IDLE_MS)
          await Promise.race([stopped, over])
        } finally {
          await engine.close()
        }
      } catch (error) {
        // It serves the same clients.
        if (!(error instanceof SluiceError && error.code === 'ENGINE_RUNNING')) throw error
      } finally {
        logger.close()
      }
    })
