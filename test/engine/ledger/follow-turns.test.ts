import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { readingWorld } from '../../helpers/reading-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { START, type Step } from '../../helpers/transcripts/script.ts'
import { claudeLines, writeLines } from '../../helpers/transcripts/write-claude-code.ts'

const MODEL = 'claude-opus-5-5'
const minute = (minutes: number): number => START + minutes * 60_000
/** A request of the model, `minutes` after the one before. */
const turn = (minutes = 1): Step => ({ request: { input: 1, output: 1 }, minutes })

/** A conversation of Claude Code, whose hooks and MCP calls reach an engine; the test moves the clock. */
async function conversationWorld(folder = temporaryFolder(onTestFinished), clock = { now: minute(0) }) {
  const world = await readingWorld({}, { folder, now: () => clock.now })
  const fileOf = (session: string): string => join(folder, '.claude/projects/-work', `${session}.jsonl`)
  const linesOf = (session: string, steps: readonly Step[], agent?: string): object[] =>
    claudeLines({ session, model: MODEL, project: folder, steps }, agent === undefined ? {} : { agent })
  const write = (session: string, steps: readonly Step[], more: readonly object[] = []): void =>
    writeLines(fileOf(session), [...linesOf(session, steps), ...more])
  const writeAgent = (session: string, agent: string, steps: readonly Step[]): void =>
    writeLines(
      join(fileOf(session).slice(0, -'.jsonl'.length), 'subagents', `agent-${agent}.jsonl`),
      linesOf(session, steps, agent),
    )
  const hook = (session: string, event: string, payload: JsonObject = {}): Promise<JsonObject> =>
    world.engine.hooks.answer('claude-code', event, {
      session_id: session,
      transcript_path: fileOf(session),
      cwd: folder,
      ...payload,
    })
  const { client } = await world.connect({ name: 'claude-code', cwd: folder })
  let count = 0
  const call = async (at: number, meta: JsonObject = {}): Promise<void> => {
    clock.now = minute(at)
    await client.callTool({ name: 'same', arguments: { n: count++ }, _meta: meta })
  }
  const report = () => world.engine.ledger.report({ from: 0, to: minute(10_000) })
  /** Saved tokens times later turns, for each saved token. */
  const times = async (): Promise<number> => {
    const { entries } = await report()
    const calls = entries.filter(({ calls }) => calls > 0)
    const sum = (key: 'later' | 'net'): number => calls.reduce((total, entry) => total + entry[key], 0)
    return sum('later') / sum('net')
  }
  const contextOfLast = async (): Promise<string | undefined> =>
    (await world.engine.ledger.recentCalls(1))[0]?.session
  return { ...world, folder, clock, linesOf, write, writeAgent, hook, call, report, times, contextOfLast }
}

test('what a conversation kept out counts again for each later turn of its transcript, until a compaction', async () => {
  const { write, hook, call, report, times } = await conversationWorld()
  await hook('one', 'UserPromptSubmit', { prompt: 'Read it.' })
  await call(1.5)
  const before: Step[] = [{ prompt: 'Read it.' }, turn(), turn(), turn(), turn()]
  write('one', before)
  await hook('one', 'Stop')
  // The second request has written it, the third and fourth read it.
  await expect.poll(times).toBe(2)
  const { known, entries } = await report()
  expect(known).toEqual({ turns: 4, sessions: 1, sessionsWithTurns: 1 })
  expect(new Set(entries.filter(({ calls }) => calls > 0).map(({ model }) => model))).toEqual(
    new Set([MODEL]),
  )
  write('one', [...before, { compaction: 'It was read.' }, turn(), turn()])
  await hook('one', 'SessionEnd')
  await expect.poll(async () => (await report()).known.turns).toBe(6)
  expect(await times()).toBe(2)
})

test('a sub-agent has turns of its own, and its calls a context of their own', async () => {
  const { linesOf, write, writeAgent, hook, call, report, times, contextOfLast } = await conversationWorld()
  await hook('one', 'UserPromptSubmit', { prompt: 'Read it.' })
  await hook('one', 'SubagentStart', { agent_id: 'a1' })
  const use = { tool_name: 'mcp__s__same', tool_use_id: 'toolu_1', agent_id: 'a1' }
  await hook('one', 'PreToolUse', use)
  await call(1.5, { 'claudecode/toolUseId': 'toolu_1' })
  await expect.poll(contextOfLast).toBe('one/a1')
  const main = Array.from({ length: 9 }, () => turn())
  write('one', main)
  writeAgent('one', 'a1', [turn(), turn(), turn()])
  await hook('one', 'SubagentStop', { agent_id: 'a1' })
  await expect.poll(times).toBe(1)
  // Older versions write it into the file of the session.
  await hook('one', 'SubagentStart', { agent_id: 'a0' })
  await hook('one', 'PreToolUse', { ...use, tool_use_id: 'toolu_0', agent_id: 'a0' })
  await call(1.6, { 'claudecode/toolUseId': 'toolu_0' })
  await expect.poll(contextOfLast).toBe('one/a0')
  write('one', main, linesOf('of-a0', [turn(), turn(), turn()], 'a0'))
  await hook('one', 'SubagentStop', { agent_id: 'a0' })
  await expect.poll(async () => (await report()).known.sessionsWithTurns).toBe(2)
  expect(await times()).toBe(1)
  // Which of the contexts calls isn’t known: it counts once.
  await hook('one', 'SubagentStart', { agent_id: 'a2' })
  await call(2)
  await expect.poll(contextOfLast).toBe('one/unknown')
  await hook('one', 'Stop')
  expect(await times()).toBeCloseTo(2 / 3, 1)
  expect((await report()).known.sessionsWithTurns).toBe(2)
})

test('a connection that goes on with another conversation, and an engine that starts again in between', async () => {
  const first = await conversationWorld()
  const { write, hook, call, folder, clock } = first
  await hook('one', 'UserPromptSubmit', { prompt: 'Read it.' })
  await call(1.5)
  await hook('one', 'SessionEnd', { reason: 'clear' })
  write('one', [turn(), turn(), turn()])
  await hook('two', 'UserPromptSubmit', { prompt: 'Read it again.' })
  await call(10.5)
  await expect.poll(first.times).toBeCloseTo(0.5, 1)
  await first.engine.close()
  write('two', [turn(10), turn(), turn(), turn(), turn()])
  const second = await conversationWorld(folder, clock)
  // One later turn of the first, three of the second.
  await expect.poll(second.times).toBeCloseTo(2, 1)
})
