import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createGoals, type Conversation } from '../../../electron/engine/goals/create-goals.ts'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { engineWorld, type ConnectOptions } from '../../helpers/engine-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { testServer } from '../../helpers/upstream.ts'

const SYLLABLES = 'ba ko mi ru te la so ni de fu ga po vi ze ha'.split(' ')
const syllable = (n: number): string => SYLLABLES[Math.floor(n) % SYLLABLES.length] ?? ''
/** 3,000 lines of one kind, each with a name of its own. */
const nameOf = (n: number): string => syllable(n) + syllable(n / 15) + syllable(n / 225)
const TEXT = Array.from({ length: 3_000 }, (_, n) => `${nameOf(n)} was seen by warden ${n % 13}`).join('\n')
const NAME = nameOf(1_700)
const WANTED = NAME
/** As users write it; a request that names nothing of a text is no goal of it. */
const TITLE = NAME.charAt(0).toUpperCase() + NAME.slice(1)

async function goalWorld(settings: Readonly<Record<string, unknown>> = {}) {
  const folder = temporaryFolder()
  const path = join(folder, 'text.txt')
  writeFileSync(path, TEXT)
  const world = await engineWorld(
    { s: testServer('files') },
    { approvals: { firstSight: 'trust' }, compression: { maxOutputTokens: 400 }, ...settings },
    { folder },
  )
  const { conversations } = world.engine
  const conversation = (id: string, more: Partial<Conversation> = {}): Conversation => ({
    app: 'claude-code',
    id,
    folder,
    ...more,
  })
  const ask = (of: Conversation): void => conversations.prompted(of, `By whom was ${TITLE} seen last week?`)
  const connect = async (options: ConnectOptions = {}) => {
    const { client } = await world.connect({ name: 'claude-code', cwd: folder, ...options })
    return async (meta?: Record<string, unknown>, args: Record<string, unknown> = {}): Promise<string> => {
      const request = { name: 'read', arguments: { path, ...args }, ...(meta ? { _meta: meta } : {}) }
      const { content } = await client.callTool(request)
      return (content as { text: string }[])[0]?.text ?? ''
    }
  }
  return { ...world, conversations, conversation, ask, connect, folder, path }
}

describe("a user's request", () => {
  test.each([
    ['cursor', 'beforeSubmitPrompt', { conversation_id: 'c', workspace_roots: ['FOLDER'] }, 'prompt'],
    ['qwen-code', 'UserPromptSubmit', { session_id: 'q', cwd: 'FOLDER' }, 'prompt'],
    ['cline', 'UserPromptSubmit', { taskId: 't', workspaceRoots: ['FOLDER'] }, 'userPromptSubmit.prompt'],
    ['windsurf', 'pre_user_prompt', { trajectory_id: 'w' }, 'tool_info.user_prompt'],
  ])("comes by %s's hook", async (app, event, of, place) => {
    const { connect, engine, folder } = await goalWorld()
    const prompt = `By whom was ${TITLE} seen last week?`
    const [first = '', second] = place.split('.')
    const said = { [first]: second === undefined ? prompt : { [second]: prompt } }
    const payload = JSON.parse(JSON.stringify({ ...of, ...said }).replace('FOLDER', folder)) as JsonObject
    expect(await engine.hooks.answer(app, event, payload)).toEqual({})
    expect(await (await connect({ name: app }))()).toContain(WANTED)
  })

  test('is the goal of calls of its conversation, by folder, and no part of what is kept', async () => {
    const { ask, conversation, connect, engine } = await goalWorld()
    const read = await connect()
    expect(await read()).not.toContain(WANTED)
    ask(conversation('one'))
    const first = await read({}, { other: 1 })
    expect(first).toContain(WANTED)
    // The same call, the same bytes.
    expect(await read({}, { other: 2 })).toBe(first)
    engine.conversations.ended(conversation('one'))
    expect(await read({}, { other: 3 })).not.toContain(WANTED)
  })

  test('is not used where the conversation can’t be told: two in one folder, another folder, another app', async () => {
    const { ask, conversation, connect, conversations, folder } = await goalWorld()
    ask(conversation('one', { folder: join(folder, 'elsewhere') }))
    ask(conversation('two', { app: 'codex' }))
    const read = await connect()
    expect(await read()).not.toContain(WANTED)
    ask(conversation('three'))
    conversations.prompted(conversation('four'), 'Write a poem about trains and rivers, please.')
    expect(await read({}, { other: 1 })).not.toContain(WANTED)
    // Named by the call, by a tool use, and by the environment of the program.
    expect(await read({ threadId: 'three' }, { other: 2 })).toContain(WANTED)
    conversations.toolUsed(conversation('three'), 'toolu_1')
    expect(await read({ 'claudecode/toolUseId': 'toolu_1' }, { other: 3 })).toContain(WANTED)
    const named = await connect({ env: { CLAUDE_CODE_SESSION_ID: 'three' } })
    expect(await named({}, { other: 4 })).toContain(WANTED)
  })

  test('is the task inside a sub-agent that works alone', async () => {
    const { conversation, conversations, connect } = await goalWorld()
    const read = await connect()
    conversations.prompted(conversation('one'), 'Write a poem about trains and rivers, please.')
    conversations.agentStarted(conversation('one'), 'a1', `Find out who has seen ${TITLE}.`)
    expect(await read()).toContain(WANTED)
    conversations.agentEnded(conversation('one'), 'a1')
    expect(await read({}, { other: 1 })).not.toContain(WANTED)
  })

  test('comes from the transcript after a restart', async () => {
    const { conversation, conversations, connect, folder } = await goalWorld()
    const transcript = join(folder, 'session.jsonl')
    writeFileSync(
      transcript,
      JSON.stringify({ type: 'user', message: { content: `By whom was ${TITLE} seen the last time?` } }),
    )
    conversations.toolUsed(conversation('one', { transcript }), 'toolu_1')
    expect(await (await connect())()).toContain(WANTED)
  })

  test('is dropped and forgotten where goals.fromPrompts is off', async () => {
    const { ask, conversation, connect, engine } = await goalWorld()
    ask(conversation('one'))
    engine.settings.update([{ path: ['goals', 'fromPrompts'], value: false }])
    const read = await connect()
    expect(await read()).not.toContain(WANTED)
    engine.settings.update([{ path: ['goals', 'fromPrompts'], value: true }])
    expect(await read({}, { other: 1 })).not.toContain(WANTED)
    expect(await engine.conversations.goalOf(conversation('one'))).toBeUndefined()
  })

  test('is out of memory as soon as goals.fromPrompts is off, and not when it is on again', async () => {
    const settings = { current: { goals: { fromPrompts: true } } }
    const events = createEvents(silentLogger)
    const { conversations } = createGoals({ settings, events, clock: () => 0 })
    const one = { app: 'codex', id: 'one' }
    conversations.prompted(one, `By whom was ${TITLE} seen?`)
    expect(await conversations.goalOf(one)).toContain(TITLE)
    settings.current = { goals: { fromPrompts: false } }
    events.emit('settings-changed', { added: [], removed: [], restarted: [], reshaped: [] })
    settings.current = { goals: { fromPrompts: true } }
    expect(await conversations.goalOf(one)).toBeUndefined()
  })
})
