import { tmpdir } from 'node:os'
import type { CliContext, ConnectContext } from './cli-context.ts'
import { describeError } from './describe-error.ts'
import { ExitCode, exitCodeOf } from './exit-code.ts'
import { homeFolder } from './home-folder.ts'
import { connectOf, runConnect } from './run-connect.ts'
import { hookOf, runHook } from './run-hook.ts'

/** Connects commands to the real process. */
export async function runOnThisProcess(signals: CliContext['signals']): Promise<void> {
  // A closed stderr must not end us.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(codeOfClosedOutput(process.argv.slice(2)))
    throw error
  })
  process.stderr.on('error', () => {})
  // Made the desktop app's executable this Node. Servers must not inherit it, because some are Electron apps.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  process.exitCode = await run(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    platform: process.platform,
    homeDir: homeFolder(),
    tempDir: tmpdir(),
    cwd: process.cwd(),
    execPath: process.execPath,
    now: Date.now,
    nodeVersion: process.versions.node,
    isElectron: 'electron' in process.versions,
    parentPid: () => process.ppid,
    signals,
  })
}

/** Commands, and words in a command line, that show something and change nothing. */
const SHOWS =
  /^(?:clients|stats|report|replay|read|results|doctor|compress|mask|scan|completion|help|connect|hook|list|show|--help|-h|--version|-V|--json|--history|--approved|--dry-run)$/

/** What is only shown is done when its reader has enough, as with `head`. A change may not be. */
function codeOfClosedOutput(argv: readonly string[]): number {
  if (argv.length === 0 || argv.some((word) => SHOWS.test(word))) return ExitCode.ok
  process.stderr.write(
    'sluice: The output was closed before the command ended, so what it changes may not be done. Run it again.\n',
  )
  return ExitCode.problem
}

async function run(argv: readonly string[], context: ConnectContext): Promise<number> {
  const hook = hookOf(argv, context)
  if (hook) return runHook(hook, context)
  const connect = connectOf(argv, context)
  if (!connect) {
    const [{ runProgram }, { readVersion }] = await Promise.all([
      import('./program.ts'),
      import('./version.ts'),
    ])
    return runProgram(argv, { ...context, version: readVersion() })
  }
  const { options, common } = connect
  return runConnect(options, common, context).catch((error: unknown) => {
    context.stderr.write(`sluice: ${describeError(error, common.verbose)}\n`)
    return exitCodeOf(error)
  })
}
