import { expect, it, onTestFinished } from 'vitest'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { bashPayload } from '../../helpers/bash-payload.ts'
import { buildLog } from '../../helpers/build-log.ts'
import { hooksWorld } from '../../helpers/hooks-world.ts'

// A made day of one developer, as Claude Code's hooks tell it. `seen`: what the model reads of an output.

const small = 'On branch main\nnothing to commit, working tree clean\n'
const paths = Array.from({ length: 400 }, (_, n) => `./src/module-${n}/deep/folder/index-${n}.ts`).join('\n')
const tests = (run: number): string =>
  Array.from({ length: 500 }, (_, n) =>
    n === 340
      ? ` FAIL src/cart-${run}.test.ts > adds a line at line 34`
      : ` ✓ src/part-${n}.test.ts (${n % 7} tests) ${n} ms`,
  ).join('\n')

type Seen = 'as answered' | 'as it was' | 'by another hook'
interface Output {
  readonly command: string
  readonly stdout: string
  readonly seen: Seen
}
const DAY: readonly (string | Output)[] = [
  'why does the build of session.ts fail?',
  { command: 'git status', stdout: small, seen: 'as answered' },
  { command: 'npm run build', stdout: buildLog(500), seen: 'as answered' },
  { command: 'find . -name "*.ts"', stdout: paths, seen: 'as answered' },
  { command: 'npm test', stdout: tests(1), seen: 'as it was' },
  'now the tests of the cart',
  { command: 'npm test -- cart', stdout: tests(2), seen: 'as answered' },
  { command: 'npm run lint', stdout: buildLog(420), seen: 'by another hook' },
  // The same call with the same bytes: the model is told so, if what it had is still in its context.
  { command: 'npm run build', stdout: buildLog(500), seen: 'as answered' },
  { command: 'npm run build -- --watch', stdout: buildLog(700), seen: 'as answered' },
]

it("the ledger's net is what was replaced and delivered, less what was read back", async () => {
  const { ask, engine } = await hooksWorld(onTestFinished)
  const rows: CallRow[] = []
  engine.events.on('call-recorded', (row) => void rows.push(row))
  const session = { session_id: 'day', cwd: '/work', transcript_path: '/none/day.jsonl' }
  let expected = 0
  let lastId = ''
  for (const [index, step] of DAY.entries()) {
    if (typeof step === 'string') {
      await ask('claude-code', 'UserPromptSubmit', { ...session, prompt: step })
      continue
    }
    const { command, stdout, seen } = step
    const call = { ...session, tool_use_id: `day-${index}`, tool_input: { command } }
    const answer = await ask('claude-code', 'PostToolUse', bashPayload(stdout, {}, call))
    const { updatedToolOutput } = (answer['hookSpecificOutput'] ?? {}) as {
      updatedToolOutput?: { readonly stdout: string }
    }
    const shown = updatedToolOutput?.stdout ?? stdout
    const reads = { 'as answered': shown, 'as it was': stdout, 'by another hook': 'filtered' }[seen]
    const calls = [{ tool_use_id: `day-${index}`, tool_response: { stdout: reads } }]
    await ask('claude-code', 'PostToolBatch', { ...session, tool_calls: calls })
    // From the texts alone: nothing of the ledger's own counts.
    if (seen === 'as answered') expected += countTokens(stdout) - countTokens(shown)
    lastId = /id: (r_\w+)/.exec(shown)?.[1] ?? lastId
  }
  const page = buildLog(40)
  const read = { ...session, tool_use_id: 'read', tool_input: { command: `sluice read ${lastId} --tail 40` } }
  expect(await ask('claude-code', 'PostToolUse', bashPayload(page, {}, read))).toEqual({})

  const outputs = DAY.filter((step) => typeof step !== 'string').length
  await expect.poll(() => rows.length).toBeGreaterThanOrEqual(outputs)
  const { totals, builtIn } = await engine.ledger.report({ from: 0, to: Date.now() + 60_000 })
  expect(totals.calls).toBe(outputs)
  expect(builtIn).toEqual(totals)
  expect(expected).toBeGreaterThan(30_000)
  expect(totals.net).toBe(expected - countTokens(page))
  expect(engine.hooks.states()).toMatchObject([{ tool: 'Bash', dropped: 1, lost: 1, isOff: false }])
})
