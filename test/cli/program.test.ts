import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLI_SOURCE } from '../helpers/fresh-build.ts'
import { runCli } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
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

describe('sluice', () => {
  test('--help names every command and the exit codes', async () => {
    const { code, stdout } = await runCli(['--help'])
    expect(code).toBe(0)
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    expect(stdout).toContain('Exit codes:')
  })

  test('every command has --help with an example and the data folder', async () => {
    const helps = await Promise.all(COMMANDS.map((command) => runHere([command, '--help'])))
    for (const [index, { code, stdout }] of helps.entries()) {
      expect(code).toBe(0)
      expect(stdout).toContain(`sluice ${COMMANDS[index]}`)
      expect(stdout).toMatch(/Examples?:/)
      expect(stdout).toContain('--data-dir <dir>')
    }
  })

  test('--version is that of package.json', async () => {
    const manifest = JSON.parse(readFileSync(join(CLI_SOURCE, '../../package.json'), 'utf8')) as {
      version: string
    }
    expect((await runCli(['--version'])).stdout.trim()).toBe(manifest.version)
  })

  test.each([
    [['compres'], /unknown command 'compres'\n\(Did you mean compress\?\)/],
    [['stats', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [['compress', '--budget', 'many'], /It must be a whole number above 0/],
    [['compress', '--kind', 'poem'], /Allowed choices are json, table/],
    [['serve', '--port', '70000'], /It must be a number from 0 to 65535/],
    [['connect', '--server', 'a__b'], /"a__b" can't be the id of a server/],
    [['results', 'show'], /missing required argument 'id'/],
    [['compress', '--jsonl', '--json'], /cannot be used with/],
    [[], /Usage: sluice/],
  ])('a wrong command line %j ends with 2 and says why, on stderr', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('an error is one sentence; its origin is shown with --verbose', async () => {
    const folder = temporaryFolder()
    const plain = await runCli(['compress', join(folder, 'none.txt')])
    expect(plain.code).toBe(2)
    expect(plain.stderr).toMatch(/^sluice: .*none\.txt can't be read: ENOENT.*\n$/)
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
