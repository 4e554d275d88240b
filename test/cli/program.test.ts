import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CliContext } from '../../electron/cli/cli-context.ts'
import { describeError } from '../../electron/cli/describe-error.ts'
import { EXIT_CODES } from '../../electron/cli/exit-code.ts'
import { createProgram } from '../../electron/cli/program.ts'
import { CLI_SOURCE } from '../helpers/fresh-build.ts'
import { runCli } from '../helpers/run-cli.ts'
import { runWith } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const COMMANDS = [
  'clients',
  'wrap',
  'unwrap',
  'import',
  'serve',
  'connect',
  'hook',
  'init',
  'stats',
  'replay',
  'report',
  'read',
  'results',
  'doctor',
  'compress',
  'start',
]

/** Of a context of this process. */
async function runWithContext<Value>(work: (context: CliContext) => Promise<Value>): Promise<Value> {
  const made: Value[] = []
  await runWith(async (context) => {
    made.push(await work(context))
    return 0
  })
  const [value] = made
  if (value === undefined) throw new Error('Nothing was made.')
  return value
}

describe('sluice', () => {
  test('--help names every command and the exit codes', async () => {
    const { code, stdout } = await runCli(['--help'])
    expect(code).toBe(0)
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    expect(stdout).toContain('Exit codes:')
  })

  test('every command has --help with two examples that it understands, and the data folder', async () => {
    const { program } = await runWithContext((context) => createProgram(context))
    const commands = program.commands.flatMap((command) => [
      { words: command.name(), command },
      ...command.commands.map((inner) => ({ words: `${command.name()} ${inner.name()}`, command: inner })),
    ])
    expect(commands.length).toBeGreaterThan(50)
    for (const { words, command } of commands) {
      let help = ''
      command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp()
      const [, examples = ''] = help.split(/^Examples:$/m)
      const own = examples.split('\n').filter((line) => / sluice /.test(` ${line.trim()}`))
      expect(own.length, words).toBeGreaterThanOrEqual(2)
      expect(help).toContain('--data-dir <dir>')
      const known = [command, ...command.commands, program].flatMap(({ options }) =>
        options.flatMap(({ long, short }) => [long, short]),
      )
      for (const line of own.filter((one) => one.includes(`sluice ${words}`)))
        for (const [flag] of line
          .replace(/ {3,}.*/, '')
          .split('|')
          .filter((part) => part.includes('sluice'))
          .join(' ')
          .matchAll(/(?<=\s)--[a-z-]+/g))
          expect(known, `${words}: ${flag}`).toContain(flag)
    }
  })

  test('the exit codes of the docs are those of the program', () => {
    const docs = readFileSync(join(CLI_SOURCE, '../../docs/commands.md'), 'utf8')
    const rows = [...docs.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => ({
      code: Number(code),
      meaning,
    }))
    expect(rows).toEqual([...EXIT_CODES])
  })

  test('--version is that of package.json', async () => {
    const manifest = JSON.parse(readFileSync(join(CLI_SOURCE, '../../package.json'), 'utf8')) as {
      version: string
    }
    expect((await runCli(['--version'])).stdout.trim()).toBe(manifest.version)
  })

  test.each([
    [['compress', '--strategy', 'jsn'], /There is no strategy "jsn"\. Did you mean "json"\?/],
    [['compres'], /unknown command 'compres'\n\(Did you mean compress\?\)/],
    [['help', 'compres'], /unknown command 'compres'\n\(Did you mean compress\?\)/],
    [
      ['mask', '--types', 'mail'],
      /There is no type "mail"\. Did you mean "email"\? There are: default, all, .*email/,
    ],
    [['compress', '.'], /\. can't be read: it is a folder/],
    [['stats', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [['compress', '--budget', 'many'], /Write a whole number from 1 on/],
    [['compress', '--kind', 'poem'], /Allowed choices are json, table/],
    [['serve', '--port', '70000'], /It must be a number from 0 to 65535/],
    [['connect', '--server', 'a__b'], /"a__b" can't be the id of a server/],
    [['wrap', '--file', 'no/such.json'], /no\/such\.json is not there, so nothing was changed/],
    [['unwrap', '--file', 'no/such.json'], /is not there, so nothing was changed/],
    [['import', '--file', 'no/such.json'], /is not there, so nothing was changed/],
    [['results', 'show'], /missing required argument 'id'/],
    [['compress', '--jsonl', '--json'], /cannot be used with/],
    [[], /Usage: sluice/],
  ])('a wrong command line %j ends with 2 and says why, on stderr', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test.each([['stats'], ['connect']])(
    '%s refuses an empty data folder: it would be the current one',
    async (name) => {
      const { code, stderr } = await runCli([`--data-dir=`, name])
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: 'sluice: --data-dir is empty. Name a folder, or leave it out for the usual one.\n',
      })
    },
  )

  test('a file that can’t be written has its own name, not that of the one beside it', () => {
    const error = Object.assign(new Error('EACCES'), {
      code: 'EACCES',
      path: '/d/config.json.001f28f52d69.tmp',
      syscall: 'open',
    })
    expect(describeError(error, false)).toMatch(/^\/d\/config\.json can't be used: this user has no right/)
  })

  test('an error is one sentence; its origin is shown with --verbose', async () => {
    const folder = temporaryFolder()
    const plain = await runCli(['compress', join(folder, 'none.txt')])
    expect(plain.code).toBe(2)
    expect(plain.stderr).toMatch(/^sluice: There is no file .*none\.txt\. Check its path\.\n$/)
    const verbose = await runCli(['--verbose', 'compress', join(folder, 'none.txt')])
    expect(verbose.stderr).toMatch(/at (?:async )?readInput/)
  })

  test('a reader that goes away early is no error', async () => {
    const { startCli } = await import('../helpers/run-cli.ts')
    const child = startCli(['compress', '--budget', '100000'])
    const ended = new Promise<number | null>((done) => child.on('close', done))
    child.stdout.destroy()
    child.stdin.on('error', () => {})
    child.stdin.end('word '.repeat(90_000))
    expect(await ended).toBe(0)
  })
})
