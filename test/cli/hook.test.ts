import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bashPayload } from '../helpers/bash-payload.ts'
import { buildLog } from '../helpers/build-log.ts'
import { hooksWorld } from '../helpers/hooks-world.ts'
import { runHook } from '../../electron/cli/run-hook.ts'
import { runHere, runWith } from '../helpers/run-here.ts'
import { runCli } from '../helpers/run-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const ends: (() => Promise<void> | void)[] = []
let dataDir: string
beforeAll(async () => {
  const world = await hooksWorld((end) => ends.push(end))
  await world.engine.listen({ port: 0 })
  dataDir = world.dataDir
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

describe('sluice hook', () => {
  it('prints the answer of the engine; sluice read prints what it left out', async () => {
    const call = { app: 'claude-code', event: 'PostToolUse', common: { dataDir } }
    const answer = await runWith((context) => runHook(call, context, 120_000), {
      input: JSON.stringify(bashPayload(buildLog())),
    })
    expect(answer).toMatchObject({ code: 0, stderr: '' })
    const { hookSpecificOutput } = JSON.parse(answer.stdout) as {
      hookSpecificOutput: { updatedToolOutput: { stdout: string } }
    }
    const id = /id: (r_\w+)/.exec(hookSpecificOutput.updatedToolOutput.stdout)?.[1] ?? ''
    const line = await runHere(['--data-dir', dataDir, 'read', id, '--lines', '400'])
    expect(line).toEqual({ code: 0, stdout: `${buildLog().split('\n')[399]}\n`, stderr: '' })
    const unknown = await runHere(['--data-dir', dataDir, 'read', 'r_000000'])
    expect(unknown.code).not.toBe(0)
    expect(unknown.stderr).toContain('No result "r_000000" is kept')
  })

  it('prints {} for what it can not use, and without an engine', async () => {
    const folder = temporaryFolder()
    for (const [dir, input] of [
      [dataDir, ''],
      [dataDir, 'no json'],
      [dataDir, '{}'],
      [folder, JSON.stringify(bashPayload(buildLog()))],
    ] as const)
      expect(await runCli(['--data-dir', dir, 'hook', 'codex', 'PostToolUse'], { input })).toEqual({
        code: 0,
        stdout: '{}\n',
        stderr: '',
      })
  })
})
