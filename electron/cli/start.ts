import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { messageOf, SluiceError } from '../engine/ground/errors.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import { findDesktop, installedRuntime } from './find-desktop.ts'
import { newBrowserLink } from './open.ts'
import { serve } from './serve.ts'

export const startCommand = ({ context, common, end }: CommandSetup): Command =>
  new Command('start')
    .description('What `npm start` runs: the desktop app, or where it can’t run, the engine with its page.')
    .action(async () => {
      const desktop = findDesktop({
        ...context,
        runtime: installedRuntime(),
        main: resolve(import.meta.dirname, builtMain()),
        exists: existsSync,
      })
      if ('missing' in desktop) await serveInstead(desktop.missing, context, common())
      else end(await runDesktop(desktop, context, common()))
    })

/** The build, even if this command runs from sources. */
const builtMain = (): string =>
  import.meta.url.endsWith('.ts') ? '../../dist/electron/main.js' : '../main.js'

/** Resolves with the exit code; Ctrl+C reaches both. */
function runDesktop(
  { runtime, main }: { runtime: string; main: string },
  { env, stderr, signals }: CliContext,
  { dataDir }: CommonOptions,
): Promise<number> {
  // Set by callers that run Electron as Node; there would be no window.
  const { ELECTRON_RUN_AS_NODE: _, ...rest } = env
  const child = spawn(runtime, [main, '--data-dir', dataDir], { env: rest, stdio: 'inherit' })
  const forward = (): void => void child.kill('SIGTERM')
  signals.on('SIGINT', forward)
  signals.on('SIGTERM', forward)
  return new Promise((done) => {
    child.once('error', (error) => {
      stderr.write(`sluice: ${runtime} could not be started: ${messageOf(error)}\n`)
      done(1)
    })
    child.once('exit', (code) => done(code ?? 1))
  })
}

async function serveInstead(why: string, context: CliContext, common: CommonOptions): Promise<void> {
  const noWindow = `There is no desktop window because ${why}`
  try {
    await serve(context, common, {
      intro: `${noWindow}, so Sluice runs in this terminal; open the address below in a browser. Ctrl+C ends it.\n`,
    })
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'ENGINE_RUNNING') throw error
    context.stdout.write(
      `${noWindow}. Sluice runs already on ${common.dataDir}. A new link to its screens:\n  ${await newBrowserLink(common.dataDir)}\n`,
    )
  }
}
