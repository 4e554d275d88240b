import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

async function scriptOf(shell: string): Promise<string> {
  const { code, stdout } = await runHere(['completion', shell])
  expect(code).toBe(0)
  const path = join(temporaryFolder(), 'sluice')
  writeFileSync(path, stdout)
  return path
}

/** The words that a shell offers for the last of these. */
type Offer = (path: string, words: readonly string[]) => string[]
const lines = (shell: string, ...args: string[]): string[] =>
  execFileSync(shell, args, { encoding: 'utf8' }).split('\n').filter(Boolean)

const offers: Readonly<Record<string, Offer>> = {
  bash: (path, words) =>
    lines(
      'bash',
      '--norc',
      '-c',
      `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`,
      path,
      ...words,
    ),
  // What it hands to zsh's own display.
  zsh: (path, words) =>
    lines(
      'zsh',
      '-f',
      '-c',
      `compdef() { :; }; _files() { :; }; compadd() { shift; print -l -- "$@"; }
       _describe() { print -l -- "\${(@P)2}"; }; source "$0"; words=("$@"); CURRENT=$#; PREFIX="$words[-1]"; _sluice`,
      path,
      ...words,
    ).map((line) => line.replace(/:.*$/, '')),
  fish: (path, words) =>
    lines('fish', '--no-config', '-c', `source $argv[1]; complete -C $argv[2]`, path, words.join(' ')).map(
      (line) => line.replace(/\t.*$/, ''),
    ),
}

describe.each(Object.keys(offers))('in %s', (shell) => {
  test.skipIf(!isInstalled(shell))('commands, their commands, options and choices are offered', async () => {
    const path = await scriptOf(shell)
    const offer = (...words: string[]): string[] => offers[shell]?.(path, ['sluice', ...words]) ?? []
    expect(offer('re')).toEqual(
      expect.arrayContaining(['replay', 'report', 'read', 'results', 'review', 'resume']),
    )
    expect(offer('cache', '')).toEqual(expect.arrayContaining(['list', 'clear']))
    expect(offer('cache', '')).not.toContain('serve')
    expect(offer('--verbose', 'cache', 'list', '--')).toContain('--json')
    expect(offer('replay', '--')).toEqual(expect.arrayContaining(['--days', '--compare']))
    expect(offer('replay', '--')).not.toContain('--port')
    expect(offer('compress', '--kind', '')).toEqual(expect.arrayContaining(['json', 'table']))
    expect(offer('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })
})

test('another shell is refused with those that there are', async () => {
  const { code, stderr } = await runHere(['completion', 'tcsh'])
  expect(code).toBe(2)
  expect(stderr).toContain('Allowed choices are bash, zsh, fish')
})
