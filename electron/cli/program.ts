import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { config } from 'zod'
import type { CliContext, CommandSetup, CommonOptions, CreateCommand } from './cli-context.ts'
import { commands } from './commands.ts'
import { defaultDataDir } from './data-dir.ts'
import { describeError } from './describe-error.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { requireFolder } from '../engine/ground/files/require-folder.ts'
import { examplesOf } from './examples.ts'
import { EXIT_CODE_HELP, ExitCode, exitCodeOf } from './exit-code.ts'

interface Program {
  readonly program: Command
  readonly exitCode: () => number
}

/** `argv`: loads only the named command, if any; default: all. */
export async function createProgram(context: CliContext, argv: readonly string[] = []): Promise<Program> {
  let exitCode: number = ExitCode.ok
  const program = new Command('sluice')
    .description('Stands between AI apps and their MCP servers and makes huge tool results small.')
    .version(context.version, '-V, --version')
    .option('--data-dir <dir>', 'the folder that holds settings and data', defaultDataDir(context))
    .option('--verbose', 'log more, and show where an error came from', false)
    .addHelpText('after', `\n${EXIT_CODE_HELP}`)
    .showHelpAfterError('"sluice --help" lists the commands, "sluice COMMAND --help" explains one.')

  const common = ({ isFolderChecked = true } = {}): CommonOptions => {
    const { dataDir, verbose } = program.opts<CommonOptions>()
    // A script's unset variable would put settings and data into the current folder.
    if (dataDir.trim() === '')
      throw new SluiceError(
        'BAD_INPUT',
        '--data-dir is empty. Name a folder, or leave it out for the usual one.',
      )
    const path = resolve(context.cwd, dataDir)
    if (isFolderChecked) requireFolder(path)
    return { dataDir: path, verbose }
  }
  const setup: CommandSetup = {
    context,
    common,
    end: (code) => (exitCode = code),
    wholeProgram: async () => (await createProgram(context)).program,
  }
  for (const create of await creatorsFor(argv)) program.addCommand(create(setup))
  const configure = (command: Command, words: string): void => {
    command
      .exitOverride()
      .addHelpText('after', examplesOf(words))
      .configureHelp({ showGlobalOptions: true })
      .configureOutput({
        writeOut: (text) => context.stdout.write(text),
        writeErr: (text) => context.stderr.write(text),
      })
    for (const inner of command.commands) configure(inner, `${words} ${inner.name()}`.trim())
  }
  configure(program, '')
  return { program, exitCode: () => exitCode }
}

/** Without node and script; resolves with the exit code, never throws. */
export async function runProgram(argv: readonly string[], context: CliContext): Promise<number> {
  // Settings are read once: compiling a validator takes longer.
  config({ jitless: true })
  const { program, exitCode } = await createProgram(context, argv)
  try {
    await program.parseAsync(helpOfUnknown(argv) ?? [...argv], { from: 'user' })
    return exitCode()
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage
    context.stderr.write(`sluice: ${describeError(error, program.opts<CommonOptions>().verbose)}\n`)
    return exitCodeOf(error)
  }
}

/** `help nope` as `nope`, which says that there is no such command and which is meant. */
function helpOfUnknown(argv: readonly string[]): string[] | undefined {
  const [first, name] = argv
  const isUnknown = first === 'help' && name !== undefined && name !== 'help' && !name.startsWith('-')
  return isUnknown && !Object.hasOwn(commands, name) ? [name] : undefined
}

/** Only the named command, because many connectors start at once and clients wait for them. */
async function creatorsFor(argv: readonly string[]): Promise<readonly CreateCommand[]> {
  const first = commandIn(argv)
  if (first === '-V' || first === '--version') return []
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined
  return named ? [await named()] : Promise.all(Object.values(commands).map((load) => load()))
}

/** What follows the options of all commands. */
function commandIn(argv: readonly string[]): string {
  const [first = '', ...rest] = argv
  if (first === '--data-dir') return commandIn(rest.slice(1))
  return first === '--verbose' || first.startsWith('--data-dir=') ? commandIn(rest) : first
}
