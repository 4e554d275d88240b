import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import { createEngineLogger } from './create-logger.ts'
import { engineOptions } from './engine-options.ts'
import { untilStopped } from './until-stopped.ts'

export interface ServeOptions {
  readonly port?: number
  /** Printed once it listens. */
  readonly intro?: string
}

export const serveCommand = ({ context, common }: CommandSetup): Command =>
  new Command('serve')
    .description(
      'Run the engine in the foreground: for `sluice connect`, over HTTP at /mcp, and with its screens.',
    )
    .option(
      '--port <number>',
      'loopback port, instead of http.port in config.json; 0 takes any free one',
      toPort,
    )
    .addHelpText('after', '\nExamples:\n  sluice serve\n  sluice serve --port 0 --data-dir ./sluice-data')
    .action((options: ServeOptions) => serve(context, common(), options))

/** Resolves when everything has ended. */
export async function serve(
  context: CliContext,
  common: CommonOptions,
  { port, intro = '' }: ServeOptions,
): Promise<void> {
  const logger = createEngineLogger(context, common, 'warn')
  const stopped = untilStopped(context)
  try {
    const { createEngine } = await import('../engine/engine.ts')
    const { launcherOf } = await import('./launcher.ts')
    const options = engineOptions(context, common, logger)
    const engine = await createEngine({ ...options, launcher: launcherOf(context, common) })
    try {
      const listening = await engine.listen(port === undefined ? {} : { port })
      const { url, socketPath } = listening
      const screens =
        options.screensFolder === undefined ? 'not built (npm run build)' : listening.newBrowserLink()
      context.stdout.write(
        `${intro}Sluice ${context.version} serves at ${url}\n` +
          `  screens:            ${screens}\n` +
          `  clients over stdio: sluice connect (socket ${socketPath})\n` +
          `  clients over HTTP:  ${url}/mcp, with the token in ${join(common.dataDir, 'token')}\n` +
          `  settings:           ${engine.settings.path}\n` +
          `  log:                ${join(common.dataDir, 'logs', 'sluice.log')}\n`,
      )
      const { hookObstacles } = await import('../engine/client-configs/hooks/hook-state.ts')
      const { nodeClientFiles: files } = await import('../engine/client-configs/node-client-files.ts')
      for (const obstacle of hookObstacles({ machine: context, files, port: Number(new URL(url).port) }))
        context.stdout.write(`  not in effect: ${obstacle}\n`)
      await stopped
      context.stdout.write('Stopping: servers are being ended.\n')
    } finally {
      await engine.close()
    }
  } finally {
    logger.close()
  }
}

function toPort(value: string): number {
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}
